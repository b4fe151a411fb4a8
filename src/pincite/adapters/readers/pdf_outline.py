"""Bookmarks of a PDF to headings: the lines that they name, where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pypdfium2

from pincite.adapters.readers.pdf_lines import Line

_MOST = 5_000
_NOT_LETTERS = re.compile(r"[\W_]+")


def mark_outline(document: pypdfium2.PdfDocument, pages: Sequence[Sequence[Line]]) -> int:
    """Mark as headings the lines that bookmarks name, where they stand on the page that the bookmark targets
    or the next. Returns the greatest depth that was found."""
    depth = 0
    for entry, index, level in _bookmarks(document):
        wanted = _letters(entry)
        for page in pages[index : index + 2]:
            items = _matching(page, wanted)
            if items:
                depth = max(depth, level)
                for item in items:
                    item.level = level
                break
    return depth


def _bookmarks(document: pypdfium2.PdfDocument) -> Iterator[tuple[str, int, int]]:
    """Title, page index and level (from 1) of each bookmark that has a target."""
    for count, bookmark in enumerate(document.get_toc(max_depth=8)):
        if count >= _MOST:
            return
        target = bookmark.get_dest()
        index = target.get_index() if target is not None else None
        if index is not None and index >= 0:
            yield bookmark.get_title(), index, bookmark.level + 1


def _matching(lines: Sequence[Line], wanted: str) -> list[Line]:
    """Up to three lines in a row that together are the title of a bookmark."""
    if len(wanted) < 3:
        return []
    first = wanted[0]
    for place, line in enumerate(lines):
        # Most lines are told apart by their first letter, which is much cheaper than all of them.
        begins = line.text[0].lower()
        if (begins != first and begins.isalnum()) or line.furniture or line.level:
            continue
        joined = ""
        for end in range(place, min(place + 3, len(lines))):
            joined += _letters(lines[end].text)
            if joined == wanted:
                return list(lines[place : end + 1])
            if not joined or not wanted.startswith(joined):
                break
    return []


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text.lower())
