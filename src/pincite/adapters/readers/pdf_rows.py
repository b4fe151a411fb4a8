"""Lines of a page in rows, and the stretches of rows that may be a table: told by gaps and by what stands level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from pincite.adapters.readers.pdf_lines import Line

LEAST_ROWS = 3
PROSE = 36
"""Median letters to a cell from which columns are columns of text."""
BETWEEN = 6
"""Characters that PDFium puts between two lines, and the white space around."""
_SPARSE = 1.3
"""How much wider than usual a line is for its letters when it has a gap inside."""
_USUAL_WIDTH = 0.48
"""Of a letter, in type sizes, where a page has too few lines to tell."""
_WIDEST = 0.53


def rows_of(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that stand beside each other, from the top; in a row from the left."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.top + line.bottom):
        last = rows[-1][-1] if rows else None
        if last and abs(last.top + last.bottom - line.top - line.bottom) < 0.8 * min(
            last.bottom - last.top, line.bottom - line.top
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda line: line.left)
    return rows


def sparse_lines(lines: Sequence[Line]) -> set[int]:
    """The lines that are far wider than their letters need: those with a gap inside."""
    some = lines[:: 1 + len(lines) // 30]
    long = [(line.right - line.left) / (len(line.text) * line.size or 1.0) for line in some if len(line.text) > 20]
    # On a page that is all table every line is wide for its letters; CJK letters are as wide as they are high.
    usual = median(long) if len(long) > 8 else _USUAL_WIDTH
    if any(line.text.isascii() for line in some):
        usual = min(usual, _WIDEST)
    most = _SPARSE * usual
    return {
        id(line)
        for line in lines
        if line.right - line.left > (most * len(line.text) + 1.0) * line.size and " " in line.text
    }


def runs_of(rows: Sequence[list[Line]], sparse: set[int]) -> Iterator[list[list[Line]]]:
    """Stretches of rows most of which have several pieces. A row of one piece inside is a cell that goes on in
    the next line, or a heading over some rows."""
    run: list[list[Line]] = []
    alone_before = True
    for row in rows:
        alone = len(row) == 1 and id(row[0]) not in sparse
        if alone and alone_before:
            if run:
                yield from _worthy(run, sparse)
                run = []
            continue
        if run and row[0].top - run[-1][0].bottom > 3 * max(row[0].size, 1.0):
            yield from _worthy(run, sparse)
            run = []
        if run or not alone:
            run.append(row)
        alone_before = alone
    yield from _worthy(run, sparse)


def _worthy(run: list[list[Line]], sparse: set[int]) -> Iterator[list[list[Line]]]:
    """The run without what only stands below it, if it has rows enough."""
    while run and len(run[-1]) == 1 and id(run[-1][0]) not in sparse and not (len(run) > 1 and _below(*run[-2:])):
        run = run[:-1]
    if sum(len(row) > 1 or id(row[0]) in sparse for row in run) >= LEAST_ROWS:
        yield run


def _below(row: Sequence[Line], lower: Sequence[Line]) -> bool:
    """Whether the one line of a row goes on right under a piece of the row above that is not its first."""
    step = lower[0].top - row[0].top
    return step < 1.6 * max(row[0].size, 1.0) and any(abs(line.left - lower[0].left) < 2 for line in row[1:])


def is_plain(run: Sequence[Sequence[Line]], sparse: set[int]) -> bool:
    """Columns of running text that PDFium kept apart: nothing to do. Their lines are long, or those that stand
    level are set far from each other in the file."""
    gaps = sum(id(line) in sparse for row in run for line in row)
    pairs = [second.span[0] - first.span[1] for row in run for first, second in pairwise(row)]
    far = sum(not 0 <= step <= BETWEEN for step in pairs)
    if far > 2 * (len(pairs) - far + 2 * gaps):
        return True
    if gaps:
        return False
    return max(len(row) for row in run) <= 3 and median(len(line.text) for row in run for line in row) > PROSE
