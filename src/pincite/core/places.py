"""Where a stretch of text stands in formats that have no pages: sheet and cells, slide, paragraph, message."""

from __future__ import annotations

from dataclasses import dataclass, replace

Range = tuple[int, int]
_TO = " - "
"""Between the first and the last field of a stretch."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch in the terms of its own format. Every number counts from 1 as the reader of the file counts."""

    unit: str = ""
    """What kind of part: `sheet`, `slide`, `message`, `chapter`, `record`, `note`, `comment`, `layer`; empty when
    the file has no parts."""
    name: str = ""
    """Which one: the name of the sheet, the number of the slide, the member of the archive."""
    paragraphs: Range | None = None
    """First and last paragraph of the body of a text document, empty ones counted."""
    table: int = 0
    """Which table of the file or part."""
    rows: Range | None = None
    """First and last row of that table, or of the sheet."""
    columns: tuple[str, str] | None = None
    """First and last column of a sheet, by letter."""
    field: str = ""
    """Header of a message (`Subject`), or JSON pointer of a value (`/items/3`)."""

    @property
    def part(self) -> tuple[str, str]:
        """What no passage may cross."""
        return (self.unit, self.name)

    @property
    def cells(self) -> str:
        """A1 notation: `B3:F9`; empty outside of sheets."""
        if not self.rows or not self.columns:
            return ""
        first, last = f"{self.columns[0]}{self.rows[0]}", f"{self.columns[1]}{self.rows[1]}"
        return first if first == last else f"{first}:{last}"


@dataclass(frozen=True, slots=True)
class TableHeader:
    """The header of a table, repeated beside every passage of its rows: a slice of the same text."""

    start: int
    end: int
    text: str


def spanned(first: Place, last: Place) -> Place:
    """One place for what reaches from the first to the last; both lie in the same part."""
    same_table = first.table == last.table
    ends = (first.field.partition(_TO)[0], last.field.rpartition(_TO)[2])
    fields = dict.fromkeys(field for field in ends if field)
    return replace(
        first,
        paragraphs=_range(first.paragraphs, last.paragraphs),
        table=first.table if same_table else 0,
        rows=_range(first.rows, last.rows) if same_table else None,
        columns=_columns(first.columns, last.columns),
        field=_TO.join(fields),
    )


def _range(first: Range | None, last: Range | None) -> Range | None:
    if first is None or last is None:
        return first or last
    return (min(first[0], last[0]), max(first[1], last[1]))


def _columns(first: tuple[str, str] | None, last: tuple[str, str] | None) -> tuple[str, str] | None:
    if first is None or last is None:
        return first or last
    order = sorted({*first, *last}, key=lambda column: (len(column), column))
    return (order[0], order[-1])


def column_letters(number: int) -> str:
    """1 → A, 26 → Z, 27 → AA."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
