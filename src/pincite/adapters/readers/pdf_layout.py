"""Lines to furniture, headings and paragraphs. Nothing is dropped: a wrong guess costs a path, never a word."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pincite.adapters.readers.pdf_lines import Line

MARGIN = 0.12
"""Share of the page height at top and bottom where running heads stand."""
LONGEST_HEADING = 160
MOST_HEADING_WORDS = 22
_DIGITS = re.compile(r"[0-9]+|\b[ivxlc]+\b", re.IGNORECASE)
_LONE_NUMBER = re.compile(r"[-–—\s]*(?:page\s+)?(?:[0-9]{1,4}|[ivxlc]{1,6})(?:\s+of\s+[0-9]+)?[-–—\s]*", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:§+\s*|(?:section|article|chapter|part|appendix|annex|title)\s+)?"
    r"(?:[A-Z]{0,2}[0-9]{1,5}(?:[.\-][0-9]{1,5})*\.?|[IVXLC]{1,6}\.|[A-Z]\.(?:[0-9]+\.?)*)\s+\S|第[^\s]{1,6}[章節条條节]",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}")
_STARTER = re.compile(
    r"(?:[•●▪■◦‣·*–—-]\s|\(?[0-9]{1,3}[.)]\s|\(?[a-zA-Z]{1}[.)]\s|\([ivxlc]{1,5}\)\s|§|[A-Z]?[0-9]+(?:\.[0-9]+)+\.?\s"
    r"|(?:section|article|note|exception|figure|table)\b[^a-z]*\s?[0-9A-Z]|第[0-9一二三四五六七八九十百]+[條条])",
    re.IGNORECASE,
)
_ENDS = tuple('.:;!?。！？；:”"’)')


@dataclass(slots=True)
class Placed:
    """A line of a page with what the layout made of it."""

    line: Line
    page: int
    furniture: bool = False
    level: int = 0
    """Of a heading; 0 for anything else."""


def mark_furniture(pages: Sequence[Sequence[Placed]], heights: Sequence[float]) -> None:
    """Mark lines near the top and bottom that repeat over pages, digits aside, and lone page numbers."""
    places: dict[tuple[str, int, bool], list[Placed]] = defaultdict(list)
    for page, height in zip(pages, heights, strict=True):
        for item in page:
            top, bottom = item.line.box.top, item.line.box.bottom
            if height and (bottom < height * MARGIN or top > height * (1 - MARGIN)):
                words = " ".join(_DIGITS.sub("#", item.line.text.lower()).split())
                places[(words, round(top / 6), top > height / 2)].append(item)
    floor = max(3, round(len(pages) * 0.05))
    for (words, row, low), items in places.items():
        near = [*items, *places.get((words, row - 1, low), ()), *places.get((words, row + 1, low), ())]
        repeated = len(pages) >= 4 and len({item.page for item in near}) >= floor
        for item in items:
            item.furniture = repeated or bool(_LONE_NUMBER.fullmatch(item.line.text.strip()))


def body_size(pages: Iterable[Sequence[Placed]]) -> float:
    """The type size that most characters are set in."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for item in page:
            sizes[round(item.line.size * 2) / 2] += len(item.line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def mark_headings(pages: Sequence[Sequence[Placed]], below: int) -> None:
    """Give a level to lines that look like headings, deeper than `below` (the depth of the outline)."""
    body = body_size(pages)
    text = [item for page in pages for item in page if not item.furniture]
    mostly_bold = sum(item.line.bold for item in text) * 2 > len(text)
    found = [item for item in text if not item.level and heading_score(item.line, body, mostly_bold) >= 1.5]
    if len(found) > 0.12 * len(text):
        styles = sorted({_style(item.line) for item in found}, reverse=True)[:2]
        found = [item for item in found if _style(item.line) in styles or _NUMBERED.match(item.line.text)]
    order = sorted({_style(item.line) for item in found}, reverse=True)
    for item in found:
        item.level = below + 1 + min(order.index(_style(item.line)), 5)
    for page in pages:
        _continue_headings(page, body, mostly_bold)


def _continue_headings(page: Sequence[Placed], body: float, mostly_bold: bool) -> None:
    """A heading goes on in the lines right below it that are set as it is, and not as the body is."""
    for above, item in pairwise(page):
        stands_out = item.line.size >= 1.13 * body or (item.line.bold and not mostly_bold)
        if (
            above.level
            and not item.level
            and not item.furniture
            and stands_out
            and _style(above.line) == _style(item.line)
            and _close(above.line, item.line, 0)
            and not above.line.text.rstrip().endswith((".", "?", "!"))
        ):
            item.level = above.level


def heading_score(line: Line, body: float, mostly_bold: bool) -> float:
    """How much a line looks like a heading; 1.5 is enough."""
    text = line.text.strip()
    letters = [character for character in text if character.isalpha()]
    if len(text) > LONGEST_HEADING or len(text.split()) > MOST_HEADING_WORDS or len(letters) < 2:
        return 0.0
    if _LEADERS.search(text) or line.hyphen:
        return 0.0
    score = 2.0 if body and line.size >= 1.13 * body else 0.0
    score += 1.5 if line.bold and not mostly_bold else 0.0
    score += 1.0 if _NUMBERED.match(text) else 0.0
    score += 0.7 if all(letter.isupper() or letter.lower() == letter.upper() for letter in letters) else 0.0
    score -= 1.0 if text.endswith((".", ",", ";", ":")) else 0.0
    score -= 1.5 if letters[0].islower() else 0.0
    return score


def _style(line: Line) -> tuple[float, bool]:
    return round(line.size * 2) / 2, line.bold


def paragraphs(page: Sequence[Placed]) -> list[list[Placed]]:
    """Lines of one page in groups that are one heading, one paragraph or one piece of furniture."""
    leading = _leading(page)
    groups: list[list[Placed]] = []
    for item in page:
        if groups and _continues(groups[-1], item, leading):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _leading(page: Sequence[Placed]) -> float:
    """The usual distance from one line to the next."""
    steps = [
        after.line.box.top - before.line.box.top
        for before, after in pairwise(page)
        if 0 < after.line.box.top - before.line.box.top < 4 * max(before.line.size, 1)
    ]
    return median(steps) if steps else 0.0


def _continues(group: Sequence[Placed], item: Placed, leading: float) -> bool:
    """Whether a line goes on with the paragraph before it."""
    last = group[-1]
    before, after = last.line, item.line
    if item.furniture or last.furniture:
        return item.furniture and last.furniture
    if item.level or last.level:
        return item.level == last.level and _style(before) == _style(after) and _close(before, after, 1.6 * leading)
    if before.size and abs(after.size - before.size) > 0.12 * before.size:
        return False
    if before.hyphen and after.text[:1].islower():
        return True
    step = after.box.top - before.box.top
    unfinished = not before.text.rstrip().endswith(_ENDS)
    if step < -0.5 * before.size or step > 3 * max(leading, before.size):
        return unfinished and after.text[:1].islower()
    if leading and step > 1.45 * leading:
        return False
    if _STARTER.match(after.text) and (not unfinished or _short(group, before)):
        return False
    return unfinished or not (_short(group, before) or _indented(group, after))


def _close(before: Line, after: Line, limit: float) -> bool:
    return 0 <= after.box.top - before.box.top <= max(limit, 1.6 * before.size)


def _short(group: Sequence[Placed], line: Line) -> bool:
    """Whether a line ends well before the right edge of its paragraph."""
    right = max(item.line.box.right for item in group)
    left = min(item.line.box.left for item in group)
    return (len(group) == 1 and right - left < 200) or line.box.right < right - 0.15 * max(right - left, 1)


def _indented(group: Sequence[Placed], line: Line) -> bool:
    return line.box.left > min(item.line.box.left for item in group) + 0.9 * max(line.size, 1)
