"""Sections: which blocks are headings, how deep they lie, and the heading path over every block.

Codes, standards and contracts number their clauses and often set no heading at all: "404.2.3 Clear Width.
Door openings shall provide …". Such a run-in heading counts when its number fits the numbers before it
(next sibling, first child, or next after an ancestor) or when its lead is emphasised; a bare number at the
start of a line ("12.5 mm minimum") is not evidence. Depth follows the numbers where there are numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.core.documents import Block, BlockKind
from pincite.core.marks import LEAD, kind_of, mark_of, marked_title
from pincite.core.text import HAN_ORDINAL

Number = tuple[str, ...]

_NUMBER = re.compile(
    r"\s*(?:§+\s*|(?:section|sec\.|article|art\.|clause|chapter|part|appendix)\s+)?"
    r"(?P<number>[A-Z]{0,3}[0-9]{1,5}(?:[.\-][0-9]{1,5})*[a-z]?)(?:[.):]*)(?=\s|$)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(rf"\s*(?P<number>{HAN_ORDINAL})")
_RUN_IN = re.compile(r"[^\S\n]*(?P<title>[A-Z][^.\n]{2,90}?)\.(?=\s+[A-Z(\"“])")
_TITLE_WORDS = 9
_TITLE_LENGTH = 160
_PATH_TITLE = 120


@dataclass(frozen=True, slots=True)
class Section:
    """A heading as the path shows it."""

    level: int
    """0 for a heading that runs into its text."""
    title: str
    number: Number
    mark: str = ""
    """What counts it where no number does: `(b)`, `IV.`, `A.`; LEAD for an emphasised beginning."""
    kind: str = ""
    """Of the mark: roman, upper, lower or digit, with the brackets."""


def with_run_in_headings(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The same blocks, those that open with a run-in heading turned into headings with `title_end` set."""
    seen: list[Number] = []
    result = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            seen.append(section_number(text[block.start : block.end]))
        elif block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            title_end = _run_in_title(text, block, seen)
            if title_end:
                seen.append(section_number(text[block.start : title_end]))
            else:
                title_end = marked_title(text, block.start, block.end, block.title_end)
            if title_end:
                block = replace(block, kind=BlockKind.HEADING, level=0, title_end=title_end)
        result.append(block)
    return tuple(result)


def heading_paths(text: str, blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """For each block the titles of its sections, outermost first; a heading lies in itself."""
    stack: list[Section] = []
    paths = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            section = _section(text, block, stack)
            stack = [*_ancestors(stack, section), section]
        elif block.kind is not BlockKind.FURNITURE:
            stack = _closed(stack, mark_of(text, block.start, block.end))
        paths.append(tuple(section.title for section in stack))
    return paths


def section_number(title: str) -> Number:
    """The parts of the number that a title opens with: ("404", "2", "3"); empty for none."""
    ordinal = _ORDINAL.match(title)
    if ordinal:
        return (ordinal["number"],)
    match = _NUMBER.match(title)
    return tuple(re.split(r"[.\-]", match["number"].upper())) if match else ()


def _section(text: str, block: Block, stack: Sequence[Section]) -> Section:
    mark = mark_of(text, block.start, block.end)
    # The marker of a list item stands before the mark of the text itself and is no part of the title.
    begun = text.index(mark, block.start) if mark.startswith("(") else block.start
    title = " ".join(text[begun : block.title_end or block.end].split()).rstrip(" .:")
    number = section_number(title)
    if not mark and not number and not block.level:
        mark = LEAD
    if len(title) > _PATH_TITLE:
        title = title[:_PATH_TITLE].rsplit(" ", 1)[0] + " …"
    return Section(block.level, title, number, mark, kind_of(mark, stack))


def _ancestors(stack: list[Section], section: Section) -> list[Section]:
    """Which open sections stay open when this one begins. A number decides where it can."""
    if section.number and not section.mark.startswith("("):
        for depth in range(len(stack), 0, -1):
            above = stack[depth - 1]
            if above.number and _inside(section.number, above.number):
                return stack[:depth]
    if section.level == 0:
        return _closed(stack, section.mark) if section.mark else _siblings_cut(stack, section)
    kept = [above for above in stack if 0 < above.level < section.level]
    beside = [above for above in stack if above.level == section.level]
    if not section.kind or not all(above.kind for above in beside):
        return kept
    # "A." set as "II." is: the kind of count that came first is the outer one.
    kinds = [above.kind for above in beside]
    return kept + (beside[: kinds.index(section.kind)] if section.kind in kinds else beside)


def _closed(stack: list[Section], mark: str) -> list[Section]:
    """Without the sections that this mark counts on from, titled or not."""
    kind = kind_of(mark, stack)
    for depth, above in enumerate(stack):
        if kind and above.level == 0 and above.kind == kind:
            return stack[:depth]
    return stack


def _siblings_cut(stack: list[Section], section: Section) -> list[Section]:
    """A run-in heading without a numbered parent ends the run-in sections beside it."""
    for depth, above in enumerate(stack):
        if above.level == 0 and (above.mark or len(above.number) >= len(section.number)):
            return stack[:depth]
    return stack


def _inside(number: Number, above: Number) -> bool:
    """404.2.3 lies inside 404.2 and 404; 1001 does not lie inside 10."""
    return len(above) < len(number) and number[: len(above)] == above


def _run_in_title(text: str, block: Block, seen: Sequence[Number]) -> int:
    """Where the numbered run-in title of a block ends, or 0 if it has none."""
    match = _NUMBER.match(text, block.start, block.end) or _ORDINAL.match(text, block.start, block.end)
    if not match:
        return 0
    number = section_number(match.group())
    if block.title_end > match.start("number") and block.title_end - block.start <= _TITLE_LENGTH:
        return block.title_end if _structured(number, match.group()) or follows(number, seen) else 0
    run_in = _RUN_IN.match(text, match.end(), block.end)
    if not run_in or len(run_in["title"].split()) > _TITLE_WORDS or not _structured(number, match.group()):
        return 0
    return run_in.end() if follows(number, seen) else 0


def _structured(number: Number, written: str) -> bool:
    """Whether a number looks like a clause number by itself: two parts, a letter prefix, § or 第…條."""
    return len(number) > 1 or number[0].startswith("第") or "§" in written or number[0][:1].isalpha()


def follows(number: Number, seen: Sequence[Number]) -> bool:
    """Whether a clause number is a plausible next one: the first child of an accepted number, or the next
    sibling of one or of its ancestors (gaps of up to three are forgiven: clauses get repealed)."""
    if not number:
        return False
    for earlier in reversed(seen[-40:]):
        if not earlier:
            continue
        if len(number) == len(earlier) + 1 and number[:-1] == earlier and _value(number[-1]) in range(4):
            return True
        depth = len(number)
        if depth <= len(earlier) and number[:-1] == earlier[: depth - 1]:
            step = _value(number[-1]) - _value(earlier[depth - 1])
            if 0 < step <= 4:
                return True
    return False


def _value(part: str) -> int:
    digits = re.sub(r"\D", "", part)
    return int(digits) if digits else 0
