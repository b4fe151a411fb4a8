"""Tables and joined columns on a PDF page, from where words stand: rows of cells that line up, with or without
rulings. Where nothing lines up the lines stay as PDFium gives them, so no guess can lose a word."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import eq
from statistics import median

from pincite.adapters.readers.pdf_lines import Line, PageText
from pincite.adapters.readers.pdf_rows import BETWEEN, LEAST_ROWS, PROSE, is_plain, rows_of, runs_of, sparse_lines
from pincite.adapters.readers.tables import row_text

GAP = 1.0
"""Width of the gap between two cells, in type sizes; a space in justified text is narrower."""
_NARROW, _IN_TABLE = 0.5, 0.6
"""Between the cells of a header, and of rows that have been found to line up."""
_GOING_ON = 0.3
"""Share of the cells that begin with a small letter from which they are lines of text."""
_CROSSING = 0.15
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}")


@dataclass(slots=True)
class _Piece:
    """A stretch of a line without a wide gap."""

    text: str
    left: float
    right: float
    line: Line


Row = list[_Piece]


def with_tables(page: PageText, lines: list[Line], tables: int) -> tuple[list[Line], int]:
    """The lines of a page, those of tables made into rows with cells, and how many tables there are by now."""
    sparse = sparse_lines(lines)
    heights = [int(line.top + line.bottom) for line in lines]
    # Cells of one row follow each other in the file; lines of two columns that stand level do not.
    beside = sum(map(eq, heights, heights[1:]))
    if len(sparse) + beside < LEAST_ROWS:
        return lines, tables
    rows = rows_of(lines)
    for lined_up in runs_of(rows, sparse):
        if is_plain(lined_up, sparse):
            continue
        run = [[piece for line in row for piece in _pieces(page, line, sparse)] for row in lined_up]
        columns = _columns(run)
        if not columns or not _runs_by_rows(run):
            continue
        cells = [_cells(row, columns) for row in run]
        if _is_prose(cells):
            lines = _replaced(lines, run, _split(run, columns))
        elif not _is_list(cells):
            tables += 1
            run, columns = _finer(page, lined_up, run, columns)
            run = _closed_up([*_header(page, rows, lined_up[0], run, columns), *run], columns)
            lines = _replaced(lines, run, _table_lines(run, columns, tables))
    return lines, tables


def _finer(
    page: PageText, lined_up: Sequence[list[Line]], run: list[Row], columns: list[float]
) -> tuple[list[Row], list[float]]:
    """The rows of a table cut at narrower gaps too, where that gives more columns."""
    every = {id(line) for row in lined_up for line in row}
    finer = [[piece for line in row for piece in _pieces(page, line, every, _IN_TABLE)] for row in lined_up]
    parted = _columns(finer)
    return (finer, parted) if len(parted) >= len(columns) else (run, columns)


def _header(
    page: PageText, rows: Sequence[list[Line]], first: list[Line], run: Sequence[Row], columns: Sequence[float]
) -> list[Row]:
    """The row right above a table, where its words stand over the columns: headings fill their columns, so the
    gaps between them are too narrow to tell by themselves."""
    place = next(index for index, row in enumerate(rows) if row is first)
    above = rows[place - 1] if place else []
    if not above or first[0].top - above[0].bottom > 1.5 * max(above[0].size, 1.0):
        return []
    row = [piece for line in above for piece in _pieces(page, line, {id(line)}, gap=_NARROW)]
    starts = [float("inf")] * (len(columns) + 2)
    for piece in (piece for body in run for piece in body):
        place = _column(piece, columns)
        starts[place] = min(starts[place], piece.left)
    places = [_column(piece, columns) for piece in row]
    fits = all(piece.right < starts[place + 1] for piece, place in zip(row, places, strict=True))
    return [row] if len(row) > 1 and fits and len(set(places)) == len(row) else []


def _pieces(page: PageText, line: Line, sparse: set[int], gap: float = GAP) -> Iterator[_Piece]:
    """A line cut at its wide gaps."""
    if id(line) not in sparse:
        yield _Piece(line.text, line.left, line.right, line)
        return
    first, last = line.span
    begun, left = first, line.left
    # PDFium writes a space into every gap, so only the edges of words are looked at.
    for place in page.spaces(first, last):
        right, following = page.edges(place[0] - 1)[2], page.edges(place[1])[0]
        if following - right > gap * line.size:
            yield _Piece(page.words(begun, place[0]), left, right, line)
            begun, left = place[1], following
    yield _Piece(page.words(begun, last), left, max(line.right, left), line)


def _columns(run: Sequence[Row]) -> list[float]:
    """Where the columns part: the middles of the strips that next to no piece reaches into."""
    rows = [row for row in run if len(row) > 1]
    if len(rows) < LEAST_ROWS:
        return []
    size = median(piece.line.size for row in rows for piece in row)
    edges = sorted(
        [(piece.left, 1) for row in rows for piece in row] + [(piece.right, -1) for row in rows for piece in row]
    )
    most = int(_CROSSING * len(rows))
    parted: list[float] = []
    covered, opened = 0, None
    for place, change in edges:
        before, covered = covered, covered + change
        if before > most >= covered:
            opened = place
        elif before <= most < covered and opened is not None:
            if place - opened > 0.5 * size:
                parted.append((place + opened) / 2)
            opened = None
    return parted


def _cells(row: Row, columns: Sequence[float]) -> list[str]:
    cells = [""] * (len(columns) + 1)
    for piece in row:
        place = _column(piece, columns)
        cells[place] = f"{cells[place]} {piece.text}".strip()
    return cells


def _column(piece: _Piece, columns: Sequence[float]) -> int:
    """A piece over several columns belongs to the first of them."""
    return bisect_left(columns, piece.left + min(piece.right - piece.left, 4 * max(piece.line.size, 1.0)) / 2)


def _is_prose(cells: Sequence[Sequence[str]]) -> bool:
    """Columns of running text: long lines side by side, or lines that go on from one to the next."""
    filled = [cell for row in cells for cell in row if cell]
    length = median(len(cell) for cell in filled)
    if len(cells[0]) > 4:
        return False
    small = sum(cell[0].islower() for cell in filled)
    return length > PROSE or (length > PROSE / 2 and small > _GOING_ON * len(filled))


def _split(run: Sequence[Row], columns: Sequence[float]) -> list[Line]:
    """The pieces as lines of their own, column by column."""
    pieces = [piece for row in run for piece in row]
    pieces.sort(key=lambda piece: (_column(piece, columns), piece.line.top))
    return [_line(piece.text, [piece]) for piece in pieces]


def _is_list(cells: Sequence[Sequence[str]]) -> bool:
    """Bullets or numbers before text, or a list of contents: no table to look values up in."""
    if sum(bool(_LEADERS.search(" ".join(row))) for row in cells) > 0.3 * len(cells):
        return True
    first = [row[0] for row in cells if row[0]]
    rest = [" ".join(row[1:]).strip() for row in cells]
    lengths = [len(text) for text in rest if text]
    short = sum(len(text) <= 8 for text in first) > 0.8 * len(first)
    return len(cells[0]) == 2 and short and bool(lengths) and median(lengths) > PROSE


def _runs_by_rows(run: Sequence[Row]) -> bool:
    """Whether the file sets the pieces row after row. Columns of text that only stand side by side, as in an
    index or on a title page, come one after the other."""
    pairs = [(first.line.span, second.line.span) for row in run for first, second in pairwise(row)]
    follows = sum(first == second or 0 <= second[0] - first[1] <= BETWEEN for first, second in pairs)
    return follows > 0.6 * len(pairs)


def _closed_up(run: Sequence[Row], columns: Sequence[float]) -> list[Row]:
    """Rows so close that they are one: a name in two lines with its values level with the middle of them."""
    closed: list[Row] = []
    for row in run:
        above = closed[-1] if closed else []
        last = above[-1].line if above else None
        middle = row[0].line.top + row[0].line.bottom
        near = last is not None and abs(middle - last.top - last.bottom) < 1.5 * max(row[0].line.size, 1.0)
        taken = {_column(piece, columns) for piece in above}
        if near and not (taken - {0}) & {_column(piece, columns) for piece in row}:
            closed[-1] = [*above, *row]
        else:
            closed.append(list(row))
    return closed


def _table_lines(run: Sequence[Row], columns: Sequence[float], number: int) -> list[Line]:
    """Rows as lines with cells. A row that only goes on with cells of the row above is joined to it."""
    made: list[Line] = []
    cells = [_cells(row, columns) for row in run]
    for row, texts, below in zip(run, cells, [*run[1:], None], strict=True):
        if made and _goes_on(made[-1], row, texts, below):
            above = made[-1]
            above.cells = tuple(f"{over} {under}".strip() for over, under in zip(above.cells, texts, strict=True))
            above.text = row_text(above.cells)
            above.bottom = max(above.bottom, *(piece.line.bottom for piece in row))
            continue
        line = _line(row_text(texts), row)
        line.cells, line.table = tuple(texts), number
        made.append(line)
    return made


def _goes_on(above: Line, row: Row, texts: Sequence[str], below: Row | None) -> bool:
    """Whether a row without a first cell only goes on with the one above: it stands nearer to it than to the next."""
    filled = [place for place, text in enumerate(texts) if text]
    gap, size = row[0].line.top - above.bottom, max(row[0].line.size, 1.0)
    after = below[0].line.top - row[0].line.bottom if below else size
    close = gap < 0.6 * size and gap < after - 0.1 * size
    return close and 0 not in filled and len(filled) * 2 < len(texts) and all(above.cells[place] for place in filled)


def _line(text: str, row: Sequence[_Piece]) -> Line:
    first = row[0].line
    return Line(
        text=text,
        left=min(piece.left for piece in row),
        top=min(piece.line.top for piece in row),
        right=max(piece.right for piece in row),
        bottom=max(piece.line.bottom for piece in row),
        size=first.size,
        bold=all(piece.line.bold for piece in row),
        page=first.page,
        hyphen=row[-1].line.hyphen and row[-1].text.endswith(row[-1].line.text[-3:]),
    )


def _replaced(lines: Sequence[Line], run: Sequence[Row], made: Sequence[Line]) -> list[Line]:
    """The new lines where the first of the old ones stood."""
    gone = {id(piece.line) for row in run for piece in row}
    result: list[Line] = []
    for old, some in groupby(lines, key=lambda line: id(line) in gone):
        if not old:
            result += some
        elif made:
            result += made
            made = ()
    return result
