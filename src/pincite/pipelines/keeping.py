"""What a librarian does: history, differences, and letting go in three steps: preview, trash, purge."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pincite.core.documents import Document, Failure
from pincite.core.drafts import Filter
from pincite.core.errors import UnknownName, UsageError
from pincite.core.finding import find_document, matches_glob
from pincite.core.history import (
    History,
    PurgeReport,
    RevisionDiff,
    Selection,
    TrashReason,
    compare_chunks,
    selection,
)
from pincite.core.storage import Store, WritableStore

_CHANGED = "What is there now is not what was previewed: documents came, went or changed meanwhile."


def find_kept(store: Store, reference: str) -> Document:
    """A document that is live or in the trash; of several at one place the live one. Raises UnknownName."""

    def kept(where: Filter) -> list[Document]:
        live = store.documents(where)
        taken = {document.uri for document in live}
        return [*live, *(document for document in store.trash(where) if document.uri not in taken)]

    return find_document(reference, kept)


def history_of(store: Store, reference: str) -> History:
    """Raises UnknownName."""
    document = find_kept(store, reference)
    revisions, changes = store.history(document.id)
    return History(document, tuple(revisions), tuple(changes))


def compare_revisions(store: Store, reference: str, old: int | None, new: int | None) -> RevisionDiff:
    """By default the newest revision and the one before. Raises UnknownName, UsageError."""
    document = find_kept(store, reference)
    new = document.revision if new is None else new
    old = new - 1 if old is None else old
    if old < 1:
        raise UsageError(f"{document.name} has no revision before {new}.", f"See: pincite history {document.id}")
    kept, removed, added = compare_chunks(store.chunks(document.id, old), store.chunks(document.id, new))
    return RevisionDiff(document, old, new, kept, tuple(removed), tuple(added))


def bring_back(store: WritableStore, references: Sequence[str], revision: int | None, reason: str) -> list[Document]:
    """Documents out of the trash, or an earlier revision of one document. Raises UnknownName, UsageError."""
    if revision is None:
        return _untrash(store, references, reason)
    if len(references) != 1:
        raise UsageError("A revision is of one document.", "Name one document with revision.")
    document = find_kept(store, references[0])
    if document.trashed:
        raise UsageError(f"{document.name} is in the trash.", f"First: pincite restore {document.id}")
    if document.revision == revision:
        raise UsageError(f"Revision {revision} of {document.name} is the live one.", "There is nothing to restore.")
    return [store.keeper.restore_revision(document.id, revision, reason)]


def _untrash(store: WritableStore, references: Sequence[str], reason: str) -> list[Document]:
    chosen = [_in_trash(store, reference) for reference in references]
    if not chosen:
        raise UsageError("No document was named: nothing was done.", "See: pincite list --trash")
    trash = store.trash(Filter())
    # What was inside a file went with it, so it comes back with it; what went before on its own stays.
    inside = [
        held
        for document in chosen
        for held in trash
        if held.uri.startswith(f"{document.uri}#") and held.trashed >= document.trashed
    ]
    return store.keeper.untrash(list(dict.fromkeys(document.id for document in [*chosen, *inside])), reason)


def _in_trash(store: Store, reference: str) -> Document:
    try:
        return store.find_in_trash(reference)
    except UnknownName:
        live = find_kept(store, reference)
        if live.trashed:
            return live
        raise UsageError(
            f"{live.name} is not in the trash.", f"For an earlier revision: pincite restore {live.id} --revision N"
        ) from None


def choose_live(store: Store, where: Filter) -> Selection:
    """What a `forget` would take, with what is inside those files. Raises UsageError for an empty filter."""
    _check_filter(where)
    return selection(_with_contents(store.documents(where), store.documents(Filter())))


def forget_documents(store: WritableStore, where: Filter, reason: str, token: str) -> list[Document]:
    """Into the trash, all or none. With a token only if it is that of what is there now. Raises UsageError."""
    chosen = choose_live(store, where)
    if token and token != chosen.token:
        raise UsageError(_CHANGED, "Look at the preview again.")
    if chosen.documents:
        store.keeper.trash([document.id for document in chosen.documents], TrashReason.FORGOTTEN, reason)
    return list(chosen.documents)


def failures_that(store: Store, where: Filter) -> list[Failure]:
    """Failures of the files that a filter means. Raises UsageError for an empty one, or one that says what files
    without a document do not have."""
    _check_filter(where)
    if where.documents or where.collection or where.tags or where.corpus is not None:
        raise UsageError(
            "A file that gave no document has no number, collection, tag or corpus.",
            "Choose failures by path, kind or age: --glob, --status, --older-than.",
        )
    root = where.under.rstrip("/")
    return [
        failure
        for failure in store.failures()
        if (not where.glob or matches_glob(failure.uri, where.glob))
        and (not root or failure.uri == root or failure.uri.startswith((f"{root}/", f"{root}#")))
        and (not where.outcomes or failure.outcome.kind in where.outcomes)
        and (not where.updated_before or _moment(failure.when) < _moment(where.updated_before))
    ]


def forget_failures(store: WritableStore, where: Filter) -> list[Failure]:
    chosen = failures_that(store, where)
    store.keeper.drop_failures([failure.uri for failure in chosen])
    return chosen


def choose_trashed(store: Store, where: Filter) -> Selection:
    """What a `purge` would take; an empty filter means the whole trash, which the token is then bound to."""
    return selection(_with_contents(store.trash(where), store.trash(Filter())))


def purge_documents(store: WritableStore, where: Filter, token: str) -> PurgeReport:
    """Raises UsageError when the token is not the one of what is in the trash now."""
    chosen = choose_trashed(store, where)
    if not chosen.documents:
        raise UsageError("Nothing in the trash matches: nothing was removed.", "See: pincite list --trash")
    if token != chosen.token:
        raise UsageError(_CHANGED, "Look at the preview again: pincite purge")
    return store.keeper.purge(chosen, token)


def _check_filter(where: Filter) -> None:
    if where == Filter():
        raise UsageError(
            "No filter, no act: nothing was forgotten.", "Say which documents; for all of them: --glob '*'"
        )


def _with_contents(chosen: Sequence[Document], among: Sequence[Document]) -> list[Document]:
    """These documents and, of those, the ones that were inside their files: a mail goes with its attachments."""
    roots = tuple(f"{document.uri}#" for document in chosen)
    numbers = {document.id for document in chosen}
    return [document for document in among if document.id in numbers or (roots and document.uri.startswith(roots))]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=None)
