"""Headings that a tagged PDF names: the heading elements of its structure, and the lines that they hold.

Text of a page carries the numbers of its marked content, the elements of the structure list them. Tags are made by
programs and often wrong, so they are believed only where they look like headings as a whole, and after bookmarks.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, repeat

import pypdfium2.raw as pdfium

from pincite.adapters.readers.pdf_layout import mark_headings
from pincite.adapters.readers.pdf_lines import Line, PageText

_HEADING = re.compile(r"H[1-9]?|Title")
_SECTIONS = ("Sect", "Part", "Art", "Div")
_WITHOUT = frozenset(("P", "L", "Table", "TOC", "Figure", "Formula", "Form", "Caption", "Note", "Span", "Link"))
"""Elements that are not searched for headings: most of a page is in them."""
_DEEPEST = 12
_MOST_ELEMENTS = 20_000
"""Of one page, and in one element."""
_LONGEST = 300
"""Letters of one heading."""
_FEW = 4
_DENSE = 0.25
"""Tagged headings a page from which the tags name all that there are."""
_MOST_LINES = 4
"""In a row that can be one heading, or several with nothing under them."""
_MOST_TEXT = 0.2
"""Share of a document's letters in its headings; with more, the tags say something else."""


@dataclass(frozen=True, slots=True)
class TaggedHeading:
    """A heading element on one page."""

    level: int
    """As the tag counts: 0 for a title, 1 to 9, or the depth of sections around it."""
    lines: list[Line]


def tagged_headings(page: PageText, lines: list[Line]) -> tuple[list[Line], list[TaggedHeading]]:
    """The lines of a page and the headings that its structure names. A line that begins as a heading and goes on as
    text is two."""
    elements = list(_elements(page.page))
    place_of = {mark: place for place, (_, marks) in enumerate(elements) for mark in marks}
    if not place_of:
        return lines, []
    held: dict[int, list[Line]] = defaultdict(list)
    parted: list[Line] = []
    for line in lines:
        first, end = line.span
        place = place_of.get(page.mark(first)) if end else None
        pieces = [line] if place is None else _parted(page, line, place_of)
        if place is not None:
            held[place].append(pieces[0])
        parted += pieces
    return parted, [TaggedHeading(elements[place][0], some) for place, some in sorted(held.items())]


def _parted(page: PageText, line: Line, headings: Container[int]) -> list[Line]:
    """A line that begins with a heading, cut where the heading ends."""
    first, end = line.span
    if page.mark(end - 1) in headings:
        return [line]
    for space, following in page.spaces(first, end):
        if page.mark(following) not in headings:
            heading = replace(line, text=page.words(first, space), right=page.edges(space - 1)[2], span=(first, space))
            heading.hyphen, heading.lead = False, 0
            left = page.edges(following)[0]
            text = replace(line, text=page.words(following, end), left=left, span=(following, end), lead=0)
            return [heading, text] if heading.text and text.text else [line]
    return [line]


def mark_told(pages: Sequence[Sequence[Line]], headings: Sequence[TaggedHeading], depth: int) -> None:
    """Mark the headings that tags name, then those that look like one. `depth` is that of the bookmarks, whose lines
    are marked already."""
    kept = _believed(headings, pages)
    level_of = _levels(kept)
    for heading in kept:
        for line in heading.lines:
            line.level = line.level or level_of[heading.level]
    depth = max([depth, *level_of.values()])
    told = {id(line) for page in pages for line in page if line.level}
    mark_headings(pages, depth)
    for page in pages:
        _unmark_runs(page, told)
    if len(kept) < max(_FEW, len(pages) * _DENSE):
        return
    # Where the tags name the headings throughout, what only looks like one is below them.
    for line in (line for page in pages for line in page):
        if 0 < line.level <= depth and id(line) not in told:
            line.level = depth + 1


def _unmark_runs(page: Sequence[Line], told: Container[int]) -> None:
    """Take back what only looks like headings where it goes on for a paragraph: text that is marked as changed."""
    for (level, guessed), run in groupby(page, key=lambda line: (line.level, id(line) not in told)):
        lines = list(run)
        if level and guessed and len(lines) > _MOST_LINES:
            for line in lines:
                line.level = 0


def _believed(headings: Sequence[TaggedHeading], pages: Sequence[Sequence[Line]]) -> list[TaggedHeading]:
    """The headings, or none where they hold too much of the text to be headings."""
    kept = [heading for heading in headings if _is_one(heading)]
    letters = sum(len(line.text) for page in pages for line in page if not line.furniture) if kept else 0
    return kept if sum(len(line.text) for heading in kept for line in heading.lines) <= _MOST_TEXT * letters else []


def _is_one(heading: TaggedHeading) -> bool:
    letters = sum(character.isalpha() for line in heading.lines for character in line.text)
    return 1 < letters <= _LONGEST and not any(line.furniture for line in heading.lines)


def _levels(headings: Iterable[TaggedHeading]) -> Mapping[int, int]:
    """The depth of each level of tags: that of bookmarks which name the same lines, else below the level above."""
    named: dict[int, Counter[int]] = {}
    for heading in headings:
        counts = named.setdefault(heading.level, Counter())
        counts.update(line.level for line in heading.lines[:1] if line.level)
    depths: dict[int, int] = {}
    above = 0
    for level, counts in sorted(named.items()):
        above = counts.most_common(1)[0][0] if counts else above + 1
        depths[level] = above
    return depths


def _elements(page: object) -> Iterator[tuple[int, list[int]]]:
    """Level and marked content of the headings of a page, in the order of the structure."""
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return
    try:
        count = pdfium.FPDF_StructTree_CountChildren(tree)
        found = (pdfium.FPDF_StructTree_GetChildAtIndex(tree, index) for index in range(min(count, _MOST_ELEMENTS)))
        roots = [(element, 0) for element in found if element]
        yield from _headings(roots[::-1])
    finally:
        pdfium.FPDF_StructTree_Close(tree)


def _headings(waiting: list[tuple[object, int]]) -> Iterator[tuple[int, list[int]]]:
    """The headings among elements, the next one last, and below them. Each comes with the sections around it."""
    for _ in range(_MOST_ELEMENTS):
        if not waiting:
            return
        element, sections = waiting.pop()
        kind = _text(pdfium.FPDF_StructElement_GetType, element)
        if _HEADING.fullmatch(kind):
            level = 0 if kind == "Title" else int(kind[1:] or max(1, sections))
            yield level, list(_marks(element, 0))
        elif kind not in _WITHOUT and sections < _DEEPEST:
            sections += kind in _SECTIONS
            waiting += [(child, sections) for child in _children(element)[::-1]]


def _children(element: object) -> list[object]:
    """The elements in an element that have to do with the page; for the others PDFium gives none."""
    count = min(pdfium.FPDF_StructElement_CountChildren(element), _MOST_ELEMENTS)
    # A flat structure has thousands of children, and each page asks for all of them.
    return list(filter(None, map(pdfium.FPDF_StructElement_GetChildAtIndex, repeat(element), range(count))))


def _marks(element: object, depth: int) -> Iterator[int]:
    """Numbers of the marked content that an element and those in it hold."""
    for index in range(min(pdfium.FPDF_StructElement_CountChildren(element), _LONGEST)):
        mark = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)
        if mark >= 0:
            yield mark
    if depth < _DEEPEST:
        for child in _children(element)[:_LONGEST]:
            yield from _marks(child, depth + 1)


def _text(ask: Callable[..., int], element: object) -> str:
    buffer = ctypes.create_string_buffer(64)
    length = ask(element, buffer, len(buffer))
    return buffer.raw[: length - 2].decode("utf-16-le", "replace") if 2 < length <= len(buffer) else ""
