"""What became of quotes of the past: is a newer revision live, and does it still have the words?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.core.answers import Citation, Claim
from pincite.core.ports import Filter, Store


@dataclass(frozen=True)
class _Now:
    """A document today."""

    revision: int | None
    text: str
    """With white space collapsed."""
    trashed: bool


def with_ages(present: Store, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with citations that know what is live now. Each document is looked up once."""
    numbers = {citation.document.id for claim in claims for citation in claim.citations}
    today = {number: _today(present, number) for number in numbers}
    return tuple(
        replace(claim, citations=tuple(_aged(citation, today[citation.document.id]) for citation in claim.citations))
        for claim in claims
    )


def _today(present: Store, number: int) -> _Now:
    where = Filter(documents=(number,))
    live = present.documents(where)
    if live:
        return _Now(live[0].revision, _collapsed(present.revision(number, live[0].revision).text), False)
    return _Now(None, "", bool(present.trash(where)))


def _aged(citation: Citation, now: _Now) -> Citation:
    if now.revision is None:
        return replace(citation, in_trash=now.trashed)
    newer = now.revision if now.revision != citation.document.revision else None
    return replace(citation, newer=newer, still_there=_collapsed(citation.quote) in now.text)


def _collapsed(text: str) -> str:
    return " ".join(text.split())
