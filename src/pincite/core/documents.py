"""Sources, documents, revisions, pages, blocks, locators and chunks.

All positions in a text are offsets of Python characters (Unicode code points) into one canonical text,
half-open as in a slice. Pages are numbered as the file counts them, from 1, blank pages included; the
label printed on a page stands beside its number and never replaces it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pincite.core.places import Place, TableHeader


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was found: where it stands, what kind it is, and the fingerprint of its bytes."""

    uri: str
    """Identity inside a store: the absolute path with forward slashes, Unicode NFC."""
    name: str
    """The file name that people know it by."""
    media_type: str
    """By content, not by name; `application/octet-stream` when nothing is known."""
    sha256: str
    size: int
    """Bytes."""
    path: str
    """Where a reader opens it."""
    inside: tuple[tuple[str, str], ...] = ()
    """For an attachment: the way to it from the file at `path`; at each level the media type of what holds it and
    the key there."""


class OutcomeKind(StrEnum):
    """What came of a file. A closed set: every file ends in exactly one of these."""

    WHOLE = "whole"
    PARTIAL = "partial"
    NO_TEXT_LAYER = "no_text_layer"
    PASSWORD = "password"
    CORRUPT = "corrupt"
    TOO_BIG = "too_big"
    UNSUPPORTED = "unsupported"
    EMPTY = "empty"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was read of a file, and if not all of it, why and what to do."""

    kind: OutcomeKind
    code: str = ""
    """A finer word for programs, such as `timeout` or `encrypted`; empty when the kind says all."""
    message: str = ""
    hint: str = ""
    pages: tuple[int, ...] = ()
    """The pages that could not be read, when the kind is `partial` or `no_text_layer`."""

    @property
    def usable(self) -> bool:
        """Whether text came out that may be indexed."""
        return self.kind in (OutcomeKind.WHOLE, OutcomeKind.PARTIAL)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page: points (1/72 inch) from the top left corner of the upright page."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page and the stretch of canonical text on it. The pages of a revision tile its text."""

    number: int
    start: int
    end: int
    label: str = ""
    """The printed label where the file tells one that differs from the number, else empty."""
    outcome: OutcomeKind = OutcomeKind.WHOLE
    width: float = 0.0
    height: float = 0.0
    ocr: float | None = None
    """How sure the recogniser was of its characters, 0 to 1, where the text is its work; None for text of the
    file itself."""


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CODE = "code"
    FURNITURE = "furniture"
    """Running heads, page numbers, navigation: kept in the text, kept out of the index."""


CELL_MARK = " | "
"""What readers write between the cells of a table's row."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, table or the like: a stretch of the text that a reader would call one thing."""

    kind: BlockKind
    start: int
    end: int
    page: int | None = None
    level: int = 0
    """Depth of a heading, 1 the highest; 0 for anything else."""
    title_end: int = 0
    """For a run-in heading ("404.2.3 Clear Width. Door openings …"): where its title ends inside the
    block. 0 when the whole block is the heading."""
    boxes: tuple[Box, ...] = ()
    lines: tuple[int, int] | None = None
    """First and last line in the source file, from 1, for formats that have lines."""
    anchor: str = ""
    place: Place | None = None
    header: tuple[int, int] | None = None
    """For a TABLE: where its header stands in the text, in this block or an earlier one. A TABLE has one line a
    row."""


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a passage stands, in every coordinate that its format has."""

    start: int
    end: int
    first_page: int | None = None
    last_page: int | None = None
    first_label: str = ""
    last_label: str = ""
    headings: tuple[str, ...] = ()
    """Heading path, outermost first."""
    lines: tuple[int, int] | None = None
    boxes: tuple[Box, ...] = ()
    anchor: str = ""
    place: Place | None = None
    header: TableHeader | None = None
    """The header of the table whose rows these are, when the passage does not hold it itself."""
    ocr: float | None = None
    """The least sureness of a recogniser on the pages of the passage; None where none was at work."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage that is indexed and found as one: `revision.text[start:end] == text`."""

    id: str
    text: str
    locator: Locator
    ordinal: int
    """Place among the chunks of its revision, from 0."""
    parent: str | None = None
    """The id of the larger chunk that is shown when this one is hit."""
    indexed: bool = True
    """False for a parent that is only shown."""

    @property
    def start(self) -> int:
        return self.locator.start

    @property
    def end(self) -> int:
        return self.locator.end

    @property
    def context(self) -> tuple[str, ...]:
        """What stands over the passage: its headings, and the header of its table."""
        header = self.locator.header
        return (*self.locator.headings, header.text) if header else self.locator.headings

    @property
    def searchable(self) -> str:
        """What the lanes see: what stands over the passage and is not in it, then its text."""
        above = [words for words in self.context if words not in self.text[:400]]
        return "\n".join([*above, self.text])


def chunk_id(content_sha256: str, start: int, end: int, profile: str) -> str:
    """The identity of a chunk: the same bytes, span and profile always give the same id (24 hex digits)."""
    return hashlib.sha256(f"{content_sha256}:{start}:{end}:{profile}".encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside a file, to become a document of its own beside its parent."""

    key: str
    """How the parent's reader finds it again; unique inside the parent."""
    name: str
    media_type: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a source: text with coordinates, or an outcome that says why not."""

    outcome: Outcome
    reader: str
    """Name and version of the reader, such as `pdf/1`; part of what makes a known failure known."""
    text: str = ""
    pages: tuple[Page, ...] = ()
    blocks: tuple[Block, ...] = ()
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Author, dates, encoding, language …, whatever the format tells, as plain words."""
    attachments: tuple[Attachment, ...] = ()


class Corpus(StrEnum):
    """Which of a store's two bodies of text a document belongs to."""

    KNOWLEDGE = "knowledge"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Revision:
    """One immutable state of a document."""

    number: int
    sha256: str
    size: int
    reading: Reading
    created: str
    """UTC, ISO 8601 with seconds."""
    reason: str = ""

    @property
    def text(self) -> str:
        return self.reading.text


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a store: known by its uri, one live revision or none (trash)."""

    id: int
    uri: str
    name: str
    media_type: str
    title: str
    collection: str
    corpus: Corpus
    tags: tuple[str, ...]
    revision: int
    """The number of the live revision."""
    sha256: str
    size: int
    pages: int
    chunks: int
    outcome: Outcome
    created: str
    updated: str
    trashed: str = ""
    """When it went to the trash; empty while it is live."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that gave no document, with the reason; known by content and reader version."""

    uri: str
    name: str
    media_type: str
    sha256: str
    size: int
    reader: str
    outcome: Outcome
    when: str


def text_digest(text: str) -> str:
    """The name under which the vector of a text is kept (64 hex digits)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
