"""The librarian's verbs of the store in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.core.documents import Document, Source, text_digest
from pincite.core.drafts import DocumentDraft
from pincite.core.errors import UnknownName, UsageError
from pincite.core.history import Generation, Origin, PurgeReport, Selection, TrashReason, Verb, selection
from pincite.core.ports import EmbedderIdentity, Known
from pincite.testing.reading import Vectored

if TYPE_CHECKING:
    from pincite.testing.store import MemoryStore


class MemoryKeeper:
    """Implements `pincite.core.ports.Keeper`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def rename(self, document: int, uri: str, name: str) -> Document:
        old = self._live(document)
        moved = [(old, replace(old, uri=uri, name=name))]
        moved += [
            (child, replace(child, uri=uri + child.uri[len(old.uri) :]))
            for child in self._store.present.values()
            if child.uri.startswith(f"{old.uri}#")
        ]
        for before, after in moved:
            self._check_free(after.uri, before.id)
        for _, after in moved:
            self._set(after, Verb.RENAMED)
        return self._live(document)

    def relabel(self, document: int, collection: str, tags: Sequence[str]) -> Document:
        labelled = replace(self._live(document), collection=collection, tags=tuple(sorted(set(tags))))
        return self._set(labelled, Verb.RELABELLED)

    def restore_revision(self, document: int, number: int, reason: str) -> Document:
        store, now = self._store, self._live(document)
        kept = store.kept[document]
        if not 0 < number <= len(kept.revisions):
            raise UnknownName(f"{now.name} has no revision {number}.", "pincite history")
        old = kept.revisions[number - 1]
        source = Source(now.uri, now.name, now.media_type, old.sha256, old.size, "")
        chunks = tuple(kept.chunks[number - 1].values())
        draft = DocumentDraft(source, old.reading, chunks, (), reason=reason, origin=Origin.RESTORED)
        store.add_revision(kept, draft)
        fresh = replace(
            now,
            revision=len(kept.revisions),
            title=old.reading.title,
            sha256=old.sha256,
            size=old.size,
            pages=len(old.reading.pages),
            chunks=sum(chunk.indexed for chunk in chunks),
            outcome=old.reading.outcome,
            updated=kept.revisions[-1].created,
        )
        return self._set(fresh, Verb.RESTORED, reason)

    def trash(self, documents: Sequence[int], why: TrashReason, reason: str = "") -> None:
        for document in [self._live(document) for document in documents]:
            store = self._store
            store.present = {number: held for number, held in store.present.items() if number != document.id}
            store.record(Verb.TRASHED, document, reason)
            store.bin[document.id] = (replace(document, trashed=store.log[-1].at), why)

    def untrash(self, documents: Sequence[int], reason: str = "") -> list[Document]:
        for document in documents:
            if document not in self._store.bin:
                raise UnknownName(f"There is no document {document} in the trash.", "pincite list --trash")
            self._check_free(self._store.bin[document][0].uri, document)
        return [
            self._set(replace(self._store.bin.pop(document)[0], trashed=""), Verb.UNTRASHED, reason)
            for document in documents
        ]

    def purge(self, chosen: Selection, token: str) -> PurgeReport:
        store = self._store
        ids = [document.id for document in chosen.documents]
        there = [store.bin[number][0] for number in ids if number in store.bin]
        if not ids or len(there) != len(ids) or selection(there).token != token:
            raise UsageError("What is in the trash is not what was previewed.", "Look at the preview again.")
        gone = [store.kept.pop(number) for number in ids]
        for document in there:
            del store.bin[document.id]
            store.past = [{n: d for n, d in state.items() if n != document.id} for state in store.past]
            store.log = [replace(c, uri="", reason="") if c.document == document.id else c for c in store.log]
            store.record(Verb.PURGED, replace(document, uri="", revision=0))
            self._forget_file(document.uri)
        dropped = self._drop_orphans()
        chunks = sum(len(chunks) for kept in gone for chunks in kept.chunks)
        return PurgeReport(len(ids), sum(len(kept.revisions) for kept in gone), chunks, dropped, 0, 0, 0, ())

    def drop_failures(self, uris: Sequence[str]) -> None:
        for uri in uris:
            self._store.failed.pop(uri, None)

    def begin_generation(self, identity: EmbedderIdentity) -> Generation:
        store = self._store
        if all(vectored.identity.key != identity.key for vectored in store.vectored):
            number = max([0, *(vectored.id for vectored in store.vectored)]) + 1
            store.vectored.append(Vectored(number, identity, "building"))
        return next(found for found in store.generations() if found.key == identity.key)

    def add_vectors(self, generation: int, vectors: Mapping[str, bytes]) -> None:
        wanted = self._store.texts_without_vector(generation, 1 << 30)
        there = next(vectored for vectored in self._store.vectored if vectored.id == generation)
        there.rows.update({digest: row for digest, row in vectors.items() if digest in wanted})

    def switch_generation(self, generation: int) -> bool:
        if self._store.texts_without_vector(generation, 1):
            return False
        for vectored in self._store.vectored:
            if vectored.state == "live":
                vectored.state = "retired"
            if vectored.id == generation:
                vectored.state = "live"
        return True

    def drop_generation(self, generation: int) -> None:
        there = [vectored for vectored in self._store.vectored if vectored.id == generation]
        if not there:
            raise UnknownName(f"There is no generation {generation} of vectors.", "pincite reindex --list")
        if there[0].state == "live":
            raise UsageError("These vectors are the ones that searches use.", "Switch to others first.")
        self._store.vectored.remove(there[0])

    def _live(self, document: int) -> Document:
        if document not in self._store.present:
            raise UnknownName(f"There is no live document {document}.", "pincite list")
        return self._store.present[document]

    def _set(self, document: Document, verb: Verb, reason: str = "") -> Document:
        self._store.present = {**self._store.present, document.id: document}
        self._store.record(verb, document, reason)
        return document

    def _check_free(self, uri: str, document: int) -> None:
        for other in self._store.present.values():
            if other.uri == uri and other.id != document:
                raise UsageError(f"{uri} is taken by document {other.id}.", "Forget that one first.")

    def _forget_file(self, uri: str) -> None:
        store = self._store
        if store.known(uri) in (None, Known(None, 0, "", "", store.failed.get(uri))):
            self.drop_failures([uri])
            store.keep_stats([], gone=[uri])

    def _drop_orphans(self) -> int:
        texts = {
            text_digest(chunk.searchable)
            for kept in self._store.kept.values()
            for chunks in kept.chunks
            for chunk in chunks.values()
        }
        dropped = 0
        for vectored in self._store.vectored:
            orphans = [digest for digest in vectored.rows if digest not in texts]
            dropped += len(orphans)
            for digest in orphans:
                del vectored.rows[digest]
        return dropped
