"""The verbs that adapters supply. The core and the pipelines know these and nothing behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.core.answers import Coverage, Draft, Evidence, Passage
from pincite.core.documents import (
    Chunk,
    Corpus,
    Document,
    Failure,
    Outcome,
    OutcomeKind,
    Reading,
    Revision,
    Source,
)
from pincite.core.reports import IngestReport, StoreStatus

WHOLE = Outcome(OutcomeKind.WHOLE)
Clock = Callable[[], str]
"""The time as UTC, ISO 8601 with seconds."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """A matrix of 32-bit floats, little endian, one row a text. Bytes, so that the core needs no numpy."""

    dimension: int
    data: bytes

    def __len__(self) -> int:
        return len(self.data) // (4 * self.dimension)

    def row(self, index: int) -> bytes:
        width = 4 * self.dimension
        return self.data[index * width : (index + 1) * width]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Everything that makes two vectors comparable. It is part of the index (law 6)."""

    name: str
    digest: str
    """sha256 of the weights."""
    dimension: int
    window: int
    """Tokens that the model takes at most, special tokens included."""
    pooling: str
    normalised: bool
    query_prefix: str = ""
    passage_prefix: str = ""

    @property
    def key(self) -> str:
        """One line that is equal exactly when the vectors are comparable."""
        return "|".join(
            [
                self.name,
                self.digest[:16],
                str(self.dimension),
                str(self.window),
                self.pooling,
                "l2" if self.normalised else "raw",
                self.query_prefix,
                self.passage_prefix,
            ]
        )


class Embedder(Protocol):
    """Text to vectors. Never cuts a text silently: the caller keeps passages inside `identity.window`."""

    @property
    def identity(self) -> EmbedderIdentity: ...

    @property
    def scripts(self) -> frozenset[str]:
        """Writing systems that the model was trained on (`pincite.core.text.script_of` names);
        empty means all."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special tokens and passage prefix included."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in order. Raises BackendError when the model cannot be had."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in order. Raises BackendError when the model cannot be had."""
        ...


class Generator(Protocol):
    """Question and evidence to a draft, which grounding then checks."""

    @property
    def name(self) -> str: ...

    @property
    def hosts(self) -> tuple[str, ...]:
        """Hosts off this machine that text is sent to; empty for a local generator."""
        ...

    def draft(self, question: str, evidence: Sequence[Evidence]) -> Draft:
        """Statements that name the labels of the evidence they rest on."""
        ...


class PendingReading(Protocol):
    """A reading that is under way."""

    @property
    def pages(self) -> tuple[int, int]:
        """Pages read so far and in all; (0, 0) when nothing is known."""
        ...

    def wait(self, seconds: float) -> Reading | None:
        """The reading, or None when it is not there in time."""
        ...


class DocumentReader(Protocol):
    """A source to text with coordinates. A bad file is an outcome in the Reading, never an exception."""

    def version_for(self, media_type: str) -> str:
        """Name and version of the reader for this type, `none/0` if there is none."""
        ...

    def is_settled(self, media_type: str, reader: str, outcome: Outcome) -> bool:
        """Whether reading a file again could give nothing new: `reader` and `outcome` are what came of it."""
        ...

    def read(self, source: Source) -> Reading: ...

    def start(self, source: Source) -> PendingReading:
        """Begin to read, and go on while the caller does something else."""
        ...

    @property
    def ahead(self) -> int:
        """How many readings may be under way at once."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents count. Empty fields do not restrict. Applied before ranking."""

    documents: tuple[int, ...] = ()
    collection: str = ""
    corpus: Corpus | None = None
    tags: tuple[str, ...] = ()
    """All of them must be there."""
    glob: str = ""
    """Matched against the uri with SQLite GLOB rules, case-sensitive."""


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """Everything of one document, ready for its one transaction."""

    source: Source
    reading: Reading
    chunks: tuple[Chunk, ...]
    vectors: tuple[bytes | None, ...]
    """One float32 row a chunk, in order; None where a chunk has none (not indexed, or no embedder)."""
    collection: str = ""
    corpus: Corpus = Corpus.KNOWLEDGE
    tags: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows of a uri: the live revision, if any, and the last failure, if newer."""

    document: int | None
    revision: int
    sha256: str
    reader: str
    failure: Failure | None = None
    outcome: Outcome = WHOLE
    """What came of the live revision."""


class LexicalIndex(Protocol):
    """Full text over the terms of `pincite.core.text.index_terms`; nothing in a term is syntax."""

    def search(self, terms: Sequence[str], limit: int, where: Filter) -> list[tuple[int, float]]:
        """(chunk key, BM25 score, higher is better) of chunks that hold at least one term, best first. A term
        that is given twice weighs double."""
        ...

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many indexed chunks each term stands; 0 for a term that stands in none."""
        ...

    def size(self) -> int:
        """Indexed chunks."""
        ...


class VectorIndex(Protocol):
    """Nearest neighbours by cosine among the vectors of the live generation."""

    def search(self, vector: bytes, limit: int, where: Filter) -> list[tuple[int, float]]:
        """(chunk key, cosine, higher is better), best first."""
        ...

    def scores(self, vector: bytes, keys: Sequence[int]) -> dict[int, float]:
        """The cosines of these chunks; those without a vector are absent."""
        ...

    def size(self) -> int:
        """Live chunks that have a vector."""
        ...

    def identity(self) -> str:
        """`EmbedderIdentity.key` of the live generation; empty when there is none."""
        ...


class Store(Protocol):
    """One file that holds documents, revisions, chunks and the indexes derived from them."""

    @property
    def name(self) -> str: ...

    @property
    def lexical(self) -> LexicalIndex: ...

    @property
    def vectors(self) -> VectorIndex: ...

    def status(self) -> StoreStatus: ...

    def coverage(self) -> Coverage: ...

    def documents(self, where: Filter) -> list[Document]:
        """Live documents, by uri."""
        ...

    def find(self, reference: str) -> Document:
        """By id, uri, or an unambiguous end of a uri. Raises UnknownName, naming near ones."""
        ...

    def revision(self, document: int, number: int | None = None) -> Revision:
        """The live revision, or the one of that number. Raises UnknownName."""
        ...

    def chunks(self, document: int, number: int | None = None) -> list[Chunk]: ...

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        """In the order asked for; keys that are no longer live are left out."""
        ...

    def parents(self, keys: Sequence[int]) -> Mapping[int, Passage]:
        """The larger passages that are shown for these chunks, by chunk key; those without one are absent."""
        ...

    def failures(self) -> list[Failure]: ...


class WritableStore(Store, Protocol):
    """The writer's verbs. Each is one transaction; none is open while anything is read or embedded."""

    def known(self, uri: str) -> Known | None: ...

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        """Make this the identity of the store's vectors. Raises IndexMismatch if it is another."""
        ...

    def stored_vectors(self, digests: Sequence[str]) -> Mapping[str, bytes]:
        """Vectors that are there already, as float32 rows, by `text_digest` of what was embedded."""
        ...

    def save(self, draft: DocumentDraft) -> Document:
        """A new document, or a new live revision of the one with this uri. Clears its failure."""
        ...

    def save_failure(self, failure: Failure) -> None:
        """Record why a file gave no document; a live revision of it stays live."""
        ...

    def save_run(self, report: IngestReport, started: str, ended: str) -> None: ...
