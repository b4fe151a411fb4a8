"""What a store remembers: its changes, the revisions of a document, the trash, and what a deletion would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from pincite.core.documents import Chunk, Document, Outcome


class Origin(StrEnum):
    """Where the text of a revision came from."""

    FILE = "file"
    EDIT = "edit"
    RESTORED = "restored"


class Verb(StrEnum):
    """What a change of a store did. A closed set."""

    ADDED = "added"
    UPDATED = "updated"
    EDITED = "edited"
    RESTORED = "restored"
    """An earlier revision was made the newest again."""
    RENAMED = "renamed"
    RELABELLED = "relabelled"
    TRASHED = "trashed"
    UNTRASHED = "untrashed"
    PURGED = "purged"


class TrashReason(StrEnum):
    """Why a document is in the trash."""

    FORGOTTEN = "forgotten"
    """A person said so: it stays there until a person says otherwise."""
    VANISHED = "vanished"
    """Its file was gone at a sync: it comes back when the file does."""


@dataclass(frozen=True, slots=True)
class StoreChange:
    """One change of a store. The numbers count up from 1 and never have a second meaning; `at` never goes back."""

    number: int
    at: str
    """UTC, ISO 8601 with seconds."""
    verb: Verb
    document: int
    revision: int
    """The number of the revision that the change was about."""
    uri: str
    """As it was after the change; empty once the document is purged."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RevisionNote:
    """A revision in the history of a document, without its text."""

    number: int
    created: str
    origin: Origin
    reason: str
    sha256: str
    size: int
    reader: str
    outcome: Outcome
    pages: int
    chunks: int
    live: bool
    """Whether it is what a search finds now."""


@dataclass(frozen=True, slots=True)
class History:
    """A document's revisions, oldest first, and everything that was done with it."""

    document: Document
    revisions: tuple[RevisionNote, ...]
    changes: tuple[StoreChange, ...]


@dataclass(frozen=True, slots=True)
class RevisionDiff:
    """Two revisions of a document, compared passage by passage. Passages with the same words under the same
    headings are the same passage, wherever they stand."""

    document: Document
    old: int
    new: int
    kept: int
    removed: tuple[Chunk, ...]
    """Passages of the old revision that the new one has not, in order."""
    added: tuple[Chunk, ...]


def compare_chunks(old: Sequence[Chunk], new: Sequence[Chunk]) -> tuple[int, list[Chunk], list[Chunk]]:
    """How many indexed chunks both have, those only the old has, those only the new has. A chunk that stands
    twice is counted twice."""
    left: dict[str, int] = {}
    for chunk in new:
        if chunk.indexed:
            left[chunk.searchable] = left.get(chunk.searchable, 0) + 1
    removed = []
    for chunk in old:
        if chunk.indexed and left.get(chunk.searchable, 0):
            left[chunk.searchable] -= 1
        elif chunk.indexed:
            removed.append(chunk)
    added = []
    for chunk in reversed([chunk for chunk in new if chunk.indexed]):
        if left[chunk.searchable]:
            left[chunk.searchable] -= 1
            added.append(chunk)
    added.reverse()
    return sum(chunk.indexed for chunk in old) - len(removed), removed, added


@dataclass(frozen=True, slots=True)
class Selection:
    """Documents that a deletion would take. The token stands for exactly these, in exactly this state."""

    documents: tuple[Document, ...]
    token: str

    @property
    def chunks(self) -> int:
        return sum(document.chunks for document in self.documents)


def selection(documents: Sequence[Document]) -> Selection:
    """The selection of these documents. The token changes with any document in it, its revision or its place."""
    ordered = sorted(documents, key=lambda document: document.id)
    state = "\n".join(f"{d.id} {d.revision} {d.sha256} {d.trashed} {d.uri}" for d in ordered)
    return Selection(tuple(documents), sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:12])


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What a purge removed, and the proof that it is gone."""

    documents: int
    revisions: int
    chunks: int
    vectors: int
    bytes_before: int
    bytes_after: int
    probes: int
    """Pieces of the purged text and vectors that were looked for in the bytes of the file."""
    remains: tuple[str, ...]
    """What was still found, a sentence each; empty when nothing is left."""

    @property
    def reclaimed(self) -> int:
        return self.bytes_before - self.bytes_after


@dataclass(frozen=True, slots=True)
class Generation:
    """The vectors of one embedder."""

    id: int
    name: str
    key: str
    state: str
    """building, live or retired."""
    vectors: int
    missing: int
    """Texts of the store that have no vector in it yet."""
    created: str
