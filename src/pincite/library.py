"""The one object that every face holds: a store and the verbs on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from pincite.core.answers import Answer, NotFound, SearchResult
from pincite.core.documents import Document, Failure, OutcomeKind
from pincite.core.errors import StoreError
from pincite.core.ports import Filter, Store
from pincite.core.reports import Check, Extract, IngestProgress, IngestReport, Inspection, Probe, StoreStatus
from pincite.core.upkeep import CheckReport, CompactReport, CopyReport, CorpusReport, Steps, Upkeep, in_silence
from pincite.keeping import Keeping
from pincite.parts import EVERYTHING, Parts
from pincite.pipelines.answer import Answerer, answer_question
from pincite.pipelines.editing import edit_document
from pincite.pipelines.extracting import ALL_OF_IT, LIMIT, Part, open_revision, read_extract
from pincite.pipelines.health import check_health, check_lanes, measure_embedding
from pincite.pipelines.ingest import Ingester, ingest_files
from pincite.pipelines.retrieve import Retriever, search_store
from pincite.pipelines.saving import Labels

__all__ = ["EVERYTHING", "Library", "Parts"]


class Library(Keeping):
    """A store, opened. Use it as a context manager, or call `close`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._retriever = Retriever(parts.store, parts.embedder, parts.no_embedder)

    @property
    def name(self) -> str:
        """The name of the store."""
        return self._parts.store.name

    def ingest(
        self,
        paths: Sequence[str | Path],
        *,
        collection: str = "",
        tags: Sequence[str] = (),
        progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestReport:
        """Read files and folders into the store. A bad file is an entry of the report, not an exception.

        Raises UsageError for a path that does not exist or a library opened for reading, StoreLocked when
        another process writes, IndexMismatch when the store was embedded with another model.
        """
        ingester, discover = self._ingester()
        return ingest_files(ingester, list(discover(paths)), Labels(collection, tuple(tags)), progress)

    def reingest(
        self,
        *,
        collection: str = "",
        tags: Sequence[str] = (),
        progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestReport:
        """Try again the files that gave no document or only a part of one. Everything else stays as it is;
        `collection` and `tags` are for what becomes a document only now.

        Raises as `ingest` does. A file that is gone is an entry like any failure.
        """
        ingester, _ = self._ingester()
        uris = [failure.uri for failure in self.failures()]
        uris += [doc.uri for doc in self.documents() if doc.outcome.kind is not OutcomeKind.WHOLE]
        paths = sorted({_file_of(uri) for uri in uris})
        labels = Labels(collection, tuple(tags), keep=True)
        return ingest_files(ingester, paths, labels, progress, retry=True)

    def edit(self, document: int | str, text: str, *, reason: str = "", expects: int | None = None) -> Document:
        """Give a plain text or Markdown document a new text, as a new revision; only passages whose words are new
        are embedded. With `expects` only if that revision is still live.

        Raises UsageError for another kind or an empty text, EditConflict, and as `ingest` does.
        """
        return edit_document(self._ingester()[0], str(document), text, reason, expects)

    def search(self, query: str, *, limit: int = 5, where: Filter = EVERYTHING, as_of: str = "") -> SearchResult:
        """The passages nearest to a query, from both lanes. `as_of` is a date, a time or the number of a change:
        what was live then is searched. Raises UsageError for an empty query, UnknownName for a change to come."""
        with self._parts.snapshot():
            return search_store(self._retriever_at(as_of), query, limit, where)

    def ask(self, question: str, *, where: Filter = EVERYTHING, as_of: str = "") -> Answer | NotFound:
        """An answer whose every quote is checked, or NotFound. With `as_of` (as for `search`) from what was live
        then, and each citation says what became of its words. Raises UsageError for an empty question."""
        with self._parts.snapshot():
            return answer_question(self._answerer_at(as_of), question, where)

    def documents(self, where: Filter = EVERYTHING, *, as_of: str = "") -> list[Document]:
        """Live documents, by uri."""
        return self._at(as_of).documents(where)

    def failures(self) -> list[Failure]:
        """Files that gave no document, with their reasons."""
        return self._parts.store.failures()

    def inspect(self, document: int | str, *, revision: int | None = None, as_of: str = "") -> Inspection:
        """A document opened up: by id, uri, or an unambiguous end of a uri; in the trash only by revision. Raises
        UnknownName."""
        store = self._at(as_of)
        with self._parts.snapshot():
            found, opened = open_revision(store, str(document), revision)
            return Inspection(found, opened, tuple(store.chunks(found.id, opened.number)))

    def read(
        self,
        document: int | str,
        part: Part = ALL_OF_IT,
        *,
        revision: int | None = None,
        as_of: str = "",
        limit: int = LIMIT,
    ) -> Extract:
        """The exact text of a document, or of a page, a section or a span of it, at most `limit` characters. Raises
        UnknownName, UsageError."""
        return read_extract(self._at(as_of), str(document), revision, part, limit)

    def status(self) -> StoreStatus:
        """What the store holds and how its indexes stand."""
        return self._parts.store.status()

    def probe(self) -> Probe:
        """Measure what embedding costs on this machine. Raises BackendError when there is no embedder."""
        return measure_embedding(self._parts.embedder, self._parts.no_embedder, self.status())

    def doctor(self) -> list[Check]:
        """Run a real query on each lane, the integrity check and the rest; one line a part."""
        return check_health(self._retriever, self._parts.integrity)

    def check(self, steps: Steps = in_silence) -> CheckReport:
        """Look at every page and every passage of every revision, and ask each lane for a passage it must find."""
        return check_lanes(self._retriever, self._upkeep().check(steps))

    def backup(self, to: str | Path, *, force: bool = False, steps: Steps = in_silence) -> CopyReport:
        """A checked copy of the store as it is now; others may go on writing. Raises UsageError if `to` is there."""
        return self._upkeep().backup(Path(to), force=force, steps=steps)

    def restore_backup(self, source: str | Path, *, keep: bool = True, steps: Steps = in_silence) -> CopyReport:
        """Make this store what a backup is, after a copy of the state before. Readers see the old or the new."""
        return self._upkeep().restore(Path(source), keep=keep, steps=steps)

    def rebuild(self, steps: Steps = in_silence) -> int:
        """Make all derived data anew; readers have the old until it is done. Returns the passages."""
        return self._upkeep().rebuild(steps)

    def compact(self, steps: Steps = in_silence) -> CompactReport:
        """Give unused space back. Raises StoreError when the disk has not the room that this needs."""
        return self._upkeep().compact(steps)

    def export(
        self, to: str | Path | None, *, vectors: bool = True, force: bool = False, steps: Steps = in_silence
    ) -> CopyReport:
        """Everything that is not derived as lines of JSON, to a file or (None) to standard output."""
        return self._upkeep().export(Path(to) if to else None, vectors=vectors, force=force, steps=steps)

    def reread(self, progress: Callable[[IngestProgress], None] | None = None) -> CorpusReport:
        """Read every file of the store again, whatever is known of it. What comes out as it was stays unchanged;
        a file that is gone keeps its last good revision. `pincite.wiring.rebuild_corpus` does it beside the store.

        Raises as `ingest` does.
        """
        ingester, _ = self._ingester()
        files = {_file_of(uri) for uri in [doc.uri for doc in self.documents()] + [f.uri for f in self.failures()]}
        there = sorted(path for path in files if path.exists())
        report = ingest_files(ingester, there, Labels(keep=True), progress, force=True)
        return CorpusReport(report, tuple(str(path) for path in sorted(files - set(there))))

    def close(self) -> None:
        """Close the store and end the reader's worker process. The library is of no use afterwards."""
        if self._parts.reader is not None:
            self._parts.reader.close()
        self._parts.close()

    def _upkeep(self) -> Upkeep:
        if self._parts.upkeep is None:
            raise StoreError(f"The store {self.name} is not a file.", "Open it by its name or path.")
        return self._parts.upkeep

    def _at(self, as_of: str) -> Store:
        return self._parts.store.as_of(as_of) if as_of else self._parts.store

    def _retriever_at(self, as_of: str) -> Retriever:
        return replace(self._retriever, store=self._at(as_of), as_of=as_of) if as_of else self._retriever

    def _answerer_at(self, as_of: str) -> Answerer:
        retriever, parts = self._retriever_at(as_of), self._parts
        if not as_of:
            return Answerer(retriever, parts.generator)
        generator = parts.generator_of(retriever.store) if parts.generator_of else parts.generator
        return Answerer(retriever, generator, present=parts.store)

    def _ingester(self) -> tuple[Ingester, Callable[[Sequence[str | Path]], Iterator[Path]]]:
        parts = self._parts
        if parts.writable is None or parts.reader is None or parts.identify is None or parts.discover is None:
            raise StoreError(f"The store {self.name} is open for reading only.", "Open it with write=True.")
        ingester = Ingester(
            store=parts.writable,
            reader=parts.reader,
            identify=parts.identify,
            embedder=parts.embedder,
            no_embedder=parts.no_embedder,
            profile=parts.profile,
            now=parts.now,
        )
        return ingester, parts.discover

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _file_of(uri: str) -> Path:
    """The file on disk that a document is, or stood in: the address of an attachment goes on after a `#`, which
    the name of a file may hold as well."""
    while "#" in uri and not Path(uri).exists():
        uri = uri.rpartition("#")[0]
    return Path(uri)
