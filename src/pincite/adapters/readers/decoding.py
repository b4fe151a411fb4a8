"""Bytes to text: what the file declares, then strict UTF-8, then a detector; what was chosen is recorded."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 64 * 1024


@dataclass(frozen=True)
class Decoded:
    """A text, the encoding that gave it, and how many bytes had no meaning in it."""

    text: str
    encoding: str
    replaced: int

    @property
    def metadata(self) -> dict[str, str]:
        notes = {"encoding": self.encoding}
        if self.replaced:
            notes["undecodable_bytes"] = str(self.replaced)
        return notes


def decode(content: bytes, declared: str = "") -> Decoded:
    """The text of `content`. `declared` is the encoding that the file itself names, believed if it fits."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _forced(content, encoding)
    stateful = b"\x1b$" in content or b"\x1b(" in content
    wide = _wide(content)
    for encoding in (declared, wide, "" if stateful or wide else "utf-8"):
        text = _strict(content, encoding) if encoding else None
        if text is not None:
            return Decoded(text, codecs.lookup(encoding).name, 0)
    return _forced(content, _detected(content) or declared or "utf-8")


def _wide(content: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, told by where the zero bytes stand."""
    head = content[:4096]
    if len(head) < 8 or b"\x00" not in head:
        return ""
    zeros = [head[place::4].count(0) * 4 / len(head) for place in range(4)]
    if min(zeros[1:]) > 0.7:
        return "utf-32-le"
    if min(zeros[:3]) > 0.7:
        return "utf-32-be"
    if min(zeros[1], zeros[3]) > 0.3 and max(zeros[0], zeros[2]) < 0.1:
        return "utf-16-le"
    if min(zeros[0], zeros[2]) > 0.3 and max(zeros[1], zeros[3]) < 0.1:
        return "utf-16-be"
    return ""


def _strict(content: bytes, encoding: str) -> str | None:
    try:
        codecs.lookup(encoding)
        return content.decode(encoding)
    except (ValueError, LookupError):
        # ValueError: characters that do not fit, or a declared name that can be none.
        return None


def _detected(content: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(content[:_SAMPLE]).best()
    return best.encoding if best is not None else ""


def _forced(content: bytes, encoding: str) -> Decoded:
    try:
        codecs.lookup(encoding)
    except (LookupError, ValueError):
        encoding = "utf-8"
    text = content.decode(encoding, "replace")
    return Decoded(text, codecs.lookup(encoding).name, text.count("\ufffd"))
