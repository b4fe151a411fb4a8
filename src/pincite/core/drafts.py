"""What goes into a store and what narrows down what comes out: drafts, filters, what is known of a file, counts."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.core.documents import Chunk, Corpus, Failure, Outcome, OutcomeKind, Reading, Source
from pincite.core.history import Origin, TrashReason

WHOLE = Outcome(OutcomeKind.WHOLE)


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
    under: str = ""
    """Only documents at this uri, below it as a folder, or inside it as an attachment."""
    outcomes: tuple[OutcomeKind, ...] = ()
    """What came of reading the live revision: any of these."""
    updated_before: str = ""
    """Whose live revision is older than this moment, UTC, ISO 8601 with seconds."""


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
    origin: Origin = Origin.FILE
    expects: int | None = None
    """The revision that must be live when this is saved (optimistic lock); None for whichever."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows of a uri: the live revision, if any, and the last failure, if newer."""

    document: int | None
    """The live document; None when there is none, or when it is in the trash."""
    revision: int
    sha256: str
    """Of the last file that the document was read from. An edit or a restored revision does not change it: the
    file is then still known, and what a person did to the text stays."""
    reader: str
    failure: Failure | None = None
    outcome: Outcome = WHOLE
    """What came of that file."""
    trashed: int | None = None
    """The document of this uri that is in the trash."""
    why_trashed: TrashReason | None = None


@dataclass(frozen=True, slots=True)
class FileStat:
    """What a file looked like from outside when it was last read: enough to know it unchanged without reading."""

    uri: str
    size: int
    modified: int
    """Nanoseconds since 1970."""
    inode: int
    sha256: str
    checked: int
    """When its bytes were read, nanoseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Tallies:
    """What BM25 needs of one question: counts in the chunks that hold a term, and of the whole."""

    size: int
    """Indexed chunks."""
    words: int
    """Terms in all of them."""
    frequencies: tuple[int, ...]
    """For each term in how many of the chunks it stands, whatever the filter."""
    rows: tuple[tuple[int, int, tuple[int, ...]], ...]
    """(chunk key, its length in terms, how often each term stands in it), inside the filter, by key."""
