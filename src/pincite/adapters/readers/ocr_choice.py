"""Which recogniser reads pictures of text, told without loading any: the parent process asks."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

TESSERACT_CODES = {"en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld"}
TESSERACT_CODES |= {"ru": "rus", "uk": "ukr", "pl": "pol", "cs": "ces", "el": "ell", "ar": "ara", "he": "heb"}
TESSERACT_CODES |= {"hi": "hin", "th": "tha", "ja": "jpn", "ko": "kor", "zh": "chi_sim", "tr": "tur", "sv": "swe"}
RAPID_LANGUAGES = frozenset(("cs", "da", "de", "en", "es", "fi", "fr", "it", "ja", "nl", "no", "pl", "pt", "sv", "zh"))
"""What the models in rapidocr's wheel read."""


@dataclass(frozen=True)
class OcrChoice:
    """A recogniser that is there, and the languages (ISO 639-1) that it is to read."""

    engine: str
    languages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What stands in the reader's version: another engine, version or language may see more."""
        if self.engine == "tesseract":
            return f"tesseract/{tesseract_codes(self.languages)}"
        return f"rapidocr/{metadata.version('rapidocr')}"


def choose_ocr(setting: str, languages: Sequence[str]) -> OcrChoice | None:
    """The recogniser for a setting (`auto`, `off` or an engine), or None where it is off or not installed.
    `auto` prefers the one that reads the languages."""
    there = {"rapidocr": _has_rapid(), "tesseract": shutil.which("tesseract") is not None}
    if setting in there:
        order = [setting]
    elif setting == "auto":
        # What rapidocr has no letters for it reads as others: worse than nothing.
        order = ["rapidocr", "tesseract"] if set(languages) <= RAPID_LANGUAGES else ["tesseract"]
    else:
        order = []
    engine = next((name for name in order if there[name]), None)
    return OcrChoice(engine, tuple(languages)) if engine else None


def tesseract_codes(languages: Sequence[str]) -> str:
    return "+".join(TESSERACT_CODES.get(code, code) for code in languages) or "eng"


def _has_rapid() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None
