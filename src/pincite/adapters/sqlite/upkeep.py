"""Integrity and rebuilding: what is derived can be dropped and made again (law 10)."""

from __future__ import annotations

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import LIVE
from pincite.adapters.sqlite.lexical import fulltext_row
from pincite.adapters.sqlite.rows import chunk_of
from pincite.adapters.sqlite.schema import FULLTEXT

_INDEXED = f"SELECT c.key FROM chunks c JOIN documents d ON d.live = c.revision WHERE c.indexed AND {LIVE}"


def integrity(database: Database) -> list[str]:
    """What is wrong with a store, a sentence each; empty when all is well. Raises StoreCorrupt when the file
    cannot even be read."""
    faults = [str(row[0]) for row in database.rows("PRAGMA integrity_check(5)") if row[0] != "ok"]
    counted = database.row(
        f"SELECT (SELECT count(*) FROM ({_INDEXED} AND c.key NOT IN (SELECT id FROM fulltext_docsize))),"
        f" (SELECT count(*) FROM fulltext_docsize WHERE id NOT IN ({_INDEXED}))"
    )
    lost, stale = counted or (0, 0)
    if lost:
        faults.append(f"{lost} passages are missing from the full-text index")
    if stale:
        faults.append(f"the full-text index holds {stale} passages that are not live")
    faults.extend(_broken_documents(database))
    return faults


def _broken_documents(database: Database) -> list[str]:
    """Documents that are not whole, and chunks that are not slices of their revision."""
    rows = database.rows(
        f"SELECT d.id, r.chunk_count, r.text, r.id FROM documents d JOIN revisions r ON r.id = d.live WHERE {LIVE}"
    )
    faults = []
    for document, count, text, revision in rows:
        chunks = [
            chunk_of(row)
            for row in database.rows(
                "SELECT id, text, locator, ordinal, parent, indexed FROM chunks WHERE revision = ?",
                (revision,),
            )
        ]
        if sum(chunk.indexed for chunk in chunks) != count:
            faults.append(f"document {document} has lost passages")
        if any(text[chunk.start : chunk.end] != chunk.text for chunk in chunks):
            faults.append(f"document {document} has a passage that is not in its text")
    return faults


def rebuild_fulltext(database: Database) -> int:
    """Drop the full-text index and make it again from the rows, in one transaction. Returns the passages."""
    with database.transaction():
        database.rows("DROP TABLE terms")
        database.rows("DROP TABLE fulltext")
        database.rows(FULLTEXT)
        rows = database.rows(
            "SELECT c.key, c.id, c.text, c.locator, c.ordinal, c.parent, c.indexed"
            f" FROM chunks c JOIN documents d ON d.live = c.revision WHERE c.indexed AND {LIVE} ORDER BY c.key"
        )
        database.many(
            "INSERT INTO fulltext (rowid, heading, body) VALUES (?, ?, ?)",
            [fulltext_row(row[0], chunk_of(row[1:])) for row in rows],
        )
    return len(rows)
