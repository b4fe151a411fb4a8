"""Pictures: what a recogniser sees on them. Without one they are reported, with what to install."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.ocr_hint import HOW_TO_OCR, NOTHING_SEEN
from pincite.adapters.readers.pdf_layout import paragraphs
from pincite.adapters.readers.recognise import MOST_PIXELS, lines_of, read_picture
from pincite.core.documents import BlockKind, Outcome, OutcomeKind, Reading

_POINTS = 72.0
_MOST_FRAMES = 500


class ImageReader:
    name = "image/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        engine = content.recogniser
        if engine is None:
            raise Refused(OutcomeKind.NO_TEXT_LAYER, "The file is a picture.", "no_text_layer", HOW_TO_OCR)
        builder = Builder(f"{self.name}+{engine.name}")
        for number, (image, dpi) in enumerate(_frames(content), start=1):
            seen, sureness = read_picture(engine, image)
            for group in paragraphs(lines_of(seen, number, _POINTS / dpi)):
                text = "\n".join(line.text for line in group)
                boxes = [line.box for line in group]
                builder.add(BlockKind.PARAGRAPH, text, page=number, boxes=boxes)
            height, width = image.shape[:2]
            size = (width * _POINTS / dpi, height * _POINTS / dpi)
            builder.end_page(
                number, "", OutcomeKind.WHOLE if seen else OutcomeKind.EMPTY, *size, ocr=round(sureness, 3)
            )
            content.step(number, 0)
        outcome = Outcome(OutcomeKind.EMPTY, message=NOTHING_SEEN) if builder.empty else None
        return builder.finish(outcome)


def _frames(content: Content) -> Iterator[tuple[Any, float]]:
    """Each picture of the file, upright as its camera says, with its dots per inch. Raises Refused."""
    import numpy as np
    from PIL import Image, ImageOps, ImageSequence

    Image.MAX_IMAGE_PIXELS = 4 * MOST_PIXELS
    try:
        with content.open() as raw, Image.open(raw) as file:
            for number, frame in enumerate(ImageSequence.Iterator(file)):
                if number == _MOST_FRAMES:
                    return
                given = frame.info.get("dpi", (0, 0))[0]
                picture = ImageOps.exif_transpose(frame).convert("RGB")
                dpi = float(given) if 50 <= float(given) <= 1200 else 96.0
                if picture.width * picture.height > MOST_PIXELS:
                    share = (MOST_PIXELS / (picture.width * picture.height)) ** 0.5
                    picture = picture.resize((int(picture.width * share), int(picture.height * share)))
                    dpi *= share
                yield np.asarray(picture)[:, :, ::-1], dpi
    except Image.DecompressionBombError as fault:
        raise Refused(OutcomeKind.TOO_BIG, "The picture has too many pixels.", "pixels") from fault
    except (OSError, ValueError, SyntaxError, EOFError, TypeError) as fault:
        raise Refused(OutcomeKind.CORRUPT, "The picture cannot be opened.", "bad_image") from fault
