"""RTF: paragraphs and the rows of tables."""

from __future__ import annotations

from striprtf.striprtf import rtf_to_text

from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.tables import add_table
from pincite.core.documents import BlockKind, OutcomeKind, Reading
from pincite.core.places import Place

_FAULTS = (ValueError, KeyError, IndexError, AttributeError, TypeError, LookupError, OverflowError)
_CELL = "|"
"""What striprtf writes after each cell of a row."""


class RtfReader:
    name = "rtf/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        raw = content.read()
        if not raw.strip(b"\x00 \r\n\t\xef\xbb\xbf\xff\xfe").startswith(b"{\\rtf"):
            raise Refused(OutcomeKind.CORRUPT, "The file is not RTF.", "not_rtf", "Save it again from its program.")
        builder = Builder(self.name)
        try:
            text: str = rtf_to_text(raw.decode("cp1252", "replace"), errors="replace")  # type: ignore[no-untyped-call]
        except _FAULTS as fault:
            message = f"The RTF cannot be read: {type(fault).__name__}."
            raise Refused(OutcomeKind.CORRUPT, message, "bad_rtf", "Save it again from its program.") from fault
        _add(builder, text)
        return builder.finish()


def _add(builder: Builder, text: str) -> None:
    rows: list[list[str]] = []
    paragraph = table = 0
    for line in [*text.split("\n"), ""]:
        if line.rstrip().endswith(_CELL):
            rows.append([cell.strip() for cell in line.rstrip().removesuffix(_CELL).split(_CELL)])
            continue
        if rows:
            table += 1
            add_table(builder, rows, table=table)
            rows = []
        paragraph += 1
        builder.add(BlockKind.PARAGRAPH, line, place=Place(paragraphs=(paragraph, paragraph)))
