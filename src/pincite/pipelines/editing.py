"""A person's change of a plain text: read, chunked and embedded like a file, saved as a revision of its own."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pincite.core.documents import Block, BlockKind, Document, Reading, Revision, Source
from pincite.core.errors import EditConflict, UsageError
from pincite.core.headings import with_run_in_headings
from pincite.core.history import Origin
from pincite.core.storage import Store
from pincite.pipelines.ingest import Ingester
from pincite.pipelines.saving import Labels, Saver, Waiting
from pincite.pipelines.stopwatch import Stopwatch

MARKDOWN = "text/markdown"
EDITABLE = ("text/plain", MARKDOWN)


@dataclass(frozen=True, slots=True)
class Editable:
    """The text of a document as a person would edit it."""

    document: Document
    text: str
    exact: bool
    """False when the source of a Markdown file is not at hand: its headings, tables and code are then marked anew
    from what was read, and other marks are lost."""


def editable_text(store: Store, reference: str) -> Editable:
    """What to begin an edit with. Raises UnknownName, UsageError for a kind that cannot be edited."""
    document = store.find(reference)
    _check_kind(document)
    revision = store.revision(document.id, document.revision)
    if document.media_type != MARKDOWN:
        return Editable(document, revision.text, True)
    source = _source_on_disk(document)
    return Editable(document, _marked_up(revision) if source is None else source, source is not None)


def edit_document(ingester: Ingester, reference: str, text: str, reason: str, expects: int | None) -> Document:
    """The document with this text as its new revision; as it is when the text is what it was. Raises UsageError,
    UnknownName, EditConflict, StoreLocked, IndexMismatch, BackendError."""
    document = ingester.store.find(reference)
    _check_kind(document)
    if expects is not None and expects != document.revision:
        raise EditConflict(
            f"{document.name} is at revision {document.revision}, not at {expects}: somebody changed it meanwhile.",
            "Look at what is there now and make the change again.",
        )
    with _as_file(document, text) as source:
        if source.sha256 == document.sha256:
            return document
        reading = ingester.reader.read(source)
    return _saved(ingester, document, source, _usable(document, reading), reason)


def _check_kind(document: Document) -> None:
    if document.media_type not in EDITABLE:
        raise UsageError(
            f"{document.name} is {document.media_type}: only plain text and Markdown can be edited here.",
            "Change the file with its own program and ingest it again.",
        )


@contextmanager
def _as_file(document: Document, text: str) -> Iterator[Source]:
    """The text as a file that the reader can open; it stands for the document, not for where it lies."""
    data = text.encode("utf-8", "replace")
    if not text.strip():
        raise UsageError("The text is empty: nothing was saved.", "To take a document away: pincite forget")
    with tempfile.TemporaryDirectory(prefix="pincite-edit-") as folder:
        path = Path(folder) / f"text{Path(document.name).suffix}"
        path.write_bytes(data)
        yield Source(
            uri=document.uri,
            name=document.name,
            media_type=document.media_type,
            sha256=hashlib.sha256(data).hexdigest(),
            size=len(data),
            path=str(path),
        )


def _usable(document: Document, reading: Reading) -> Reading:
    if not reading.outcome.usable:
        raise UsageError(
            f"The text for {document.name} cannot be read: {reading.outcome.message}", reading.outcome.hint
        )
    return replace(reading, blocks=with_run_in_headings(reading.text, reading.blocks))


def _saved(ingester: Ingester, document: Document, source: Source, reading: Reading, reason: str) -> Document:
    store, saved = ingester.store, list[Document]()
    if ingester.embedder is not None:
        store.use_embedder(ingester.embedder.identity)
    saver = Saver(
        store,
        ingester.embedder,
        ingester.profile,
        Labels(document.collection, document.tags, document.corpus),
        Stopwatch(),
        saved=lambda _, made, __: saved.append(made),
        show=lambda _: None,
    )
    chunks = saver.chunks(reading, source)
    if not any(chunk.indexed for chunk in chunks):
        raise UsageError("The text holds nothing that can be indexed.", "To take a document away: pincite forget")
    known = store.known(document.uri)
    saver.add(Waiting(0, source, reading, chunks, known, "", Origin.EDIT, reason, document.revision))
    saver.flush()
    return saved[0]


def _source_on_disk(document: Document) -> str | None:
    """The Markdown that the live revision was read from, if its file is still just that."""
    try:
        data = Path(document.uri).read_bytes()
        return data.decode("utf-8") if hashlib.sha256(data).hexdigest() == document.sha256 else None
    except (OSError, ValueError):
        return None


def _marked_up(revision: Revision) -> str:
    return "\n\n".join(_marked_block(block, revision.text) for block in revision.reading.blocks) or revision.text


def _marked_block(block: Block, text: str) -> str:
    words = text[block.start : block.end]
    if block.kind is BlockKind.HEADING and block.title_end:
        return f"**{text[block.start : block.title_end]}**{text[block.title_end : block.end]}"
    if block.kind is BlockKind.HEADING:
        return f"{'#' * min(max(block.level, 1), 6)} {words}"
    if block.kind is BlockKind.CODE:
        return f"```\n{words}\n```"
    if block.kind is BlockKind.TABLE:
        first, *rows = words.split("\n")
        return "\n".join([f"| {first} |", "|" + " --- |" * (first.count(" | ") + 1), *(f"| {row} |" for row in rows)])
    return words
