"""Lines to blocks: paragraphs joined, hyphenation undone, rows of tables under their header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pincite.adapters.readers.builder import Builder
from pincite.adapters.readers.pdf_layout import paragraphs
from pincite.adapters.readers.pdf_lines import Line
from pincite.adapters.readers.pdf_vertical import turned_paragraphs
from pincite.adapters.readers.tables import header_rows
from pincite.core.documents import BlockKind, Box
from pincite.core.places import Place

_LIST = re.compile(r"(?:[•●▪■◦‣·–—-]\s|\(?[0-9]{1,3}[.)]\s|\(?[a-z]{1}[.)]\s|\([ivxlc]{1,5}\)\s)")
_MARKS = ("", ",", ".", ";", ":", ")", "?", "!")
_WORD = re.compile(r"\w+")


class Paragraphs:
    """Hands the lines of page after page to the builder. `pages` is the whole document, whose own words tell a
    hyphenation from a compound."""

    def __init__(self, builder: Builder, pages: Sequence[Sequence[Line]]) -> None:
        self._builder = builder
        self._pages = pages
        self._words: frozenset[str] | None = None
        self._header: tuple[int, int] | None = None
        self._header_cells: tuple[str, ...] = ()
        self._rows = 0
        self._table = 0

    def add(self, lines: Sequence[Line], vertical: bool = False) -> None:
        """The lines of one page. A table at its top may go on with the last one of the page before."""
        may_go_on = True
        for group in turned_paragraphs(lines) if vertical else paragraphs(lines):
            if group[0].table:
                self._add_rows(group, may_go_on)
                may_go_on = True
                continue
            may_go_on = may_go_on and group[0].furniture
            self._add(group)

    def add_field(self, name: str, text: str, page: int) -> None:
        self._builder.add(BlockKind.PARAGRAPH, text, page=page, place=Place(field=" ".join(name.split())))

    def _add(self, group: Sequence[Line]) -> None:
        text, lead = self._joined(group)
        first = group[0]
        if first.furniture:
            kind = BlockKind.FURNITURE
        elif first.level:
            kind, text, lead = BlockKind.HEADING, " ".join(text.split()), 0
        else:
            kind = BlockKind.LIST_ITEM if _LIST.match(text) else BlockKind.PARAGRAPH
        self._builder.add(kind, text, level=first.level, lead=lead, page=first.page, boxes=_boxes(group))

    def _add_rows(self, group: Sequence[Line], may_go_on: bool) -> None:
        """Rows of a table. One that goes on over the page keeps the header that it began under."""
        cells = [line.cells for line in group]
        heads = header_rows(cells)
        goes_on = may_go_on and bool(self._header_cells) and len(cells[0]) == len(self._header_cells)
        if goes_on and (not heads or cells[0] == self._header_cells):
            header = self._header
        else:
            header, self._rows, self._table = None, 0, self._table + 1
            self._header_cells = cells[0] if heads else ()
        place = Place(table=self._table, rows=(self._rows + 1, self._rows + len(group)))
        boxes = [line.box for line in group]
        texts = [line.text for line in group]
        self._header = self._builder.add_rows(
            texts, header=header, heads=heads, page=group[0].page, boxes=boxes, place=place
        )
        self._rows += len(group)

    def _joined(self, group: Sequence[Line]) -> tuple[str, int]:
        """The lines of a group as text, hyphenation undone, and the length of its bold beginning."""
        parts: list[str] = []
        length, lead, leading = 0, 0, True
        last = len(group) - 1
        for place, line in enumerate(group):
            parts.append(line.text)
            if leading:
                emphasised = line.bold or line.italic
                lead = length + len(line.text) if emphasised else (length + line.lead if line.lead else lead)
                leading = emphasised
            if not line.hyphen:
                end = "\n"
            elif place == last or self._keeps_hyphen(line.text, group[place + 1].text):
                end = "-"
            else:
                end = ""
            parts.append(end)
            length += len(line.text) + len(end)
        return "".join(parts).rstrip("\n"), 0 if leading else lead

    def _keeps_hyphen(self, before: str, after: str) -> bool:
        """Whether a line-end hyphen belongs to the word: only the hyphenated form stands elsewhere in the
        document, or what follows is no small letter."""
        left = re.search(r"\w+$", before)
        right = _WORD.match(after)
        if not left or not right or not right[0][0].islower():
            return True
        return not self._stands(left[0] + right[0]) and self._stands(f"{left[0]}-{right[0]}")

    def _stands(self, word: str) -> bool:
        """Whether the document has a word elsewhere, with or without a mark after it."""
        if self._words is None:
            text = "\n".join([line.text for page in self._pages for line in page])
            self._words = frozenset(text.lower().split())
        return any(word.lower() + mark in self._words for mark in _MARKS)


def _boxes(lines: Iterable[Line]) -> list[Box]:
    """One box a column of lines: neighbours that overlap from left to right become one."""
    boxes: list[Box] = []
    left = top = right = bottom = 0.0
    page = 0
    for line in lines:
        if page and line.left < right and left < line.right and line.top >= top - 1:
            left = line.left if line.left < left else left
            top = line.top if line.top < top else top
            right = line.right if line.right > right else right
            bottom = line.bottom if line.bottom > bottom else bottom
            continue
        if page:
            boxes.append(_box(page, left, top, right, bottom))
        page, left, top, right, bottom = line.page, line.left, line.top, line.right, line.bottom
    return [*boxes, _box(page, left, top, right, bottom)] if page else boxes


def _box(page: int, left: float, top: float, right: float, bottom: float) -> Box:
    return Box(page, round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
