"""Cells to rows of text, and what part of a table is its header. Shared by every format that has tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.adapters.readers.builder import Builder
from pincite.core.documents import CELL_MARK
from pincite.core.places import Place, column_letters

Grid = Sequence[Sequence[str]]
ROWS_IN_BLOCK = 50
"""Rows to a block: what a locator has to count through."""
MOST_HEADER_ROWS = 3
_NUMBER = re.compile(r"[^\w]*[-+(]?[0-9][0-9.,\u00a0\u202f' /:-]*\)?[^\w]*(?:%|[A-Za-z]{1,3})?")


@dataclass(frozen=True)
class Area:
    """A rectangle of filled cells in a sheet: 0-based, half-open."""

    top: int
    bottom: int
    left: int
    right: int


def row_text(cells: Sequence[str]) -> str:
    """A row as one line: the cells with a mark between, empty ones kept so that columns can be counted."""
    return CELL_MARK.join(" ".join(cell.split()) for cell in cells).rstrip()


def header_rows(rows: Grid) -> int:
    """How many rows from the top are the header; 0 when none looks like one. A header is words, and what is
    below it is not only words, or it fills every column that is used."""
    if len(rows) < 2:
        return 0
    width = max(sum(bool(cell.strip()) for cell in row) for row in rows[:20])
    for count, row in enumerate(rows[: MOST_HEADER_ROWS + 1]):
        filled = [cell for cell in row if cell.strip()]
        if any(is_number(cell) for cell in filled[1:] or filled):
            return count if count and _holds_words(rows[:count]) else 0
        if count == MOST_HEADER_ROWS:
            break
        if len(filled) == width and not _numbers_follow_later(rows, count):
            return count + 1
    return 1 if sum(bool(cell.strip()) for cell in rows[0]) > 1 else 0


def _holds_words(rows: Grid) -> bool:
    return any(any(character.isalpha() for character in cell) for row in rows for cell in row)


def _numbers_follow_later(rows: Grid, count: int) -> bool:
    """Whether the next row too is words alone and only then numbers come: a header of two rows."""
    after = rows[count + 1 : MOST_HEADER_ROWS + 1]
    if not after or any(is_number(cell) for cell in after[0]):
        return False
    distinct = len({cell.strip() for cell in rows[count] if cell.strip()})
    return distinct < sum(bool(cell.strip()) for cell in rows[count]) and any(
        is_number(cell) for row in after[1:] for cell in row
    )


def is_number(cell: str) -> bool:
    """Whether a cell is a quantity rather than words. A year alone heads columns as often as it fills them."""
    text = cell.strip()
    return bool(_NUMBER.fullmatch(text)) and not re.fullmatch(r"(?:19|20)[0-9]{2}", text)


def areas_of(rows: Grid) -> Iterator[Area]:
    """The tables of a sheet: parted by rows, then by columns, that are wholly empty, until nothing parts."""
    width = max((len(row) for row in rows), default=0)
    yield from _parted(rows, Area(0, len(rows), 0, width), by_rows=True, fresh=True)


def _parted(rows: Grid, area: Area, *, by_rows: bool, fresh: bool) -> Iterator[Area]:
    pieces = list(_row_pieces(rows, area) if by_rows else _column_pieces(rows, area))
    if len(pieces) == 1 and not fresh:
        yield pieces[0]
        return
    for piece in pieces:
        yield from _parted(rows, piece, by_rows=not by_rows, fresh=len(pieces) > 1 or (fresh and by_rows))


def _row_pieces(rows: Grid, area: Area) -> Iterator[Area]:
    filled = [any(cell.strip() for cell in rows[row][area.left : area.right]) for row in range(area.top, area.bottom)]
    for first, last in _runs(filled):
        yield Area(area.top + first, area.top + last, area.left, area.right)


def _column_pieces(rows: Grid, area: Area) -> Iterator[Area]:
    filled = [False] * (area.right - area.left)
    for row in rows[area.top : area.bottom]:
        for place, cell in enumerate(row[area.left : area.right]):
            filled[place] = filled[place] or bool(cell.strip())
    for first, last in _runs(filled):
        yield Area(area.top, area.bottom, area.left + first, area.left + last)


def _runs(filled: Sequence[bool]) -> Iterator[tuple[int, int]]:
    begun: int | None = None
    for place, full in enumerate([*filled, False]):
        if full and begun is None:
            begun = place
        elif not full and begun is not None:
            yield (begun, place)
            begun = None


def add_table(
    builder: Builder,
    rows: Grid,
    *,
    first_row: int = 1,
    first_column: int = 0,
    unit: str = "",
    name: str = "",
    table: int = 0,
    heads: int | None = None,
    page: int | None = None,
    anchor: str = "",
    first_line: int = 0,
) -> None:
    """A whole table as blocks of some rows each, all under the header of its first rows. `heads` is how many
    those are, where the file tells; `first_column` the sheet column (from 1) of the first cell; `first_line`
    the line of the file that the first row is, where every row is a line."""
    heads = header_rows(rows) if heads is None else heads
    header: tuple[int, int] | None = None
    width = max((len(row) for row in rows), default=0)
    columns = (column_letters(first_column), column_letters(first_column + width - 1)) if first_column else None
    for first in range(0, len(rows), ROWS_IN_BLOCK):
        some = rows[first : first + ROWS_IN_BLOCK]
        place = Place(unit, name, table=table, rows=(first_row + first, first_row + first + len(some) - 1))
        place = Place(unit, name, None, table, place.rows, columns)
        lines = (first_line + first, first_line + first + len(some) - 1) if first_line else None
        header = builder.add_rows(
            [row_text(row) for row in some],
            header=header,
            heads=heads if header is None else 0,
            page=page,
            anchor=anchor,
            place=place,
            lines=lines,
        )
