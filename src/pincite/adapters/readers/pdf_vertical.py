"""Vertical writing: characters under each other as one line, lines from right to left.

PDFium knows lines that run across the page. A vertical line comes from it whole, or as a line for each character,
and lines that begin at one height come from left to right, as the words of one row would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from pincite.adapters.readers.ocr_order import reading_order
from pincite.adapters.readers.pdf_layout import paragraphs
from pincite.adapters.readers.pdf_lines import Line

_LEAST = 3
"""Vertical lines of a page that is set so."""
_EAST_ASIAN = "\u2e80"
"""The first of the characters that are set vertically."""


def top_down(lines: list[Line]) -> list[Line]:
    """The lines of a page in vertical writing, joined and put in reading order; any other page as it is."""
    upright = [line for line in lines if line.text[0] >= _EAST_ASIAN]
    if 2 * sum(_may_be_part(line) for line in upright) <= max(len(lines), 2 * _LEAST):
        return lines
    joined = list(_joined(lines))
    vertical = [line for line in joined if _is_vertical(line)]
    if len(vertical) < _LEAST or 2 * sum(len(line.text) for line in vertical) < sum(len(line.text) for line in joined):
        return lines
    across = [line for line in joined if line.right - line.left > 4 * max(line.size, line.bottom - line.top)]
    down = [line for line in joined if line not in across]
    turned = [(line.left, line.top, line.right, line.bottom) for line in map(_turned, down)]
    middle = sum(line.top + line.bottom for line in vertical) / (2 * len(vertical))
    above = [line for line in across if line.bottom < middle]
    return [*above, *(down[place] for place in reading_order(turned)), *(line for line in across if line not in above)]


def turned_paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Vertical lines in groups that are one heading, paragraph or piece of furniture."""
    left = iter(lines)
    return [[next(left) for _ in group] for group in paragraphs([_turned(line) for line in lines])]


def _turned(line: Line) -> Line:
    """With the page turned to its left side, the lines run across it, each below the one before."""
    return replace(line, left=line.top, top=-line.right, right=line.bottom, bottom=-line.left)


def _may_be_part(line: Line) -> bool:
    """A character or two, or a line that is higher than wide."""
    return len(line.text) <= 2 or _is_vertical(line)


def _is_vertical(line: Line) -> bool:
    return len(line.text) > 1 and line.bottom - line.top > 1.5 * max(line.right - line.left, line.size)


def _joined(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines with those right below them that go on with them."""
    places = [0]
    for before, after in pairwise(lines):
        places.append(places[-1] + (not _goes_on(before, after)))
    for _, group in groupby(zip(places, lines, strict=True), key=lambda item: item[0]):
        yield _one([line for _, line in group])


def _goes_on(before: Line, after: Line) -> bool:
    size = max(before.size, after.size, 1.0)
    stacked = abs(after.left - before.left) < 0.5 * size and -0.5 * size < after.top - before.bottom < 0.5 * size
    return stacked and all(_may_be_part(line) or len(line.text) <= 4 for line in (before, after))


def _one(group: Sequence[Line]) -> Line:
    first, last = group[0], group[-1]
    return replace(
        first,
        text="".join(line.text for line in group),
        right=max(line.right for line in group),
        bottom=max(line.bottom for line in group),
        bold=all(line.bold for line in group),
        span=(first.span[0], last.span[1]),
    )
