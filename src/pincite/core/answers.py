"""Hits, evidence, citations, answers and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pincite.core.documents import Chunk, Locator


class LaneState(StrEnum):
    """How a lane fared with one question."""

    COMPLETE = "complete"
    EMPTY = "empty"
    STALE = "stale"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    NOT_APPLICABLE = "not_applicable"
    """The lane cannot judge this question: no words in it, or a language its model does not know."""
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class LaneReport:
    """One lane's ranking, best first, and how complete it is."""

    lane: str
    state: LaneState
    ranking: tuple[tuple[int, float], ...] = ()
    """(chunk key in the store, score in the lane's own unit)."""
    message: str = ""
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class LaneRank:
    """The place that one lane gave a hit."""

    lane: str
    rank: int
    """From 1."""
    score: float
    """BM25 for the lexical lane, cosine for the dense one."""


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """Which document, and which revision of it, a passage is from."""

    id: int
    uri: str
    name: str
    title: str
    revision: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk together with the document that it stands in."""

    key: int
    """The chunk's key inside this store."""
    chunk: Chunk
    document: DocumentRef


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found, with the ranks that earned its place. `score` orders hits and is not a
    measure of certainty: never compare it with a threshold."""

    passage: Passage
    ranks: tuple[LaneRank, ...]
    score: float
    also_in: tuple[DocumentRef, ...] = ()
    """Other documents that hold the same words."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, and how each lane fared."""

    query: str
    hits: tuple[Hit, ...]
    lanes: tuple[LaneReport, ...]
    coverage: Coverage
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    moment: int = 0
    """The number of the last change that counted."""
    as_of: str = ""
    """The moment that the search was about, as it was written; empty for now."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of what the store was given could be read. Shown beside answers and refusals."""

    documents: int = 0
    chunks: int = 0
    partial: int = 0
    failed: int = 0
    """Files that gave no document."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage under a label, shown whole or not at all."""

    label: int
    passage: Passage
    also_in: tuple[DocumentRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Exact words and where they stand. `quote` is `revision.text[locator.start:locator.end]`."""

    label: int
    document: DocumentRef
    locator: Locator
    quote: str
    also_in: tuple[DocumentRef, ...] = ()
    newer: int | None = None
    """For a question about the past: the revision that is live now, when it is not the cited one."""
    still_there: bool | None = None
    """For a question about the past: whether the quoted words stand in the live revision, however they are spaced;
    None when none is live."""
    in_trash: bool = False
    """For a question about the past: whether the document is in the trash now."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer and the citations that carry it."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a generator wrote, before the machine checks it: statements with the labels that they name."""

    statements: tuple[Statement, ...]
    declined: bool = False
    """The generator itself said that the passages do not answer."""
    tokens_evaluated: int | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a draft, the labels it names and the words it claims to quote."""

    text: str
    labels: tuple[int, ...]
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A statement that failed the check, and why."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was done to give this answer; enough to replay it."""

    generator: str
    embedder: str
    lanes: tuple[LaneReport, ...]
    evidence: int
    """Passages shown to the generator."""
    left_out: int
    """Passages found that were not shown."""
    left_machine: tuple[str, ...] = ()
    """Hosts that any text was sent to; empty when nothing left the machine."""
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    store: str = ""
    settings: str = ""
    moment: int = 0
    """The number of the last change that counted."""
    as_of: str = ""
    """The moment that the question was about, as it was written; empty for now."""


class Reason(StrEnum):
    """Why there is no answer."""

    NO_DOCUMENTS = "NO_DOCUMENTS"
    NO_MATCH = "NO_MATCH"
    WEAK_EVIDENCE = "WEAK_EVIDENCE"
    MODEL_DECLINED = "MODEL_DECLINED"
    UNSUPPORTED = "UNSUPPORTED"
    NO_ROOM = "NO_ROOM"


@dataclass(frozen=True, slots=True)
class Answer:
    """Claims, each cited and checked. There is at least one."""

    question: str
    claims: tuple[Claim, ...]
    coverage: Coverage
    receipt: Receipt
    dropped: tuple[Dropped, ...] = ()

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(citation for claim in self.claims for citation in claim.citations)


@dataclass(frozen=True, slots=True)
class NotFound:
    """The documents do not say: why, what came nearest, and what could not be read."""

    question: str
    reason: Reason
    explanation: str
    nearest: tuple[Hit, ...]
    coverage: Coverage
    receipt: Receipt
    dropped: tuple[Dropped, ...] = ()
