"""Files to documents: read, chunk, embed what is new, one transaction a document, a reason for every file.

Documents wait in a small batch so that the embedder gets passages of many small files at once; nothing is
open in the store while they wait, and a document becomes visible only when all of it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pincite.core.chunking import Profile, chunk_reading
from pincite.core.documents import Chunk, Corpus, Failure, Outcome, OutcomeKind, Reading, Source, text_digest
from pincite.core.headings import with_run_in_headings
from pincite.core.ports import Clock, DocumentDraft, DocumentReader, Embedder, Known, WritableStore
from pincite.core.reports import Change, IngestEntry, IngestProgress, IngestReport
from pincite.pipelines.stopwatch import Stopwatch

BATCH = 192
"""Passages that are gathered before they are embedded and their documents saved."""

Progress = Callable[[IngestProgress], None]
Identify = Callable[[Path], Source | Outcome]


@dataclass(frozen=True)
class Ingester:
    """What an ingest needs. `identify` makes a Source of a path, or says why it cannot."""

    store: WritableStore
    reader: DocumentReader
    identify: Identify
    embedder: Embedder | None
    no_embedder: str
    profile: Profile
    now: Clock


@dataclass(frozen=True)
class Labels:
    """What the user says of the documents of a run."""

    collection: str = ""
    tags: tuple[str, ...] = ()
    corpus: Corpus = Corpus.KNOWLEDGE


def ingest_files(
    ingester: Ingester, paths: Sequence[Path], labels: Labels, progress: Progress | None = None
) -> IngestReport:
    """Every path ends as an entry. Raises StoreLocked, IndexMismatch, BackendError: what was saved stays."""
    if ingester.embedder is not None:
        ingester.store.use_embedder(ingester.embedder.identity)
    run = _Run(ingester, labels, len(paths), progress)
    started = ingester.now()
    try:
        with run.watch.stage("total"):
            for path in paths:
                run.take(path)
            run.flush()
    finally:
        report = run.report()
        ingester.store.save_run(report, started, ingester.now())
    return report


@dataclass(frozen=True)
class _Waiting:
    """A document that is read and chunked and waits for its vectors."""

    index: int
    source: Source
    reading: Reading
    chunks: tuple[Chunk, ...]
    known: Known | None


class _Run:
    """The state of one ingest: entries by place, documents that wait, counts."""

    def __init__(self, ingester: Ingester, labels: Labels, total: int, progress: Progress | None) -> None:
        self.ingester = ingester
        self.labels = labels
        self.total = total
        self.progress = progress
        self.entries: dict[int, IngestEntry] = {}
        self.waiting: list[_Waiting] = []
        self.watch = Stopwatch()
        self.embedded = self.reused = self.passages = self.taken = 0

    def report(self) -> IngestReport:
        return IngestReport(
            entries=tuple(self.entries[index] for index in sorted(self.entries)),
            embedded=self.embedded,
            reused=self.reused,
            lexical_only=self.ingester.no_embedder if self.ingester.embedder is None else "",
            seconds=dict(self.watch.seconds),
        )

    def take(self, path: Path) -> None:
        """Read and chunk one file; flush when enough passages wait."""
        index, self.taken = self.taken, self.taken + 1
        with self.watch.stage("read"):
            source = self.ingester.identify(path)
        if isinstance(source, Outcome):
            self._done(index, self._unreadable(path, source))
            return
        known = self.ingester.store.known(source.uri)
        settled = self._settled(source, known)
        if settled is not None:
            self._done(index, settled)
            return
        with self.watch.stage("read"):
            reading = self.ingester.reader.read(source)
        if not reading.outcome.usable:
            self._done(index, self._failed(source, reading.outcome, reading.reader, known))
            return
        with self.watch.stage("chunk"):
            reading = replace(reading, blocks=with_run_in_headings(reading.text, reading.blocks))
            chunks = self._chunks(reading, source)
        self._wait(_Waiting(index, source, reading, chunks, known))

    def _wait(self, item: _Waiting) -> None:
        if not item.chunks:
            outcome = Outcome(OutcomeKind.EMPTY, message="The file holds no text that can be indexed.")
            self._done(item.index, self._failed(item.source, outcome, item.reading.reader, item.known))
            return
        self.waiting.append(item)
        if sum(len(waiting.chunks) for waiting in self.waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Embed what the waiting documents need and save each in its own transaction."""
        waiting, self.waiting = self.waiting, []
        chunks = [chunk for item in waiting for chunk in item.chunks if chunk.indexed]
        vectors = self._vectors(chunks, waiting[-1].source.name) if waiting else {}
        for item in waiting:
            draft = DocumentDraft(
                source=item.source,
                reading=item.reading,
                chunks=item.chunks,
                vectors=tuple(vectors.get(text_digest(c.searchable)) if c.indexed else None for c in item.chunks),
                collection=self.labels.collection,
                corpus=self.labels.corpus,
                tags=self.labels.tags,
            )
            with self.watch.stage("store"):
                document = self.ingester.store.save(draft)
            change = Change.UPDATED if item.known and item.known.document is not None else Change.ADDED
            entry = IngestEntry(
                uri=item.source.uri,
                name=item.source.name,
                change=change,
                outcome=item.reading.outcome,
                document=document.id,
                chunks=len(item.chunks),
            )
            self.passages += len(item.chunks)
            self._done(item.index, entry)

    def _chunks(self, reading: Reading, source: Source) -> tuple[Chunk, ...]:
        embedder = self.ingester.embedder
        if embedder is None:
            return chunk_reading(reading, source.sha256, self.ingester.profile)
        window = embedder.identity.window
        return chunk_reading(reading, source.sha256, self.ingester.profile, embedder.count_tokens, window)

    def _vectors(self, chunks: Sequence[Chunk], name: str) -> dict[str, bytes]:
        """A vector by text digest for each chunk; only texts that have none yet are embedded.
        `name` is what a long embedding shows meanwhile."""
        embedder = self.ingester.embedder
        if embedder is None or not chunks:
            return {}
        texts = {text_digest(chunk.searchable): chunk.searchable for chunk in chunks}
        vectors = dict(self.ingester.store.stored_vectors(list(texts)))
        fresh = [digest for digest in texts if digest not in vectors]
        self.reused += len(vectors)
        for first in range(0, len(fresh), BATCH):
            if first:
                self._show(name, None)
            some = fresh[first : first + BATCH]
            with self.watch.stage("embed"):
                rows = embedder.embed_passages([texts[digest] for digest in some])
            vectors.update((digest, rows.row(index)) for index, digest in enumerate(some))
            self.embedded += len(some)
        return vectors

    def _settled(self, source: Source, known: Known | None) -> IngestEntry | None:
        """An entry for a file that needs no work: unchanged, or known to fail with this very reader."""
        if known is None:
            return None
        reader = self.ingester.reader.version_for(source.media_type)
        failure = known.failure
        if failure and (failure.sha256, failure.reader) == (source.sha256, reader):
            return replace(self._entry(source, Change.FAILED, failure.outcome, known), known=True)
        if known.document is not None and (known.sha256, known.reader) == (source.sha256, reader):
            outcome = Outcome(OutcomeKind.WHOLE)
            return replace(self._entry(source, Change.UNCHANGED, outcome, known), kept_revision=None)
        return None

    def _failed(self, source: Source, outcome: Outcome, reader: str, known: Known | None) -> IngestEntry:
        failure = Failure(
            uri=source.uri,
            name=source.name,
            media_type=source.media_type,
            sha256=source.sha256,
            size=source.size,
            reader=reader,
            outcome=outcome,
            when=self.ingester.now(),
        )
        self.ingester.store.save_failure(failure)
        return self._entry(source, Change.FAILED, outcome, known)

    def _unreadable(self, path: Path, outcome: Outcome) -> IngestEntry:
        """A file whose bytes could not even be read: recorded under its path, with no hash."""
        uri = path.absolute().as_posix()
        source = Source(uri, path.name, "application/octet-stream", "", 0, str(path))
        return self._failed(source, outcome, "none/0", self.ingester.store.known(uri))

    def _entry(self, source: Source, change: Change, outcome: Outcome, known: Known | None) -> IngestEntry:
        live = known.document if known else None
        return IngestEntry(
            uri=source.uri,
            name=source.name,
            change=change,
            outcome=outcome,
            document=live,
            kept_revision=known.revision if known and live is not None else None,
        )

    def _done(self, index: int, entry: IngestEntry) -> None:
        self.entries[index] = entry
        self._show(entry.name, entry)

    def _show(self, name: str, entry: IngestEntry | None) -> None:
        """Tell how far the run is: files that are done, and passages that have their vectors or are saved."""
        if self.progress:
            passages = max(self.passages, self.embedded + self.reused)
            self.progress(IngestProgress(len(self.entries), self.total, name, passages, entry))
