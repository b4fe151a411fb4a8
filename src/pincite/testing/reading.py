"""What can be read of the store in memory: the present, or any moment of its past."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.core.answers import Coverage, DocumentRef, Passage
from pincite.core.documents import Chunk, Document, Failure, Outcome, OutcomeKind, Revision, text_digest
from pincite.core.errors import UnknownName
from pincite.core.finding import find_document
from pincite.core.history import Generation, Origin, RevisionNote, StoreChange, TrashReason
from pincite.core.moments import moment_of
from pincite.core.ports import Clock, EmbedderIdentity, FileStat, Filter
from pincite.core.reports import StoreStatus
from pincite.testing.lanes import MemoryLexical, MemoryVectors, inside

MOMENT = "2026-01-01T00:00:00+00:00"


@dataclass
class Kept:
    """All revisions of a document, the chunks of each under their keys, and the file that was last read."""

    file: tuple[str, str, Outcome]
    revisions: list[Revision] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    chunks: list[dict[int, Chunk]] = field(default_factory=list)


@dataclass
class Vectored:
    """The vectors of one embedder."""

    id: int
    identity: EmbedderIdentity
    state: str
    rows: dict[str, bytes] = field(default_factory=dict)


class MemoryReading:
    """The reading half. Implements `pincite.core.ports.Store`."""

    def __init__(self, name: str = "memory", now: Clock = lambda: MOMENT) -> None:
        self._name = name
        self.now = now
        self.kept: dict[int, Kept] = {}
        self.present: dict[int, Document] = {}
        """What is live, as of the moment that this store shows."""
        self.past: list[dict[int, Document]] = [{}]
        """What was live after each change."""
        self.bin: dict[int, tuple[Document, TrashReason]] = {}
        self.log: list[StoreChange] = []
        self.failed: dict[str, Failure] = {}
        self.vectored: list[Vectored] = []
        self._stats: dict[str, FileStat] = {}
        self._next = 1
        self._fixed: int | None = None
        self._last_run = ""

    @property
    def name(self) -> str:
        return self._name

    @property
    def lexical(self) -> MemoryLexical:
        return MemoryLexical(self)

    @property
    def vectors(self) -> MemoryVectors:
        return MemoryVectors(self)

    @property
    def moment(self) -> int:
        return len(self.log) if self._fixed is None else self._fixed

    def as_of(self, when: str) -> MemoryReading:
        number = int(when) if when.isdigit() else 0
        if not when.isdigit():
            moment = moment_of(when)
            number = sum(change.at <= moment for change in self.log)
        if number >= len(self.past):
            raise UnknownName(f"The store has made {len(self.log)} changes; there is no change {when}.", "pincite log")
        view = copy.copy(self)
        view.present, view._fixed = self.past[number], number
        return view

    def live(self, where: Filter) -> dict[int, tuple[Document, Chunk]]:
        """The indexed chunks that are present and inside a filter, by key."""
        return {
            key: (document, chunk)
            for document in self.present.values()
            if inside(document, where)
            for key, chunk in self.kept[document.id].chunks[document.revision - 1].items()
            if chunk.indexed
        }

    def documents(self, where: Filter) -> list[Document]:
        return sorted((d for d in self.present.values() if inside(d, where)), key=lambda document: document.uri)

    def trash(self, where: Filter) -> list[Document]:
        return sorted((d for d, _ in self.bin.values() if inside(d, where)), key=lambda d: (d.uri, d.id))

    def find(self, reference: str) -> Document:
        return find_document(reference, self.documents)

    def find_in_trash(self, reference: str) -> Document:
        return find_document(reference, self.trash, where="in the trash")

    def history(self, document: int) -> tuple[list[RevisionNote], list[StoreChange]]:
        if document not in self.kept:
            raise UnknownName(f"There is no document {document}.", "pincite list")
        kept, now = self.kept[document], self.present.get(document)
        notes = [
            RevisionNote(
                number=revision.number,
                created=revision.created,
                origin=origin,
                reason=revision.reason,
                sha256=revision.sha256,
                size=revision.size,
                reader=revision.reading.reader,
                outcome=revision.reading.outcome,
                pages=len(revision.reading.pages),
                chunks=sum(chunk.indexed for chunk in chunks.values()),
                live=now is not None and now.revision == revision.number,
            )
            for revision, origin, chunks in zip(kept.revisions, kept.origins, kept.chunks, strict=True)
        ]
        return notes, [change for change in self.log if change.document == document]

    def changes(self, limit: int) -> list[StoreChange]:
        return self.log[::-1][:limit]

    def stats(self, under: str) -> dict[str, FileStat]:
        root = under.rstrip("/")
        return {u: s for u, s in self._stats.items() if u == root or u.startswith((f"{root}/", f"{root}#"))}

    def revision(self, document: int, number: int | None = None) -> Revision:
        place = self._place(document, number)
        return self.kept[document].revisions[place]

    def chunks(self, document: int, number: int | None = None) -> list[Chunk]:
        place = self._place(document, number)
        return list(self.kept[document].chunks[place].values())

    def _place(self, document: int, number: int | None) -> int:
        kept, now = self.kept.get(document), self.present.get(document)
        if kept is not None and number is None and now is not None:
            return now.revision - 1
        if kept is not None and number is not None and 0 < number <= len(kept.revisions):
            return number - 1
        raise UnknownName(f"Document {document} has no revision {number or ''}.", "pincite list")

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        found = {}
        for document in self.present.values():
            for key, chunk in self.kept[document.id].chunks[document.revision - 1].items():
                found[key] = Passage(key, chunk, _ref(document))
        return [found[key] for key in keys if key in found]

    def parents(self, keys: Sequence[int]) -> Mapping[int, Passage]:
        found = {}
        for document in self.present.values():
            chunks = self.kept[document.id].chunks[document.revision - 1]
            by_id = {chunk.id: (key, chunk) for key, chunk in chunks.items()}
            for key in set(keys) & set(chunks):
                if parent := by_id.get(chunks[key].parent or ""):
                    found[key] = Passage(parent[0], parent[1], _ref(document))
        return found

    def failures(self) -> list[Failure]:
        return sorted(self.failed.values(), key=lambda failure: failure.uri)

    def coverage(self) -> Coverage:
        documents = self.documents(Filter())
        partial = sum(document.outcome.kind is OutcomeKind.PARTIAL for document in documents)
        return Coverage(len(documents), len(self.live(Filter())), partial, len(self.failed))

    def status(self) -> StoreStatus:
        return StoreStatus(
            name=self._name,
            path=":memory:",
            bytes=sum(len(self.revision(document).text) for document in self.present),
            schema=1,
            coverage=self.coverage(),
            collections=dict(Counter(document.collection for document in self.documents(Filter()))),
            embedder=next((v.identity.name for v in self.vectored if v.state == "live"), ""),
            vectors=self.vectors.size(),
            last_run=self._last_run,
            moment=self.moment,
            trashed=len(self.bin),
        )

    def live_vectors(self) -> Vectored | None:
        return next((vectored for vectored in self.vectored if vectored.state == "live"), None)

    def generations(self) -> list[Generation]:
        found = [
            Generation(
                id=each.id,
                name=each.identity.name,
                key=each.identity.key,
                state=each.state,
                vectors=len(each.rows),
                missing=len(self.texts_without_vector(each.id, 1 << 30)),
                created=MOMENT,
            )
            for each in self.vectored
        ]
        return sorted(found, key=lambda generation: (generation.state != "live", -generation.id))

    def texts_without_vector(self, generation: int, limit: int) -> dict[str, str]:
        there = next(vectored.rows for vectored in self.vectored if vectored.id == generation)
        texts = [
            chunk.searchable
            for kept in self.kept.values()
            for chunks in kept.chunks
            for chunk in chunks.values()
            if chunk.indexed
        ]
        return dict([(text_digest(t), t) for t in texts if text_digest(t) not in there][:limit])

    def vector_of(self, chunk: Chunk) -> bytes | None:
        there = self.live_vectors()
        return there.rows.get(text_digest(chunk.searchable)) if there else None

    def identity_key(self) -> str:
        there = self.live_vectors()
        return there.identity.key if there else ""


def _ref(document: Document) -> DocumentRef:
    d = document
    return DocumentRef(d.id, d.uri, d.name, d.title, d.revision, d.sha256)
