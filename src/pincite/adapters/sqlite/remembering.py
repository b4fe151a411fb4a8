"""What a store remembers beside the text: changes, revisions, the trash, what files looked like."""

from __future__ import annotations

from pincite.adapters.sqlite.database import Database, Row
from pincite.adapters.sqlite.filters import BELOW, below, conditions
from pincite.adapters.sqlite.lives import SELECT_LIFE, document_of_life
from pincite.core.codec import outcome_of
from pincite.core.documents import Document
from pincite.core.errors import UnknownName
from pincite.core.history import Origin, RevisionNote, StoreChange, Verb
from pincite.core.ports import FileStat, Filter

_CHANGES = (
    "SELECT k.number, k.at, k.verb, k.document, k.revision, coalesce("
    " (SELECT uri FROM lives WHERE document = k.document AND since <= k.number ORDER BY id DESC LIMIT 1), ''),"
    " k.reason FROM changes k"
)
_LAST_LIVES = (
    "FROM lives l JOIN documents d ON d.id = l.document AND d.trashed <> ''"
    " WHERE l.id = (SELECT max(id) FROM lives WHERE document = d.id)"
)


def history_of(database: Database, document: int) -> tuple[list[RevisionNote], list[StoreChange]]:
    """Oldest first. Raises UnknownName for a document that is not there."""
    with database.snapshot():
        rows = database.rows(
            "SELECT r.number, r.created, r.origin, r.reason, r.sha256, r.size, r.reader, r.outcome, r.page_count,"
            " r.chunk_count, EXISTS (SELECT 1 FROM lives WHERE revision = r.id AND until IS NULL)"
            " FROM revisions r WHERE r.document = ? ORDER BY r.number",
            (document,),
        )
        changes = database.rows(f"{_CHANGES} WHERE k.document = ? ORDER BY k.number", (document,))
    if not rows:
        raise UnknownName(f"There is no document {document}.", "See what is there with: pincite list")
    return [_note(row) for row in rows], [_change(row) for row in changes]


def last_changes(database: Database, limit: int) -> list[StoreChange]:
    return [_change(row) for row in database.rows(f"{_CHANGES} ORDER BY k.number DESC LIMIT ?", (limit,))]


def trashed_documents(database: Database, where: Filter) -> list[Document]:
    condition, values = conditions(where)
    rows = database.rows(
        f"SELECT {SELECT_LIFE}, d.trashed {_LAST_LIVES} AND {condition} ORDER BY l.uri, l.document", values
    )
    return [document_of_life(row[:-1], row[-1]) for row in rows]


def trash_size(database: Database) -> int:
    row = database.row("SELECT count(*) FROM documents WHERE trashed <> ''")
    return int(row[0]) if row else 0


def stats_under(database: Database, under: str) -> dict[str, FileStat]:
    rows = database.rows(
        "SELECT uri, size, modified, inode, sha256, checked FROM files WHERE " + BELOW.format("uri"), below(under)
    )
    return {row[0]: FileStat(*row) for row in rows}


def _note(row: Row) -> RevisionNote:
    number, created, origin, reason, sha256, size, reader, outcome, pages, chunks, live = row
    return RevisionNote(
        number, created, Origin(origin), reason, sha256, size, reader, outcome_of(outcome), pages, chunks, bool(live)
    )


def _change(row: Row) -> StoreChange:
    number, at, verb, document, revision, uri, reason = row
    return StoreChange(number, at, Verb(verb), document, revision, uri, reason)
