"""The one object that every face holds: a store and the verbs on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from pincite.core.answers import Answer, NotFound, SearchResult
from pincite.core.documents import Document, Failure
from pincite.core.ports import Filter
from pincite.core.reports import Check, IngestProgress, IngestReport, Inspection, Probe, StoreStatus

EVERYTHING = Filter()


class Library:
    """A named store, opened. Use it as a context manager, or call `close`."""

    def ingest(
        self,
        paths: Sequence[str | Path],
        *,
        collection: str = "",
        tags: Sequence[str] = (),
        progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestReport:
        """Read files and folders into the store. A bad file is an entry of the report."""
        raise NotImplementedError

    def search(self, query: str, *, limit: int = 5, where: Filter = EVERYTHING) -> SearchResult:
        """The passages nearest to a query, from both lanes. Raises UsageError for an empty query."""
        raise NotImplementedError

    def ask(self, question: str, *, where: Filter = EVERYTHING) -> Answer | NotFound:
        """An answer whose every quote is checked, or NotFound. Raises UsageError for an empty question."""
        raise NotImplementedError

    def documents(self, where: Filter = EVERYTHING) -> list[Document]:
        raise NotImplementedError

    def failures(self) -> list[Failure]:
        """Files that gave no document, with their reasons."""
        raise NotImplementedError

    def inspect(self, document: int | str, *, revision: int | None = None) -> Inspection:
        """A document opened up. Raises UnknownName."""
        raise NotImplementedError

    def status(self) -> StoreStatus:
        raise NotImplementedError

    def probe(self) -> Probe:
        """Measure what embedding costs here. Raises BackendError when there is no embedder."""
        raise NotImplementedError

    def doctor(self) -> list[Check]:
        """Run a real query on each lane, the integrity check and the rest; one line a part."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Library:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()
