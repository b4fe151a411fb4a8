"""What a librarian does with a store: names, labels, revisions of old, the trash, vectors of another embedder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pincite.adapters.sqlite import generations
from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import BELOW
from pincite.adapters.sqlite.fulltext import LIVE, PAST, move_words
from pincite.adapters.sqlite.lives import (
    SELECT_LIFE,
    Ledger,
    Life,
    current_life,
    document_of_life,
    last_life,
    tags_text,
)
from pincite.adapters.sqlite.purging import purge_documents
from pincite.core.documents import Document
from pincite.core.errors import UnknownName, UsageError
from pincite.core.history import Generation, Origin, PurgeReport, Selection, TrashReason, Verb
from pincite.core.ports import Clock, EmbedderIdentity

_COPIED = "sha256, size, reader, outcome, partial, title, metadata, text, pages, blocks, page_count, chunk_count"


class SqliteKeeper:
    """Implements `pincite.core.ports.Keeper`."""

    def __init__(self, database: Database, ledger: Ledger, now: Clock) -> None:
        self._database = database
        self._ledger = ledger
        self._now = now

    def rename(self, document: int, uri: str, name: str) -> Document:
        with self._database.transaction():
            life = self._live(document)
            inside = self._database.rows(
                f"SELECT {SELECT_LIFE} FROM lives l WHERE l.until IS NULL AND l.document <> ? AND "
                + BELOW.format("l.uri"),
                (document, *_attachments_of(life.uri)),
            )
            self._check_free(uri, document)
            self._ledger.alter(replace(life, uri=uri, name=name), Verb.RENAMED)
            for child in (Life(*row) for row in inside):
                moved = uri + child.uri[len(life.uri) :]
                self._check_free(moved, child.document)
                self._ledger.alter(replace(child, uri=moved), Verb.RENAMED)
            return self._document(document)

    def relabel(self, document: int, collection: str, tags: Sequence[str]) -> Document:
        with self._database.transaction():
            labelled = replace(self._live(document), collection=collection, tags=tags_text(tags))
            self._ledger.alter(labelled, Verb.RELABELLED)
            return self._document(document)

    def restore_revision(self, document: int, number: int, reason: str) -> Document:
        with self._database.transaction():
            life = self._live(document)
            old = self._database.row("SELECT id FROM revisions WHERE document = ? AND number = ?", (document, number))
            if old is None:
                raise UnknownName(f"{life.name} has no revision {number}.", f"See: pincite history {document}")
            fresh = self._copied(document, int(old[0]), reason)
            change = self._ledger.record(Verb.RESTORED, document, fresh.number, reason)
            move_words(self._database, life.revision, source=LIVE, target=PAST)
            move_words(self._database, fresh.revision, source=PAST, target=LIVE)
            self._ledger.end(document, change)
            self._ledger.begin(_with_content(life, fresh), change)
            return self._document(document)

    def trash(self, documents: Sequence[int], why: TrashReason, reason: str = "") -> None:
        with self._database.transaction():
            for document in documents:
                life = self._live(document)
                change = self._ledger.record(Verb.TRASHED, document, life.number, reason)
                move_words(self._database, life.revision, source=LIVE, target=PAST)
                self._ledger.end(document, change)
                self._database.rows(
                    "UPDATE documents SET trashed = (SELECT at FROM changes WHERE number = ?), why_trashed = ?"
                    " WHERE id = ?",
                    (change, why.value, document),
                )

    def untrash(self, documents: Sequence[int], reason: str = "") -> list[Document]:
        with self._database.transaction():
            for document in documents:
                life = self._trashed(document)
                self._check_free(life.uri, document)
                change = self._ledger.record(Verb.UNTRASHED, document, life.number, reason)
                move_words(self._database, life.revision, source=PAST, target=LIVE)
                self._ledger.begin(life, change)
            return [self._document(document) for document in documents]

    def purge(self, chosen: Selection, token: str) -> PurgeReport:
        return purge_documents(self._database, self._ledger, chosen, token)

    def drop_failures(self, uris: Sequence[str]) -> None:
        with self._database.transaction():
            self._database.many("DELETE FROM failures WHERE uri = ?", [(uri,) for uri in uris])

    def begin_generation(self, identity: EmbedderIdentity) -> Generation:
        return generations.begin_generation(self._database, identity, self._now)

    def add_vectors(self, generation: int, vectors: Mapping[str, bytes]) -> None:
        generations.add_vectors(self._database, generation, vectors)

    def switch_generation(self, generation: int) -> bool:
        return generations.switch_generation(self._database, generation)

    def drop_generation(self, generation: int) -> None:
        generations.drop_generation(self._database, generation)

    def _live(self, document: int) -> Life:
        life = current_life(self._database, document)
        if life is None:
            raise UnknownName(f"There is no live document {document}.", "See: pincite list, pincite list --trash")
        return life

    def _trashed(self, document: int) -> Life:
        row = self._database.row("SELECT id FROM documents WHERE id = ? AND trashed <> ''", (document,))
        life = last_life(self._database, document) if row else None
        if life is None:
            raise UnknownName(f"There is no document {document} in the trash.", "See: pincite list --trash")
        return life

    def _check_free(self, uri: str, document: int) -> None:
        taken = self._database.row(
            "SELECT document FROM lives WHERE uri = ? AND until IS NULL AND document <> ?", (uri, document)
        )
        if taken:
            raise UsageError(
                f"{uri} is taken by document {taken[0]}.",
                f"Forget that one first: pincite forget --document {taken[0]}",
            )

    def _document(self, document: int) -> Document:
        row = self._database.row(
            f"SELECT {SELECT_LIFE} FROM lives l WHERE l.document = ? AND l.until IS NULL", (document,)
        )
        if row is None:
            raise UnknownName(f"There is no live document {document}.", "See: pincite list")
        return document_of_life(row)

    def _copied(self, document: int, old: int, reason: str) -> Life:
        """A new revision with the content and the chunks of an old one; its words wait in the past's table."""
        database = self._database
        database.rows(
            f"INSERT INTO revisions (document, number, {_COPIED}, created, reason, origin)"
            f" SELECT document, (SELECT max(number) + 1 FROM revisions WHERE document = ?1), {_COPIED}, ?2, ?3, ?4"
            " FROM revisions WHERE id = ?5",
            (document, self._ledger.moment(), reason, Origin.RESTORED.value, old),
        )
        fresh = database.last_key
        database.rows(
            "INSERT INTO chunks (id, revision, ordinal, locator, parent, indexed, digest, text, words)"
            " SELECT id, ?, ordinal, locator, parent, indexed, digest, text, words FROM chunks"
            " WHERE revision = ? ORDER BY ordinal",
            (fresh, old),
        )
        life = last_life(database, document)
        row = database.row(
            "SELECT number, title, sha256, size, page_count, chunk_count, outcome, created FROM revisions WHERE id = ?",
            (fresh,),
        )
        if life is None or row is None:
            raise UnknownName(f"There is no document {document}.", "See: pincite list")
        number, title, sha256, size, pages, chunks, outcome, created = row
        return replace(
            life,
            revision=fresh,
            number=number,
            title=title,
            sha256=sha256,
            size=size,
            pages=pages,
            chunks=chunks,
            outcome=outcome,
            updated=created,
        )


def _with_content(life: Life, content: Life) -> Life:
    """The content of a revision under the name and labels that the document has now."""
    return replace(
        content,
        uri=life.uri,
        name=life.name,
        media_type=life.media_type,
        collection=life.collection,
        corpus=life.corpus,
        tags=life.tags,
    )


def _attachments_of(uri: str) -> tuple[str, str, str, str, str]:
    """The values for BELOW that mean only what is inside a file, not what is in a folder of that name."""
    return f"{uri}#", f"{uri}#", f"{uri}#", f"{uri}#", f"{uri}$"
