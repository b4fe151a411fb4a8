"""What the verbs report back: an ingest run, the state of a store, a health check, a probe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pincite.core.answers import Coverage
from pincite.core.documents import Chunk, Document, Outcome, Page, Revision


class Change(StrEnum):
    """What an ingest did with one file."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class IngestEntry:
    """One file of a run, or one that stood inside another. Count law: files in = added + updated + unchanged +
    failed."""

    uri: str
    name: str
    change: Change
    outcome: Outcome
    document: int | None = None
    chunks: int = 0
    kept_revision: int | None = None
    """After a failed refresh: the last good revision, which stays live."""
    known: bool = False
    """A failure that was met before, with the same bytes and reader, and not tried again."""
    parent: str = ""
    """For an attachment: the uri of the file that it stood in."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What a run did, file by file."""

    entries: tuple[IngestEntry, ...]
    embedded: int
    """Passages that were embedded in this run."""
    reused: int
    """Passages whose vector was there already."""
    lexical_only: str = ""
    """Why no vectors were made, when none were."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage: read, chunk, embed, store, total."""

    def count(self, change: Change) -> int:
        return sum(entry.change is change for entry in self.entries)

    def reasons(self) -> Counter[str]:
        """How many files failed, by kind of outcome."""
        return Counter(e.outcome.kind.value for e in self.entries if e.change is Change.FAILED)


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """A step of a running ingest, for progress bars. `done` and `total` count files."""

    done: int
    total: int
    name: str
    passages: int
    entry: IngestEntry | None = None
    pages: tuple[int, int] = (0, 0)
    """Of the file `name`, while it is being read: pages (or rows) done and in all; 0 where unknown."""


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """What a store holds and how its indexes stand."""

    name: str
    path: str
    bytes: int
    schema: int
    coverage: Coverage
    collections: Mapping[str, int]
    embedder: str
    """The identity that the vectors were made with; empty for none."""
    vectors: int
    """Chunks of the live documents that have a vector."""
    last_run: str
    """When the last ingest ended, UTC; empty for never."""
    moment: int = 0
    """The number of the last change: as-of questions can name it."""
    trashed: int = 0
    """Documents in the trash."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """A document opened up: one revision, its pages, blocks and chunks."""

    document: Document
    revision: Revision
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of the exact text of a revision, with the pages that it touches."""

    document: Document
    revision: int
    start: int
    end: int
    text: str
    """`revision.text[start:end]`."""
    pages: tuple[Page, ...]
    until: int
    """Where what was asked for ends; more than `end` when the rest was held back."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a health report."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """What embedding costs on this machine, and what a corpus would."""

    embedder: str
    passages_per_second: float
    query_milliseconds: float
    bytes_per_chunk: float
    """Growth of the store file for a chunk: text, index and vector."""
