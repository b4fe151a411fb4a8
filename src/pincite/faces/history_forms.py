"""Text and JSON of what a store remembers: history, differences, previews, purges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.core.documents import Chunk, Document, Failure
from pincite.core.history import (
    History,
    Origin,
    PurgeReport,
    RevisionDiff,
    RevisionNote,
    Selection,
    StoreChange,
)
from pincite.faces.json_form import SCHEMA, Json, document_json, failure_json, outcome_json
from pincite.faces.text_form import clean, one_line, section_path
from pincite.faces.where import locator_json, place_text

_ORIGINS = {Origin.FILE: "read from the file", Origin.EDIT: "edited", Origin.RESTORED: "restored"}
_SHOWN = 20
_WIDTH = 200


def count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def history_text(history: History) -> str:
    document = history.document
    trashed = f", in the trash since {document.trashed}" if document.trashed else ""
    lines = [f"{clean(document.name)} (document {document.id}{trashed})", f"  {clean(document.uri)}", "", "Revisions"]
    lines += [_revision_line(note) for note in reversed(history.revisions)]
    return "\n".join([*lines, "", "Changes", *(_change_line(change) for change in reversed(history.changes))])


def _revision_line(note: RevisionNote) -> str:
    mark = "*" if note.live else " "
    pages = f", {count(note.pages, 'page')}" if note.pages else ""
    said = f": {one_line(note.reason, 120)}" if note.reason else ""
    how = f"{_ORIGINS[note.origin]}, {count(note.chunks, 'passage')}{pages}, sha256 {note.sha256[:12]}…"
    return f"{mark} {note.number:>4}  {note.created}  {how}{said}"


def changes_text(changes: Sequence[StoreChange]) -> str:
    if not changes:
        return "Nothing has changed yet: the store is empty. Add documents with: pincite ingest PATH"
    return "\n".join(_change_line(change) for change in changes)


def _change_line(change: StoreChange) -> str:
    where = clean(change.uri) or f"document {change.document} (purged)"
    revision = f" (revision {change.revision})" if change.revision else ""
    said = f": {one_line(change.reason, 120)}" if change.reason else ""
    return f"{change.number:>6}  {change.at}  {change.verb.value:<10} {where}{revision}{said}"


def history_json(history: History) -> Json:
    return {
        "schema": SCHEMA,
        "document": document_json(history.document),
        "revisions": [_revision_json(note) for note in history.revisions],
        "changes": [change_json(change) for change in history.changes],
    }


def _revision_json(note: RevisionNote) -> Json:
    return {
        "number": note.number,
        "live": note.live,
        "created": note.created,
        "origin": note.origin.value,
        "reason": note.reason,
        "sha256": note.sha256,
        "bytes": note.size,
        "reader": note.reader,
        "outcome": outcome_json(note.outcome),
        "pages": note.pages,
        "passages": note.chunks,
    }


def change_json(change: StoreChange) -> Json:
    return {
        "number": change.number,
        "at": change.at,
        "verb": change.verb.value,
        "document": change.document,
        "revision": change.revision,
        "uri": change.uri or None,
        "reason": change.reason,
    }


def diff_text(diff: RevisionDiff) -> str:
    lines = [
        f"{clean(diff.document.name)}: revision {diff.old} to {diff.new}. {count(diff.kept, 'passage')} kept, "
        f"{len(diff.removed)} gone, {len(diff.added)} new."
    ]
    for sign, chunks in (("-", diff.removed), ("+", diff.added)):
        for chunk in chunks:
            lines.extend(_diff_lines(sign, chunk))
    return "\n".join(lines)


def _diff_lines(sign: str, chunk: Chunk) -> Iterator[str]:
    where = ", ".join(filter(None, [clean(place_text(chunk.locator)), section_path(chunk.locator)]))
    yield ""
    yield f"{sign}{sign}{sign} {where}".rstrip()
    for line in clean(chunk.text).splitlines():
        yield f"{sign} {line}"


def diff_json(diff: RevisionDiff) -> Json:
    return {
        "schema": SCHEMA,
        "document": document_json(diff.document),
        "old": diff.old,
        "new": diff.new,
        "kept": diff.kept,
        "removed": [_chunk_json(chunk) for chunk in diff.removed],
        "added": [_chunk_json(chunk) for chunk in diff.added],
    }


def _chunk_json(chunk: Chunk) -> Json:
    return {"id": chunk.id, "text": chunk.text, "locator": locator_json(chunk.locator)}


def selection_text(chosen: Selection, what: str) -> str:
    """The table of a preview; `what` such as `would go to the trash`."""
    if not chosen.documents:
        return "No document matches."
    head = f"{count(len(chosen.documents), 'document')}, {count(chosen.chunks, 'passage')} {what}:"
    return "\n".join([head, *_rows(chosen.documents)])


def _rows(documents: Sequence[Document]) -> Iterator[str]:
    for document in documents[:_SHOWN]:
        labels = f" [{clean(document.collection)}]" if document.collection else ""
        labels += "".join(f" #{clean(tag)}" for tag in document.tags)
        since = f", in the trash since {document.trashed}" if document.trashed else ""
        uri = clean(document.uri)
        shown = uri if len(uri) <= _WIDTH else f"…{uri[-_WIDTH:]}"
        yield (
            f"{document.id:>5}  {shown}{labels}, revision {document.revision}, "
            f"{count(document.chunks, 'passage')}, of {document.updated[:10]}{since}"
        )
    if len(documents) > _SHOWN:
        yield f"       and {len(documents) - _SHOWN} more"


def trash_text(documents: Sequence[Document]) -> str:
    if not documents:
        return "The trash is empty."
    return selection_text(Selection(tuple(documents), ""), "in the trash")


def selection_json(chosen: Selection, **more: object) -> Json:
    return {
        "schema": SCHEMA,
        "documents": [document_json(document) for document in chosen.documents],
        "passages": chosen.chunks,
        **more,
    }


def failures_preview(failures: Sequence[Failure]) -> str:
    if not failures:
        return "No failure matches."
    rows = [f"  {failure.outcome.kind.value:<14} {clean(failure.uri)}" for failure in failures[:_SHOWN]]
    more = [f"  and {len(failures) - _SHOWN} more"] if len(failures) > _SHOWN else []
    return "\n".join([f"{count(len(failures), 'failure')} would be forgotten:", *rows, *more])


def failures_json(failures: Sequence[Failure], **more: object) -> Json:
    return {"schema": SCHEMA, "failures": [failure_json(failure) for failure in failures], **more}


def purge_text(report: PurgeReport) -> str:
    lines = [
        f"Removed for good: {count(report.documents, 'document')}, {count(report.revisions, 'revision')}, "
        f"{count(report.chunks, 'passage')}, {count(report.vectors, 'vector')}.",
        f"The file has {report.bytes_after:,} bytes; it had {report.bytes_before:,} ({_given_back(report)}).",
    ]
    if report.remains:
        return "\n".join([*lines, "NOT CLEAN:", *(f"  {sentence}" for sentence in report.remains)])
    return "\n".join(
        [
            *lines,
            f"Proof: no row, word, vector or free page of them is left, and none of {count(report.probes, 'piece')} of "
            "their text and vectors is in the bytes of the file.",
            "Copies elsewhere (backups, snapshots of the file system, the disk's own spares) are not touched.",
        ]
    )


def _given_back(report: PurgeReport) -> str:
    if report.reclaimed < 0:
        return f"{-report.reclaimed:,} more, for the record of the purge"
    return f"{report.reclaimed:,} given back"


def purge_json(report: PurgeReport) -> Json:
    return {
        "schema": SCHEMA,
        "purged": True,
        "documents": report.documents,
        "revisions": report.revisions,
        "passages": report.chunks,
        "vectors": report.vectors,
        "bytes_before": report.bytes_before,
        "bytes_after": report.bytes_after,
        "bytes_reclaimed": report.reclaimed,
        "probes": report.probes,
        "clean": not report.remains,
        "remains": list(report.remains),
    }
