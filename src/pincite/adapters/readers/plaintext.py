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
    name = "text/1"

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
        line, counted = 1, 0
        for start, end in _paragraphs(text):
            # Counted on from the paragraph before: counting from the top each time is quadratic.
            first = line + text.count("\n", counted, start)
            line, counted = first + text.count("\n", start, end), end
            builder.add(BlockKind.PARAGRAPH, text[start:end], lines=(first, line))
        return builder.finish()


def _paragraphs(text: str) -> list[tuple[int, int]]:
    spans, begun = [], 0
    for match in _BLANK.finditer(text):
        spans.append((begun, match.start()))
        begun = match.end()
    spans.append((begun, len(text)))
    return [(start, start + len(text[start:end].rstrip())) for start, end in spans if text[start:end].strip()]
