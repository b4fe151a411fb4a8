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
_NOTHING = frozenset("-–—")
"""How accountants write zero."""
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
    if width < 2 and not all(is_number(cell) for row in rows[1:] for cell in row if cell.strip()):
        return 0
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
    if text in _NOTHING:
        return True
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
    """Parted where a row is empty. One empty row under a header, or over a row of sums, is only for the eye:
    what follows it has no header of its own."""
    filled = [any(cell.strip() for cell in rows[row][area.left : area.right]) for row in range(area.top, area.bottom)]
    pending: Area | None = None
    for first, last in _runs(filled):
        piece = Area(area.top + first, area.top + last, area.left, area.right)
        if pending and piece.top - pending.bottom == 1 and _goes_on(rows, pending, piece):
            piece = Area(pending.top, piece.bottom, area.left, area.right)
        elif pending:
            yield pending
        pending = piece
    if pending:
        yield pending


def _goes_on(rows: Grid, upper: Area, lower: Area) -> bool:
    """Whether rows belong to the table above the empty row: they open with values, and it has columns."""
    first = [cell for cell in rows[lower.top][lower.left : lower.right] if cell.strip()]
    columns = max(sum(bool(c.strip()) for c in row[upper.left : upper.right]) for row in rows[upper.top : upper.bottom])
    return columns > 1 and any(is_number(cell) for cell in first[1:])


def _column_pieces(rows: Grid, area: Area) -> Iterator[Area]:
    """Parted where a column is empty. A narrow gap before numbers alone is only for the eye: the words that
    say what they count stand on its left."""
    filled = [False] * (area.right - area.left)
    for row in rows[area.top : area.bottom]:
        for place, cell in enumerate(row[area.left : area.right]):
            filled[place] = filled[place] or bool(cell.strip())
    pending: Area | None = None
    for first, last in _runs(filled):
        piece = Area(area.top, area.bottom, area.left + first, area.left + last)
        if pending and _beside(rows, pending, piece) and not _has_labels(rows, piece):
            piece = Area(area.top, area.bottom, pending.left, piece.right)
        elif pending:
            yield pending
        pending = piece
    if pending:
        yield pending


def _beside(rows: Grid, left: Area, right: Area) -> bool:
    """Whether two areas are as high as each other: the wider the gap, the more exactly."""
    first, second, gap = _height(rows, left), _height(rows, right), right.left - left.right
    if gap == 1:
        return abs(first[0] - second[0]) <= 2 and abs(first[1] - second[1]) <= 1
    return gap <= 3 and first == second


def _height(rows: Grid, area: Area) -> tuple[int, int]:
    """First and last row of an area with anything in it."""
    filled = [
        row for row in range(area.top, area.bottom) if any(cell.strip() for cell in rows[row][area.left : area.right])
    ]
    return filled[0], filled[-1]


def _has_labels(rows: Grid, area: Area) -> bool:
    """Whether the first column of an area says in words what its rows are."""
    below = [row[area.left].strip() for row in rows[area.top + 1 : area.bottom] if len(row) > area.left]
    words = sum(not is_number(cell) for cell in below if cell)
    return words * 2 > sum(bool(cell) for cell in below) or not any(below)


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
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows = rows[:-1]
    skipped = next((index for index, row in enumerate(rows) if any(cell.strip() for cell in row)), 0)
    rows, first_row = rows[skipped:], first_row + skipped
    first_line = first_line + skipped if first_line else 0
    heads = header_rows(rows) if heads is None else max(0, heads - skipped)
    header: tuple[int, int] | None = None
    width = max((len(row) for row in rows), default=0)
    columns = (column_letters(first_column), column_letters(first_column + width - 1)) if first_column else None
    for first in range(0, len(rows), ROWS_IN_BLOCK):
        some = rows[first : first + ROWS_IN_BLOCK]
        span = (first_row + first, first_row + first + len(some) - 1)
        header = builder.add_rows(
            [row_text(row) for row in some],
            header=header,
            heads=heads if header is None else 0,
            page=page,
            anchor=anchor,
            place=Place(unit, name, table=table, rows=span, columns=columns),
            lines=(first_line + first, first_line + first + len(some) - 1) if first_line else None,
        )
