"""Plain text: paragraphs between blank lines."""

from __future__ import annotations

import re

from pincite.adapters.readers.builder import Builder, refused
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.core.documents import BlockKind, OutcomeKind, Reading

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


class TextReader:
    def __init__(self, name: str = "text/2") -> None:
        self.name = name

    def read(self, content: Content) -> Reading:
        decoded = decode(content.read())
        text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
        noise = len(_CONTROLS.findall(text)) + decoded.replaced
        if noise * 20 > len(text) and noise > 8:
            return refused(
                self.name,
                OutcomeKind.UNSUPPORTED,
                "The file is not text: too many of its bytes have no meaning as characters.",
                code="binary",
            )
        builder = Builder(self.name)
        builder.metadata.update(decoded.metadata)
        _add(builder, text)
        return builder.finish()


def _add(builder: Builder, text: str) -> None:
    """Paragraphs with their lines. Form feeds part pages, as printers and RFC editors have them."""
    paged = "\f" in text.strip()
    line, counted, place = 1, 0, 0
    for number, sheet in enumerate(text.split("\f") if paged else [text], start=1):
        for start, end in _paragraphs(sheet):
            # Counted on from the paragraph before: counting from the top each time is quadratic.
            first = line + text.count("\n", counted, place + start)
            line, counted = first + text.count("\n", place + start, place + end), place + end
            page = number if paged else None
            builder.add(BlockKind.PARAGRAPH, sheet[start:end], lines=(first, line), page=page)
        if paged:
            builder.end_page(number)
        place += len(sheet) + 1


def _paragraphs(text: str) -> list[tuple[int, int]]:
    spans, begun = [], 0
    for match in _BLANK.finditer(text):
        spans.append((begun, match.start()))
        begun = match.end()
    spans.append((begun, len(text)))
    return [(start, start + len(text[start:end].rstrip())) for start, end in spans if text[start:end].strip()]
