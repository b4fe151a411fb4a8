"""Pictures of text to lines of text: rapidocr, whose models come with its wheel, or tesseract where it is
installed. Runs only in the reader's worker process."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any, Protocol

import numpy as np

from pincite.adapters.readers.ocr_choice import OcrChoice, tesseract_codes
from pincite.adapters.readers.ocr_order import reading_order
from pincite.adapters.readers.pdf_lines import Line

DPI = 200
FALLBACK_DPI = 130
MOST_PIXELS = 25_000_000
LEAST_SCORE = 0.5
"""A line below this is dropped, unless there is nothing else."""
PAGE_SECONDS = 60
_UNSURE = 0.80
"""Mean score of a page below which it may stand on its head."""
_TALL = 1.5
Image = Any
"""An array of height x width x 3 bytes, blue first."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A line of text on a picture: pixels from its top left corner, and how sure the engine is, 0 to 1."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    score: float


class Recogniser(Protocol):
    """An engine. `name` is part of the reader's version: another engine may see more."""

    @property
    def name(self) -> str: ...

    def lines(self, image: Image) -> list[Seen]:
        """What stands on an upright picture, in any order."""
        ...


def recogniser(choice: OcrChoice) -> Recogniser:
    """The engine that was chosen. Raises ImportError or OSError if it is not there."""
    return Tesseract(choice) if choice.engine == "tesseract" else Rapid(choice)


class Rapid:
    """rapidocr with the PP-OCR models inside its wheel: Chinese, English, Japanese and Latin scripts. Its
    classifier of upside-down lines turns good lines into noise, so it stays off."""

    def __init__(self, choice: OcrChoice) -> None:
        from rapidocr import RapidOCR

        self.name = choice.name
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._engine: Any = RapidOCR(
            params={
                "Global.use_cls": False,
                "Global.log_level": "critical",
                "EngineConfig.onnxruntime.intra_op_num_threads": min(4, threads),
            }
        )

    def lines(self, image: Image) -> list[Seen]:
        found = self._engine(image)
        if found.boxes is None or not found.txts:
            return []
        seen = []
        for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
            xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
            seen.append(Seen(text.strip(), min(xs), min(ys), max(xs), max(ys), float(score)))
        return [item for item in seen if item.text]


class Tesseract:
    """The tesseract program. Two to three times cheaper than rapidocr, and has packs for most languages."""

    def __init__(self, choice: OcrChoice) -> None:
        program = shutil.which("tesseract")
        if program is None:
            raise OSError("The program tesseract is not installed.")
        self._program = program
        self._languages = tesseract_codes(choice.languages)
        self.name = choice.name

    def lines(self, image: Image) -> list[Seen]:
        height, width = image.shape[:2]
        picture = b"P6 %d %d 255\n" % (width, height) + np.ascontiguousarray(image[:, :, ::-1]).tobytes()
        command = [self._program, "stdin", "stdout", "-l", self._languages, "--dpi", str(DPI), "--psm", "3", "tsv"]
        done = subprocess.run(
            command,
            input=picture,
            capture_output=True,
            timeout=PAGE_SECONDS,
            check=True,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
        return _lines_of(done.stdout.decode("utf-8", "replace"))


def _lines_of(table: str) -> list[Seen]:
    """The words of tesseract's table, joined to its lines."""
    lines: dict[tuple[str, ...], list[Seen]] = {}
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row.get("level") != "5" or not (row.get("text") or "").strip():
            continue
        left, top, width, height = (float(row[key]) for key in ("left", "top", "width", "height"))
        word = Seen(row["text"].strip(), left, top, left + width, top + height, float(row["conf"]) / 100)
        lines.setdefault((row["block_num"], row["par_num"], row["line_num"]), []).append(word)
    return [
        Seen(
            " ".join(word.text for word in words),
            min(word.left for word in words),
            min(word.top for word in words),
            max(word.right for word in words),
            max(word.bottom for word in words),
            mean(word.score for word in words),
        )
        for words in lines.values()
    ]


def read_picture(engine: Recogniser, image: Image) -> tuple[list[Seen], float]:
    """The lines of a picture in reading order, and how sure the engine is of them on the whole. A picture that
    lies on its side or stands on its head is turned; boxes are those on the picture as given."""
    best, turn = engine.lines(image), 0
    if best and sum(_is_tall(item) for item in best) * 2 > len(best):
        other, quarters = max((_turned(engine, image, n) for n in (1, 3)), key=lambda pair: _worth(pair[0]))
        # Vertical writing has tall lines too, and is upright.
        best, turn = (best, 0) if _worth(best) > 1.2 * _worth(other) else (other, quarters)
    elif best and _sureness(best) < _UNSURE:
        other, half = _turned(engine, image, 2)
        best, turn = (other, half) if _worth(other) > 1.2 * _worth(best) else (best, turn)
    kept = [item for item in best if item.score >= LEAST_SCORE] or best
    ordered = [kept[index] for index in reading_order([(i.left, i.top, i.right, i.bottom) for i in kept])]
    height, width = image.shape[:2]
    return [_turned_back(item, turn, width, height) for item in ordered], _sureness(kept)


def _turned(engine: Recogniser, image: Image, quarters: int) -> tuple[list[Seen], int]:
    return engine.lines(np.ascontiguousarray(np.rot90(image, quarters))), quarters


def _turned_back(item: Seen, quarters: int, width: int, height: int) -> Seen:
    """The box of a line on the picture before it was turned (anticlockwise, by quarters)."""
    left, top, right, bottom = item.left, item.top, item.right, item.bottom
    if quarters == 1:
        left, top, right, bottom = width - bottom, left, width - top, right
    elif quarters == 2:
        left, top, right, bottom = width - right, height - bottom, width - left, height - top
    elif quarters == 3:
        left, top, right, bottom = top, height - right, bottom, height - left
    return replace(item, left=left, top=top, right=right, bottom=bottom)


def _is_tall(item: Seen) -> bool:
    return len(item.text) > 2 and item.bottom - item.top > _TALL * (item.right - item.left)


def _worth(lines: Sequence[Seen]) -> float:
    return sum(item.score * item.score * len(item.text) for item in lines)


def _sureness(lines: Sequence[Seen]) -> float:
    """Mean score, weighed by characters."""
    characters = sum(len(item.text) for item in lines)
    return sum(item.score * len(item.text) for item in lines) / characters if characters else 0.0


def lines_of(seen: Sequence[Seen], page: int, scale: float) -> list[Line]:
    """What was seen as lines of a page; `scale` is points to a pixel."""
    made = []
    for item in seen:
        left, top, right, bottom = (e * scale for e in (item.left, item.top, item.right, item.bottom))
        made.append(Line(item.text, left, top, right, bottom, bottom - top, bold=False, page=page))
    return made
