"""The verbs of a Library that look back and let go: history, restore, edit, forget, purge."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.core.documents import Document, Failure
from pincite.core.errors import StoreError
from pincite.core.history import History, PurgeReport, RevisionDiff, Selection, StoreChange
from pincite.core.ports import Filter, WritableStore
from pincite.parts import EVERYTHING, Parts
from pincite.pipelines import keeping
from pincite.pipelines.editing import Editable, editable_text

Reference = int | str
"""A document by id, uri, or an unambiguous end of a uri."""


class Keeping:
    """What `Library` inherits."""

    _parts: Parts

    def history(self, document: Reference) -> History:
        """All revisions and changes of a document, live or in the trash. Raises UnknownName."""
        return keeping.history_of(self._parts.store, str(document))

    def changes(self, limit: int = 20) -> list[StoreChange]:
        """The last changes of the store, newest first; `as_of` understands their numbers."""
        return self._parts.store.changes(limit)

    def diff(self, document: Reference, old: int | None = None, new: int | None = None) -> RevisionDiff:
        """Two revisions compared passage by passage; by default the newest and the one before."""
        return keeping.compare_revisions(self._parts.store, str(document), old, new)

    def restore(
        self, documents: Reference | Sequence[Reference], *, revision: int | None = None, reason: str = ""
    ) -> list[Document]:
        """Bring documents back from the trash; or, with a revision, one document back to that state, as a new
        revision. Nothing is embedded. Raises UnknownName, UsageError."""
        several = [documents] if isinstance(documents, int | str) else documents
        return keeping.bring_back(self._writable(), [str(each) for each in several], revision, reason)

    def editable(self, document: Reference) -> Editable:
        """The text of a document as a person would edit it. Raises UsageError unless it is plain text or Markdown."""
        return editable_text(self._parts.store, str(document))

    def forget_preview(self, where: Filter) -> Selection:
        """What `forget` would take. Raises UsageError for an empty filter."""
        return keeping.choose_live(self._parts.store, where)

    def forget(self, where: Filter, *, reason: str = "", token: str = "") -> list[Document]:
        """Move documents to the trash, all or none, with what is inside their files. With the token of a preview,
        only if it still holds. Raises UsageError for an empty filter: no filter, no act."""
        return keeping.forget_documents(self._writable(), where, reason, token)

    def failures_preview(self, where: Filter) -> list[Failure]:
        """What `forget_failures` would take. Raises UsageError for an empty filter."""
        return keeping.failures_that(self._parts.store, where)

    def forget_failures(self, where: Filter) -> list[Failure]:
        """Forget that files could not be read. Raises UsageError for an empty filter."""
        return keeping.forget_failures(self._writable(), where)

    def trash(self, where: Filter = EVERYTHING) -> list[Document]:
        """Documents in the trash, by uri."""
        return self._parts.store.trash(where)

    def purge_preview(self, where: Filter = EVERYTHING) -> Selection:
        """What `purge` would take from the trash, and the token that confirms just that."""
        return keeping.choose_trashed(self._parts.store, where)

    def purge(self, where: Filter = EVERYTHING, *, confirm: str) -> PurgeReport:
        """Remove documents of the trash for good, and prove it. Raises UsageError when `confirm` is not the token
        of what is in the trash now."""
        return keeping.purge_documents(self._writable(), where, confirm)

    def _writable(self) -> WritableStore:
        if self._parts.writable is None:
            raise StoreError(
                f"The store {self._parts.store.name} is open for reading only.", "Open it with write=True."
            )
        return self._parts.writable
