"""Columns that PDFium ran together, set apart again: where a file sets the lines of two columns one after the
other, PDFium takes each pair for one line, or a whole page for a few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pincite.adapters.readers.ocr_order import column_order, reading_order
from pincite.adapters.readers.pdf_lines import Edges, Line, PageText

_LONG = 80
"""Letters to a line from which it may be two."""
_TANGLED = 240
_SAMPLE = 6
_GAP = 0.85
"""Width of the gap between two columns, in type sizes."""
_BACK = 10
"""Type sizes from the end of one word back to the next, from which they stand in two columns. Words that run from
right to left go back too, but by their own width."""
_GRID = 5.0
"""Points: column starts that differ by less are one."""
_MOST_GUTTERS = 2
_LEAST = 4
"""Lines of a page that have their gap at one place."""


def apart(page: PageText, lines: list[Line]) -> list[Line]:
    """The lines of a page, joined ones cut and put in reading order; the same list where there is none."""
    tangled = {id(line) for line in lines if len(line.text) > _TANGLED and line.bottom - line.top > 2.2 * line.size}
    gutters = _gutters(page, lines, tangled)
    if not tangled and not gutters:
        return lines
    cuts = [list(_cut(page, line, gutters, tangled)) for line in lines]
    cut = [piece for pieces in cuts for piece in pieces]
    if len(cut) < len(lines) + _LEAST:
        return lines
    order = column_order(_boxes(cut))
    if order is not None:
        return [cut[index] for index in order]
    # A table over both columns hides them: what stands before and after the joined lines keeps its order.
    places = [place for place, pieces in enumerate(cuts) if len(pieces) > 1]
    first, last = places[0], places[-1] + 1
    joined = [piece for pieces in cuts[first:last] for piece in pieces]
    return [*lines[:first], *(joined[index] for index in reading_order(_boxes(joined))), *lines[last:]]


def _boxes(lines: Sequence[Line]) -> list[Edges]:
    return [(line.left, line.top, line.right, line.bottom) for line in lines]


def _gutters(page: PageText, lines: Sequence[Line], tangled: set[int]) -> list[float]:
    """Where the right columns of a page begin: after a wide gap, at the same place in several of its long lines."""
    long = [line for line in lines if len(line.text) > _LONG and id(line) not in tangled]
    if len(long) < _LEAST:
        return []
    places: Counter[int] = Counter()
    some = long[:: max(1, len(long) // _SAMPLE)][:_SAMPLE]
    for count, line in enumerate(some):
        places.update({round(start / _GRID) for start in _gaps(page, line)})
        if len(places) == 0 and count == 1:
            return []
    found = [
        place * _GRID
        for place, count in places.items()
        if 2 * (count + places.get(place + 1, 0)) >= len(some) and count >= places.get(place + 1, 0)
    ]
    # More of them are the columns of a table, which is read row by row.
    return found if len(found) <= _MOST_GUTTERS else []


def _gaps(page: PageText, line: Line) -> Iterator[float]:
    first, last = line.span
    margin = (last - first) // 5
    start = page.edges(first)[0]
    for begun, end in page.spaces(first + margin, last - margin):
        left, right = page.edges(begun - 1)[2], page.edges(end)[0]
        if right - left > _GAP * line.size:
            yield right
        elif right < start - _BACK * line.size:
            # The file set the right column first.
            yield start


def _cut(page: PageText, line: Line, gutters: Sequence[float], tangled: set[int]) -> Iterator[Line]:
    """A line at its gaps over a gutter; a tangled one wherever the next word does not stand beside the last."""
    whole = id(line) in tangled
    if not whole and not any(line.left < gutter < line.right for gutter in gutters):
        yield line
        return
    first, last = line.span
    begun = first
    start = before = page.edges(first)
    top, bottom = start[1], start[3]
    for space, word in page.spaces(first, last):
        left, right = page.edges(space - 1), page.edges(word)
        size = max(line.size, 1.0) if not whole else max(left[3] - left[1], 1.0)
        gap = right[0] - left[2]
        jump = whole and (gap < -2 * size or abs(right[3] - left[3]) > 0.5 * size or gap > _GAP * size)
        if jump or any(_parts(left, right, gutter, size) for gutter in gutters):
            yield _piece(page, line, begun, space, (start[0], top, left[2], bottom))
            begun, start, top, bottom = word, right, right[1], right[3]
        before = right
        top, bottom = min(top, before[1]), max(bottom, before[3])
    end = page.edges(last - 1)
    yield _piece(page, line, begun, last, (start[0], min(top, end[1]), end[2], max(bottom, end[3])))


def _parts(before: Edges, after: Edges, gutter: float, size: float) -> bool:
    """Whether two words stand on either side of a gutter: the second column begins with the one, or the line goes
    back from it to the first column."""
    gap = after[0] - before[2]
    return (gap > 0.5 * size and abs(after[0] - gutter) <= _GRID) or (
        gap < -_BACK * size and after[2] < gutter <= before[2]
    )


def _piece(page: PageText, line: Line, begun: int, end: int, edges: tuple[float, float, float, float]) -> Line:
    left, top, right, bottom = edges
    size = page.edges(begun)
    return Line(
        page.words(begun, end),
        left,
        top,
        max(right, left),
        bottom,
        size[3] - size[1],
        line.bold,
        line.page,
        (begun, end),
        hyphen=line.hyphen and end == line.span[1],
    )
