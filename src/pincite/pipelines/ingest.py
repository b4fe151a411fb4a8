"""Files to documents: read a few at a time, take out what is inside them, and give a reason for every file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pincite.core.chunking import Profile
from pincite.core.documents import Document, Failure, Outcome, OutcomeKind, Reading, Source
from pincite.core.headings import with_run_in_headings
from pincite.core.history import Origin
from pincite.core.ports import Clock, DocumentReader, Embedder, Known, PendingReading, WritableStore
from pincite.core.reports import Change, IngestEntry, IngestProgress, IngestReport
from pincite.pipelines.saving import Labels, Saver, Waiting
from pincite.pipelines.stopwatch import Stopwatch

_PATIENCE = 0.25
"""Seconds between two looks at how far a reading has got."""
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


def ingest_files(
    ingester: Ingester,
    paths: Sequence[Path],
    labels: Labels,
    progress: Progress | None = None,
    *,
    retry: bool = False,
    force: bool = False,
) -> IngestReport:
    """Every path ends as an entry, and so does every file inside one. With `retry` known failures are tried
    again, and what was read only in part; with `force` everything is read again, and what comes out as it was, or
    what a person has changed since, is unchanged. Raises StoreLocked, IndexMismatch, BackendError: what was saved
    stays.
    """
    if ingester.embedder is not None:
        ingester.store.use_embedder(ingester.embedder.identity)
    run = _Run(ingester, labels, len(paths), progress, retry, force)
    started = ingester.now()
    try:
        with run.watch.stage("total"):
            for path in paths:
                run.take(path)
            run.finish()
    finally:
        report = run.report()
        ingester.store.save_run(report, started, ingester.now())
    return report


@dataclass(frozen=True)
class _Job:
    """A file that is being read."""

    index: int
    source: Source
    known: Known | None
    pending: PendingReading
    parent: str = ""
    settled: IngestEntry | None = None
    """The entry of a file that itself needs nothing and is read only for what is inside it."""


class _Run:
    """The state of one ingest: entries by place, files being read, documents that wait, counts."""

    def __init__(
        self,
        ingester: Ingester,
        labels: Labels,
        total: int,
        progress: Progress | None,
        retry: bool,
        force: bool,
    ) -> None:
        self.ingester = ingester
        self.total = total
        self.progress = progress
        self.retry = retry
        self.force = force
        self.entries: dict[int, IngestEntry] = {}
        self.jobs: deque[_Job] = deque()
        self.watch = Stopwatch()
        self.taken = 0
        self.saver = Saver(
            ingester.store,
            ingester.embedder,
            ingester.profile,
            labels,
            self.watch,
            saved=self._saved,
            show=lambda name: self._show(name, None),
        )

    def report(self) -> IngestReport:
        return IngestReport(
            entries=tuple(self.entries[index] for index in sorted(self.entries)),
            embedded=self.saver.embedded,
            reused=self.saver.reused,
            lexical_only=self.ingester.no_embedder if self.ingester.embedder is None else "",
            seconds=dict(self.watch.seconds),
        )

    def take(self, path: Path) -> None:
        """Begin with one file, and finish the oldest when enough are under way."""
        index = self._next()
        with self.watch.stage("read"):
            source = self.ingester.identify(path)
        if isinstance(source, Outcome):
            self._done(index, self._unreadable(path, source))
            return
        job = self._begun(index, source, "")
        if job is not None:
            self.jobs.append(job)
        while len(self.jobs) >= max(1, self.ingester.reader.ahead):
            self._finish(self.jobs.popleft())

    def finish(self) -> None:
        while self.jobs:
            self._finish(self.jobs.popleft())
        self.saver.flush()

    def _next(self) -> int:
        index, self.taken = self.taken, self.taken + 1
        return index

    def _begun(self, index: int, source: Source, parent: str) -> _Job | None:
        """The job of a file, or None when it needs no work."""
        known = self.ingester.store.known(source.uri)
        settled = self._settled(source, known, parent)
        if settled is not None and not ((self.retry or self.force) and settled.change is Change.UNCHANGED):
            self._done(index, settled)
            return None
        return _Job(index, source, known, self.ingester.reader.start(source), parent, settled)

    def _finish(self, job: _Job) -> None:
        """What is inside a file goes before the file: a run that is cut short leaves it to be read again."""
        with self.watch.stage("read"):
            reading = self._awaited(job)
        self._attachments(job, reading)
        if job.settled is not None:
            self._done(job.index, job.settled)
            return
        if not reading.outcome.usable:
            self._done(job.index, self._failed(job.source, reading.outcome, reading.reader, job.known, job.parent))
            return
        with self.watch.stage("chunk"):
            reading = replace(reading, blocks=with_run_in_headings(reading.text, reading.blocks))
        chunks = self.saver.chunks(reading, job.source)
        if self.force and self.saver.holds(job.known, job.source, reading, chunks):
            entry = self._entry(job.source, Change.UNCHANGED, reading.outcome, job.known, job.parent)
            self._done(job.index, replace(entry, kept_revision=None))
            return
        if chunks:
            self.saver.add(Waiting(job.index, job.source, reading, chunks, job.known, job.parent))
            return
        outcome = Outcome(OutcomeKind.EMPTY, message="The file holds no text that can be indexed.")
        self._done(job.index, self._failed(job.source, outcome, reading.reader, job.known, job.parent))

    def _awaited(self, job: _Job) -> Reading:
        """The reading of a job; meanwhile its pages are shown."""
        shown = (0, 0)
        while True:
            reading = job.pending.wait(_PATIENCE)
            if reading is not None:
                return reading
            if job.pending.pages != shown:
                shown = job.pending.pages
                self._show(job.source.name, None, shown)

    def _attachments(self, job: _Job, reading: Reading) -> None:
        """The files inside a file, each a document of its own."""
        self.total += len(reading.attachments)
        for held in reading.attachments:
            source = Source(
                uri=f"{job.source.uri}#{held.key}/{held.name}",
                name=held.name,
                media_type=held.media_type,
                sha256=held.sha256,
                size=held.size,
                path=job.source.path,
                inside=(*job.source.inside, (job.source.media_type, held.key)),
            )
            child = self._begun(self._next(), source, job.source.uri)
            if child is not None:
                self._finish(child)

    def _saved(self, item: Waiting, document: Document, change: Change) -> None:
        entry = IngestEntry(
            uri=item.source.uri,
            name=item.source.name,
            change=change,
            outcome=item.reading.outcome,
            document=document.id,
            chunks=len(item.chunks),
            parent=item.parent,
        )
        self._done(item.index, entry)

    def _settled(self, source: Source, known: Known | None, parent: str) -> IngestEntry | None:
        """An entry for a file that needs no work: unchanged, or known to fail with this very reader."""
        if known is None:
            return None
        if self.force:
            entry = replace(self._entry(source, Change.UNCHANGED, known.outcome, known, parent), kept_revision=None)
            return entry if self._by_hand(source, known) else None
        reader, kind = self.ingester.reader, source.media_type
        failure = known.failure
        if failure and failure.sha256 == source.sha256 and reader.is_settled(kind, failure.reader, failure.outcome):
            if self.retry:
                return None
            return replace(self._entry(source, Change.FAILED, failure.outcome, known, parent), known=True)
        same = known.document is not None and known.sha256 == source.sha256
        if not same or not reader.is_settled(kind, known.reader, known.outcome):
            return None
        if self.retry and known.outcome.kind is not OutcomeKind.WHOLE:
            return None
        return replace(self._entry(source, Change.UNCHANGED, known.outcome, known, parent), kept_revision=None)

    def _by_hand(self, source: Source, known: Known) -> bool:
        """Whether a person has the last word on a document: it was forgotten, or its text edited or brought back
        since the file was what it is now."""
        if known.document is None:
            return known.trashed is not None
        notes, _ = self.ingester.store.history(known.document)
        return known.sha256 == source.sha256 and any(note.live and note.origin is not Origin.FILE for note in notes)

    def _failed(
        self, source: Source, outcome: Outcome, reader: str, known: Known | None, parent: str = ""
    ) -> IngestEntry:
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
        return self._entry(source, Change.FAILED, outcome, known, parent)

    def _unreadable(self, path: Path, outcome: Outcome) -> IngestEntry:
        """A file whose bytes could not even be read: recorded under its path, with no hash."""
        uri = path.absolute().as_posix()
        source = Source(uri, path.name, "application/octet-stream", "", 0, str(path))
        return self._failed(source, outcome, "none/0", self.ingester.store.known(uri))

    def _entry(self, source: Source, change: Change, outcome: Outcome, known: Known | None, parent: str) -> IngestEntry:
        live = known.document if known else None
        return IngestEntry(
            uri=source.uri,
            name=source.name,
            change=change,
            outcome=outcome,
            document=live,
            kept_revision=known.revision if known and live is not None else None,
            parent=parent,
        )

    def _done(self, index: int, entry: IngestEntry) -> None:
        self.entries[index] = entry
        self._show(entry.name, entry)

    def _show(self, name: str, entry: IngestEntry | None, pages: tuple[int, int] = (0, 0)) -> None:
        """Tell how far the run is: files that are done, and passages that have their vectors or are saved."""
        if self.progress:
            saver = self.saver
            passages = max(saver.passages, saver.embedded + saver.reused)
            self.progress(IngestProgress(len(self.entries), self.total, name, passages, entry, pages))
