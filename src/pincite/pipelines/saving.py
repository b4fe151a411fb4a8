"""Readings to documents: chunked, embedded where a text is new, saved in one transaction each.

Documents wait in a small batch so that the embedder gets passages of many small files at once; nothing is
open in the store while they wait, and a document becomes visible only when all of it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pincite.core.chunking import Profile, chunk_reading
from pincite.core.documents import Chunk, Corpus, Document, Reading, Source, text_digest
from pincite.core.history import Origin
from pincite.core.ports import DocumentDraft, Embedder, Known, WritableStore
from pincite.core.reports import Change
from pincite.pipelines.stopwatch import Stopwatch

BATCH = 192
"""Passages that are gathered before they are embedded and their documents saved."""


@dataclass(frozen=True)
class Labels:
    """What the user says of the documents of a run."""

    collection: str = ""
    tags: tuple[str, ...] = ()
    corpus: Corpus = Corpus.KNOWLEDGE
    keep: bool = False
    """Documents that are there already keep the labels that they have."""


@dataclass(frozen=True)
class Waiting:
    """A document that is read and chunked and waits for its vectors."""

    index: int
    source: Source
    reading: Reading
    chunks: tuple[Chunk, ...]
    known: Known | None
    parent: str
    origin: Origin = Origin.FILE
    reason: str = ""
    expects: int | None = None
    """The revision that must be live when it is saved."""


Saved = Callable[[Waiting, Document, Change], None]


class Saver:
    """Gathers documents and saves them. `saved` is called for each; `show` while a long one is embedded."""

    def __init__(
        self,
        store: WritableStore,
        embedder: Embedder | None,
        profile: Profile,
        labels: Labels,
        watch: Stopwatch,
        saved: Saved,
        show: Callable[[str], None],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._profile = profile
        self._labels = labels
        self._watch = watch
        self._saved = saved
        self._show = show
        self._waiting: list[Waiting] = []
        self.embedded = self.reused = self.passages = 0

    def chunks(self, reading: Reading, source: Source) -> tuple[Chunk, ...]:
        with self._watch.stage("chunk"):
            if self._embedder is None:
                return chunk_reading(reading, source.sha256, self._profile)
            window = self._embedder.identity.window
            return chunk_reading(reading, source.sha256, self._profile, self._embedder.count_tokens, window)

    def add(self, item: Waiting) -> None:
        self._waiting.append(item)
        if sum(len(waiting.chunks) for waiting in self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Embed what the waiting documents need and save each in its own transaction."""
        waiting, self._waiting = self._waiting, []
        chunks = [chunk for item in waiting for chunk in item.chunks if chunk.indexed]
        vectors = self._vectors(chunks, waiting[-1].source.name) if waiting else {}
        for item in waiting:
            labels = self._labels_of(item.known)
            draft = DocumentDraft(
                source=item.source,
                reading=item.reading,
                chunks=item.chunks,
                vectors=tuple(vectors.get(text_digest(c.searchable)) if c.indexed else None for c in item.chunks),
                collection=labels.collection,
                corpus=labels.corpus,
                tags=labels.tags,
                reason=item.reason,
                origin=item.origin,
                expects=item.expects,
            )
            with self._watch.stage("store"):
                document = self._store.save(draft)
            self.passages += len(item.chunks)
            there = item.known is not None and item.known.document is not None
            self._saved(item, document, Change.UPDATED if there else Change.ADDED)

    def holds(self, known: Known | None, source: Source, reading: Reading, chunks: Sequence[Chunk]) -> bool:
        """Whether the live revision is just this, with every vector that it should have."""
        if known is None or known.document is None or known.sha256 != source.sha256 or known.failure or not chunks:
            return False
        if self._store.revision(known.document).reading != replace(reading, attachments=()):
            return False
        if tuple(self._store.chunks(known.document)) != tuple(chunks):
            return False
        digests = {text_digest(chunk.searchable) for chunk in chunks if chunk.indexed}
        return self._embedder is None or digests == set(self._store.stored_vectors(list(digests)))

    def _labels_of(self, known: Known | None) -> Labels:
        if self._labels.keep and known is not None and known.document is not None:
            document = self._store.find(str(known.document))
            return Labels(document.collection, document.tags, document.corpus)
        return self._labels

    def _vectors(self, chunks: Sequence[Chunk], name: str) -> dict[str, bytes]:
        """A vector by text digest for each chunk; only texts that have none yet are embedded.
        `name` is what a long embedding shows meanwhile."""
        if self._embedder is None or not chunks:
            return {}
        texts = {text_digest(chunk.searchable): chunk.searchable for chunk in chunks}
        vectors = dict(self._store.stored_vectors(list(texts)))
        fresh = [digest for digest in texts if digest not in vectors]
        self.reused += len(vectors)
        for first in range(0, len(fresh), BATCH):
            if first:
                self._show(name)
            some = fresh[first : first + BATCH]
            with self._watch.stage("embed"):
                rows = self._embedder.embed_passages([texts[digest] for digest in some])
            vectors.update((digest, rows.row(index)) for index, digest in enumerate(some))
            self.embedded += len(some)
        return vectors
