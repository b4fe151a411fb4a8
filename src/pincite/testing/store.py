"""A store in memory, true to the port: for tests of pipelines and of whatever holds a Library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.core.documents import Document, Failure, Revision, text_digest
from pincite.core.errors import EditConflict, IndexMismatch
from pincite.core.history import Origin, StoreChange, Verb
from pincite.core.ports import DocumentDraft, EmbedderIdentity, FileStat, Known
from pincite.core.reports import IngestReport
from pincite.testing.keeper import MemoryKeeper
from pincite.testing.reading import MOMENT, Kept, MemoryReading, Vectored

__all__ = ["MOMENT", "MemoryStore"]


class MemoryStore(MemoryReading):
    """Implements `pincite.core.ports.WritableStore`. Slow and simple on purpose."""

    @property
    def keeper(self) -> MemoryKeeper:
        return MemoryKeeper(self)

    def record(self, verb: Verb, document: Document, reason: str = "") -> None:
        """Note a change that has been made to what is present."""
        at = max([self.now(), *(change.at for change in self.log[-1:])])
        number = len(self.log) + 1
        self.log.append(StoreChange(number, at, verb, document.id, document.revision, document.uri, reason))
        self.past.append(dict(self.present))

    def keep_stats(self, stats: Sequence[FileStat], gone: Sequence[str] = ()) -> None:
        self._stats.update({stat.uri: stat for stat in stats})
        for uri in gone:
            self._stats.pop(uri, None)

    def known(self, uri: str) -> Known | None:
        failure = self.failed.get(uri)
        for document in self.present.values():
            if document.uri == uri:
                sha256, reader, outcome = self.kept[document.id].file
                return Known(document.id, document.revision, sha256, reader, failure, outcome)
        for document, why in reversed(self.bin.values()):
            if document.uri == uri:
                sha256, reader, outcome = self.kept[document.id].file
                return Known(None, document.revision, sha256, reader, failure, outcome, document.id, why)
        return Known(None, 0, "", "", failure) if failure else None

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        there = self.live_vectors()
        if there is not None and there.identity.key != identity.key:
            raise IndexMismatch(
                f"The store {self._name} was embedded with {there.identity.name}, not with {identity.name}.",
                "Use the same embedder, or ingest into a new store.",
            )
        if there is None:
            self.vectored.append(Vectored(len(self.vectored) + 1, identity, "live"))

    def stored_vectors(self, digests: Sequence[str]) -> Mapping[str, bytes]:
        there = self.live_vectors()
        return {d: there.rows[d] for d in digests if d in there.rows} if there else {}

    def save(self, draft: DocumentDraft) -> Document:
        uri = draft.source.uri
        known = self.known(uri)
        earlier = (known.document or known.trashed) if known else None
        now = known.revision if known and known.document else 0
        if draft.expects not in (None, now):
            raise EditConflict(f"{uri} is at revision {now}, not at {draft.expects}.", "Make the change again.")
        number = earlier or max([0, *(change.document for change in self.log)]) + 1
        reading = draft.reading
        kept = self.kept.setdefault(number, Kept((draft.source.sha256, reading.reader, reading.outcome)))
        if draft.origin is Origin.FILE:
            kept.file = (draft.source.sha256, reading.reader, reading.outcome)
        self.add_revision(kept, draft)
        self.present = {**self.present, number: self._document(number, draft, kept)}
        self.bin.pop(number, None)
        there = self.live_vectors()
        for chunk, vector in zip(draft.chunks, draft.vectors, strict=True):
            if vector is not None and there is not None:
                there.rows[text_digest(chunk.searchable)] = vector
        self.failed.pop(uri, None)
        verbs = {Origin.FILE: Verb.UPDATED, Origin.EDIT: Verb.EDITED, Origin.RESTORED: Verb.RESTORED}
        self.record(Verb.ADDED if len(kept.revisions) == 1 else verbs[draft.origin], self.present[number], draft.reason)
        return self.present[number]

    def add_revision(self, kept: Kept, draft: DocumentDraft) -> None:
        number, source = len(kept.revisions) + 1, draft.source
        kept.revisions.append(Revision(number, source.sha256, source.size, draft.reading, self.now(), draft.reason))
        kept.origins.append(draft.origin)
        kept.chunks.append({self._next + place: chunk for place, chunk in enumerate(draft.chunks)})
        self._next += len(draft.chunks)

    def _document(self, number: int, draft: DocumentDraft, kept: Kept) -> Document:
        source = draft.source
        return Document(
            id=number,
            uri=source.uri,
            name=source.name,
            media_type=source.media_type,
            title=draft.reading.title,
            collection=draft.collection,
            corpus=draft.corpus,
            tags=tuple(sorted(set(draft.tags))),
            revision=len(kept.revisions),
            sha256=source.sha256,
            size=source.size,
            pages=len(draft.reading.pages),
            chunks=sum(chunk.indexed for chunk in draft.chunks),
            outcome=draft.reading.outcome,
            created=kept.revisions[0].created,
            updated=kept.revisions[-1].created,
        )

    def save_failure(self, failure: Failure) -> None:
        self.failed[failure.uri] = failure

    def save_run(self, report: IngestReport, started: str, ended: str) -> None:
        self._last_run = ended
