"""Pictures of text, drawn here, for the tests of recognition. They need the extra `ocr`, which brings Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import pypdfium2
import pytest

from pdfs import pdf, plain

needs_ocr = pytest.mark.skipif(find_spec("rapidocr") is None, reason="the extra ocr is not installed")
WIDTH, HEIGHT = 1240, 1754
"""A4 at 150 dots to the inch."""


def picture(*lines: str, turn: int = 0) -> Any:
    """Black on white, one line under the other."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    for place, line in enumerate(lines):
        draw.text((120, 200 + 60 * place), line, fill="black", font=ImageFont.load_default(32))
    return image.rotate(turn, expand=True)


def picture_pdf(pictures: Sequence[str | None], before: Sequence[Sequence[str]] = ()) -> bytes:
    """A PDF whose pages are pictures of these words, or pages of text (`before`) where there is None."""
    target = pypdfium2.PdfDocument.new()
    for place, words in enumerate(pictures):
        if words is None:
            content = pdf([plain(*before[place])])
        else:
            buffer = io.BytesIO()
            picture(words).save(buffer, "PDF", resolution=150)
            content = buffer.getvalue()
        source = pypdfium2.PdfDocument(content)
        target.import_pages(source)
        source.close()
    out = io.BytesIO()
    target.save(out)
    target.close()
    return out.getvalue()
