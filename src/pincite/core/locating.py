"""A span of the text to every coordinate that its format has, read off the pages and blocks that it touches."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from pincite.core.documents import Block, BlockKind, Box, Locator, Page, Reading
from pincite.core.places import Place, TableHeader, spanned

T = TypeVar("T", Block, Page)
LONGEST_HEADER = 300
"""Characters of a table's header that are repeated beside each passage of its rows."""


def locate(reading: Reading, start: int, end: int, headings: tuple[str, ...]) -> Locator:
    """Every coordinate of `reading.text[start:end]`."""
    pages = _touched(reading.pages, start, end)
    blocks = [b for b in _touched(reading.blocks, start, end) if b.kind is not BlockKind.FURNITURE]
    parts = [_cut(reading.text, block, start, end) for block in blocks]
    lines = [part.lines for part in parts if part.lines]
    recognised = [page.ocr for page in pages if page.ocr is not None]
    return Locator(
        start=start,
        end=end,
        first_page=pages[0].number if pages else None,
        last_page=pages[-1].number if pages else None,
        first_label=pages[0].label if pages else "",
        last_label=pages[-1].label if pages else "",
        headings=headings,
        lines=(lines[0][0], lines[-1][1]) if lines else None,
        boxes=tuple(box for part in parts for box in part.boxes),
        anchor=next((block.anchor for block in blocks if block.anchor), ""),
        place=_place(parts),
        header=_header(reading.text, blocks, start),
        ocr=min(recognised, default=None),
    )


def _touched(items: Sequence[T], start: int, end: int) -> Sequence[T]:
    """The pages or blocks that a span touches; they are in order and do not overlap each other."""
    first = bisect_right(items, start, key=lambda item: item.end)
    return items[first : bisect_left(items, end, first, key=lambda item: item.start)]


def _cut(text: str, block: Block, start: int, end: int) -> Block:
    """A block with the lines, rows and boxes of the span alone, where the block has one for each line of its
    text."""
    if start <= block.start and end >= block.end:
        return block
    count = text.count("\n", block.start, block.end) + 1
    first = text.count("\n", block.start, max(start, block.start))
    last = first + text.count("\n", max(start, block.start), min(end, block.end))
    lines, place = block.lines, block.place
    if lines and lines[1] - lines[0] + 1 == count:
        lines = (lines[0] + first, lines[0] + last)
    if place and place.rows and place.rows[1] - place.rows[0] + 1 == count:
        place = replace(place, rows=(place.rows[0] + first, place.rows[0] + last))
    boxes: tuple[Box, ...] = block.boxes
    if block.kind is BlockKind.TABLE and len(boxes) == count:
        boxes = boxes[first : last + 1]
    return replace(block, lines=lines, place=place, boxes=boxes)


def _place(parts: Sequence[Block]) -> Place | None:
    places = [part.place for part in parts if part.place]
    return reduce(spanned, places) if places else None


def _header(text: str, blocks: Sequence[Block], start: int) -> TableHeader | None:
    """The header of the table that a span begins in, when it begins below it."""
    if not blocks or blocks[0].kind is not BlockKind.TABLE or blocks[0].header is None:
        return None
    first, last = blocks[0].header
    if start < last:
        return None
    last = min(last, first + LONGEST_HEADER)
    return TableHeader(first, last, text[first:last])
