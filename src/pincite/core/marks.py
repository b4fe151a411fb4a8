"""Marks that count paragraphs and headings where no dotted number does: (a), (1), (iv), A., IV."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

LEAD = "lead"
"""The mark of a heading that is only an emphasised beginning: *Existing play areas.*"""
_MARK = re.compile(r"\s*(?:(?:[0-9]{1,3}\.|[-*•])\s+)?(?P<mark>\((?:[a-z]{1,4}|[A-Z]{1,2}|[0-9]{1,2})\))(?=\s)")
_COUNT = re.compile(r"\s*(?P<mark>(?:[IVXLC]{1,6}|[A-Z]|[0-9]{1,2})\.)(?=\s)")
_TITLE = re.compile(r"\s+(?P<title>[A-Z“\"][^.:;\n]{2,80}?)[.:](?=\s+[A-Z(\"“0-9])")
_SENTENCE = re.compile(
    r"\b(?:shall|must|may|is|are|was|were|will|would|should|has|have|had|can|could|be|means|does|do|did|not)\b"
)
_OPENS_SENTENCE = re.compile(r"(?:the|a|an|no|any|each|every|if|when|where|all|such|this|these|that|it|in|for)\b", re.I)
_ASIDE = re.compile(r"\W*(?:note|notes|exceptions?|examples?|figure|fig|table|see|advisory|source|warning|tip)\b", re.I)
_ROMAN = re.compile(r"[ivxlc]+", re.I)
_TITLE_WORDS = 12
_LEAD_WORDS = 9


class Marked(Protocol):
    """A heading that may be counted on from."""

    @property
    def mark(self) -> str: ...


def mark_of(text: str, start: int, end: int) -> str:
    """The mark that a block opens with: `(b)` anywhere, `IV.` or `A.` or `3.` as the count of a heading."""
    match = _MARK.match(text, start, end) or _COUNT.match(text, start, end)
    return match["mark"] if match else ""


def kind_of(mark: str, stack: Sequence[Marked]) -> str:
    """What a mark counts with: roman numerals, letters or digits, and its brackets. A letter that is both goes
    on from an open section that it follows; i, v and x alone are numerals."""
    if mark == LEAD or not mark:
        return mark
    core = mark.strip("().")
    shape = "()" if mark.startswith("(") else "."
    if core.isdigit():
        return f"digit{shape}"
    letters = "upper" if core.isupper() else "lower"
    if not _ROMAN.fullmatch(core) or (len(core) > 1 and core[0] not in "ixIX" and len(set(core)) == 1):
        return f"{letters}{shape}"
    before = chr(ord(core[0]) - 1)
    if len(core) == 1 and any(above.mark.strip("().") == before for above in stack):
        return f"{letters}{shape}"
    return f"roman-{letters}{shape}" if len(core) > 1 or core in "ivxIVX" else f"{letters}{shape}"


def marked_title(text: str, start: int, end: int, lead: int) -> int:
    """Where the title of a paragraph that opens with one ends, or 0: after a mark, "(b) Appearance. The …", or an
    emphasised beginning up to `lead`, "Existing play areas. Where …"."""
    mark = _MARK.match(text, start, end)
    begun = mark.end() if mark else start
    if lead > begun and _is_lead(text[begun:lead], text[lead:end], alone=mark is not None):
        return lead
    title = _TITLE.match(text, begun, end) if mark else None
    return title.end() if title and _is_title(title["title"]) else 0


def _is_title(words: str) -> bool:
    """No sentence: it has no verb that states or orders, and is short."""
    if len(words.split()) > _TITLE_WORDS or _SENTENCE.search(words) or _ASIDE.match(words):
        return False
    return not _OPENS_SENTENCE.match(words) or _title_case(words)


def _title_case(words: str) -> bool:
    long = [word for word in words.split() if len(word) > 3]
    return len(long) > 1 and all(word[0].isupper() for word in long)


def _is_lead(title: str, after: str, *, alone: bool) -> bool:
    """`alone`: whether nothing need follow, as where a mark says that this is counted."""
    words = title.strip()
    if not words or not words.endswith((".", ":")) or not words[0].isupper() or len(words.split()) > _LEAD_WORDS:
        return False
    follows = after.lstrip()[:1]
    begins = alone if not follows else not follows.islower()
    return begins and not _ASIDE.match(words) and not _SENTENCE.search(words)
