"""Lines to furniture, headings and paragraphs. Nothing is dropped: a wrong guess costs a path, never a word."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from statistics import median

from pincite.adapters.readers.pdf_lines import Line

MARGIN = 0.12
"""Share of the page height at top and bottom where running heads stand."""
LONGEST_HEADING = 160
MOST_HEADINGS = 0.12
"""Share of a document's lines that may be headings; with more, most of them are something else."""
MOST_HEADING_WORDS = 22
_DIGITS = re.compile(r"[0-9]+|\b[ivxlc]+\b", re.IGNORECASE)
_FIRST_NUMBER = re.compile(r"([0-9]{1,4})\s+\S")
_LAST_NUMBER = re.compile(r"\S\s+([0-9]{1,4})$")
_LONE_NUMBER = re.compile(r"[-–—\s]*(?:page\s+)?(?:[0-9]{1,4}|[ivxlc]{1,6})(?:\s+of\s+[0-9]+)?[-–—\s]*", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:§+\s*|(?:section|article|chapter|part|appendix|annex|title)\s+)?"
    r"(?:[A-Z]{0,2}[0-9]{1,5}(?:[.\-][0-9]{1,5})*\.?|[IVXLC]{1,6}\.|[A-Z]\.(?:[0-9]+\.?)*)\s+\S|第[^\s]{1,6}[章節条條节]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3}|[\u2e80-\uffdc]")
_FORMULA = re.compile(r"[=⇒⇔∈≤≥∑∫√{}⊆⊇⊂⊃×∩∪→]|^[•●▪■◦‣·−]")
_COUNTED = re.compile(
    r"(?P<word>(?:sub)?(?:section|article|chapter|part|title)|appendix|annex|§)\s*[0-9A-Z]|(?P<number>[0-9]+(?:[.-][0-9]+)+\.?)\s+\S",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}")
_STARTER = re.compile(
    r"(?:[•●▪■◦‣·*–—-]\s|\(?[0-9]{1,3}[.)]\s|\(?[a-zA-Z]{1}[.)]\s|\([ivxlc]{1,5}\)\s|§|[A-Z]?[0-9]+(?:\.[0-9]+)+\.?\s"
    r"|(?:section|article|note|exception|figure|table)\b[^a-z]*\s?[0-9A-Z]|第[0-9一二三四五六七八九十百]+[條条])",
    re.IGNORECASE,
)
Style = tuple[float, bool, bool]
"""Type size to half a point, whether bold, whether upright."""
_ENDS = tuple('.:;!?。！？；:”"’)')


def mark_furniture(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> None:
    """Mark lines near the top and bottom that repeat over pages, digits aside, and lone page numbers."""
    places: dict[tuple[str, int, bool], list[Line]] = defaultdict(list)
    for page, height in zip(pages, heights, strict=True):
        for item in page:
            top, bottom = item.top, item.bottom
            if height and not item.table and (bottom < height * MARGIN or top > height * (1 - MARGIN)):
                words = " ".join(_DIGITS.sub("#", item.text.lower()).split())
                places[(words, round(top / 6), top > height / 2)].append(item)
    floor = max(3, round(len(pages) * 0.05))
    for (words, row, low), items in places.items():
        near = [*items, *places.get((words, row - 1, low), ()), *places.get((words, row + 1, low), ())]
        repeated = len(pages) >= 4 and len({item.page for item in near}) >= floor
        for item in items:
            item.furniture |= repeated or bool(_LONE_NUMBER.fullmatch(item.text.strip()))
    _mark_numbered([item for items in places.values() for item in items], max(5, round(len(pages) * 0.15)))


def _mark_numbered(lines: Sequence[Line], floor: int) -> None:
    """Mark running heads that change from section to section but keep the number of the page at one end."""
    offsets: dict[tuple[int, bool, int], list[Line]] = defaultdict(list)
    for item in lines:
        for at_start, match in ((True, _FIRST_NUMBER.match(item.text)), (False, _LAST_NUMBER.search(item.text))):
            if match:
                offsets[int(match[1]) - item.page, at_start, round(item.top / 12)].append(item)
    for items in offsets.values():
        if len({item.page for item in items}) >= floor:
            for item in items:
                item.furniture = True


def body_size(pages: Iterable[Sequence[Line]]) -> float:
    """The type size that most characters are set in."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for item in page:
            sizes[round(item.size * 2) / 2] += len(item.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def mark_headings(pages: Sequence[Sequence[Line]], below: int) -> None:
    """Give a level to lines that look like headings, deeper than `below` (the depth of the outline)."""
    body = body_size(pages)
    text = [item for page in pages for item in page if not item.furniture]
    mostly_bold = sum(item.bold for item in text) * 2 > len(text)
    # Size, weight, capitals or a script that knows none: what is cheap to see and every heading has.
    large = 1.13 * body
    found = [
        item
        for item in text
        if (
            item.size >= large
            or (item.bold and not mostly_bold)
            or item.italic
            or item.text.isupper()
            or item.text[0] > "\u2e7f"
        )
        and not item.level
        and not item.table
        and heading_score(item, body, mostly_bold) >= 1.5
    ]
    if len(found) > MOST_HEADINGS * len(text):
        styles = _largest(found, MOST_HEADINGS * len(text))
        found = [item for item in found if _style(item) in styles or _NUMBERED.match(item.text)]
    level_of = _levels(text, found, body, below)
    for item in found:
        item.level = level_of(item)
    for page in pages:
        _continue_headings(page, body, mostly_bold)


def _largest(found: Sequence[Line], most: float) -> set[Style]:
    """The largest styles that together are few enough to be headings; at least two."""
    counts = Counter(_style(item) for item in found)
    kept: set[Style] = set()
    total = 0
    for style in sorted(counts, reverse=True):
        total += counts[style]
        if total > most and len(kept) > 1:
            break
        kept.add(style)
    return kept


def _levels(text: Sequence[Line], found: Sequence[Line], body: float, below: int) -> Callable[[Line], int]:
    """How deep a heading without a bookmark lies: as deep as those with one that are counted as it is or, where
    size tells, set as it is; else below them all, by style."""
    counted: dict[str, Counter[int]] = defaultdict(Counter)
    sizes: dict[int, list[float]] = defaultdict(list)
    for item in text:
        if item.level:
            counted[_counted(item.text)][item.level] += 1
            sizes[item.level].append(item.size)
    places = [(level, median(some)) for level, some in sizes.items() if median(some) >= 1.13 * body]
    ranks = _ranks(found)

    def level_of(item: Line) -> int:
        alike = counted.get(_counted(item.text)) if _counted(item.text) else None
        if alike:
            return alike.most_common(1)[0][0]
        same = [level for level, size in places if abs(item.size - size) <= 0.03 * size]
        return min(same) if same else below + 1 + ranks[_style(item)]

    return level_of


def _ranks(found: Sequence[Line]) -> dict[Style, int]:
    """Styles from the highest. Sizes that hardly differ are one: the height of a glyph's box is not exact."""
    ranks: dict[Style, int] = {}
    first: Style | None = None
    for style in sorted({_style(item) for item in found}, reverse=True):
        if first is None or style[1:] != first[1:] or style[0] < 0.94 * first[0]:
            first = style
            ranks[style] = len(set(ranks.values()))
        else:
            ranks[style] = ranks[first]
    return ranks


def _counted(text: str) -> str:
    """What a heading is counted with: its keyword, or how many parts its number has; empty for nothing. A number
    of one part is as often that of a page."""
    match = _COUNTED.match(text)
    if not match:
        return ""
    return match["word"].lower() if match["word"] else str(len(re.split(r"[.-]", match["number"].strip("."))))


def _continue_headings(page: Sequence[Line], body: float, mostly_bold: bool) -> None:
    """A heading goes on in the lines right below it that are set as it is, and not as the body is."""
    for above, item in pairwise(page):
        if (
            above.level
            and not item.level
            and not item.table
            and not item.furniture
            and (item.size >= 1.13 * body or (item.bold and not mostly_bold) or item.italic)
            and _alike(above, item)
            and _close(above, item, 0)
            and not above.text.rstrip().endswith((".", "?", "!"))
        ):
            item.level = above.level


def heading_score(line: Line, body: float, mostly_bold: bool) -> float:
    """How much a line looks like a heading; 1.5 is enough."""
    text = line.text.strip()
    letters = [character for character in text if character.isalpha()]
    if len(text) > LONGEST_HEADING or len(text.split()) > MOST_HEADING_WORDS or len(letters) < 2:
        return 0.0
    if _LEADERS.search(text) or line.hyphen or _FORMULA.search(text) or line.size > 12 * (body or line.size):
        return 0.0
    counted = _NUMBERED.match(text) or _COUNTED.match(text)
    if not counted and (len(letters) < 0.5 * (len(text) - text.count(" ")) or not _WORD.search(text)):
        return 0.0
    score = 2.0 if body and line.size >= 1.13 * body else 0.0
    score += 1.5 if line.bold and not mostly_bold else (0.8 if line.italic else 0.0)
    score += 1.0 if _NUMBERED.match(text) else 0.0
    score += 0.7 if all(letter.isupper() or letter.lower() == letter.upper() for letter in letters) else 0.0
    score -= 1.0 if text.endswith((*".,;:。、，；：",)) else 0.0
    score -= 1.5 if text[0].islower() else 0.0
    return score


def _style(line: Line) -> Style:
    """What headings of one depth share, such that the greater one is the higher."""
    return round(line.size * 2) / 2, line.bold, not line.italic


def _alike(first: Line, second: Line) -> bool:
    """Set the same way. The height of a glyph's box differs a little between the fonts of one face."""
    return (
        abs(first.size - second.size) <= 0.15 * first.size
        and first.bold == second.bold
        and first.italic == second.italic
    )


def paragraphs(page: Sequence[Line]) -> list[list[Line]]:
    """Lines of one page in groups that are one heading, one paragraph or one piece of furniture."""
    leading = _leading(page)
    groups: list[list[Line]] = []
    for item in page:
        if groups and _continues(groups[-1], item, leading):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _leading(page: Sequence[Line]) -> float:
    """The usual distance from one line to the next."""
    tops = [item.top for item in page]
    steps = [
        after - before
        for before, after, item in zip(tops, tops[1:], page, strict=False)
        if 0 < after - before < 4 * (item.size or 1)
    ]
    return median(steps) if steps else 0.0


def _continues(group: Sequence[Line], item: Line, leading: float) -> bool:
    """Whether a line goes on with the paragraph before it."""
    before = group[-1]
    if item.furniture or before.furniture:
        return item.furniture and before.furniture
    if item.table or before.table:
        return item.table == before.table
    if item.level or before.level:
        goes_on = _alike(before, item) or item.text[0].islower()
        return item.level == before.level and goes_on and _close(before, item, 1.6 * leading)
    size = before.size
    if size and abs(item.size - size) > 0.12 * size:
        return False
    if before.hyphen and item.text[0].islower():
        return True
    step = item.top - before.top
    unfinished = not before.text.endswith(_ENDS)
    if step < -0.5 * size or step > 3 * max(leading, size):
        return unfinished and item.text[0].islower()
    if leading and step > 1.45 * leading:
        return False
    if _STARTER.match(item.text) and (not unfinished or _short(group, before)):
        return False
    return unfinished or not (_short(group, before) or _indented(group, item))


def _close(before: Line, after: Line, limit: float) -> bool:
    return 0 <= after.top - before.top <= max(limit, 1.6 * before.size)


def _short(group: Sequence[Line], line: Line) -> bool:
    """Whether a line ends well before the right edge of its paragraph."""
    right = max(item.right for item in group)
    left = min(item.left for item in group)
    return (len(group) == 1 and right - left < 200) or line.right < right - 0.15 * max(right - left, 1)


def _indented(group: Sequence[Line], line: Line) -> bool:
    return line.left > min(item.left for item in group) + 0.9 * max(line.size, 1)
