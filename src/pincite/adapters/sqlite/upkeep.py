"""What is wrong with a store: the quick look that `doctor` takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.fulltext import LIVE as FULLTEXT
from pincite.adapters.sqlite.fulltext import PAST
from pincite.adapters.sqlite.rows import chunk_of
from pincite.core.codec import pages_of
from pincite.core.documents import Chunk, Page

_LIVE = "EXISTS (SELECT 1 FROM lives l WHERE l.revision = c.revision AND l.until IS NULL)"
_SOME = 500
"""Chunks in hand at once."""


def integrity(database: Database) -> list[str]:
    """What is wrong with a store, a sentence each; empty when all is well. Raises StoreCorrupt when the file
    cannot even be read."""
    faults = [str(row[0]) for row in database.rows("PRAGMA integrity_check(5)") if row[0] != "ok"]
    for table, condition in ((FULLTEXT, _LIVE), (PAST, f"NOT {_LIVE}")):
        faults.extend(_disagreements(database, table, f"SELECT c.key FROM chunks c WHERE c.indexed AND {condition}"))
    faults.extend(_broken_lives(database))
    faults.extend(_broken_documents(database))
    return faults


def _disagreements(database: Database, table: str, wanted: str) -> Iterator[str]:
    """What a full-text table lacks of the chunks that it should hold, and what it holds beside them."""
    counted = database.row(
        f"SELECT (SELECT count(*) FROM ({wanted} AND c.key NOT IN (SELECT id FROM {table}_docsize))),"
        f" (SELECT count(*) FROM {table}_docsize WHERE id NOT IN ({wanted}))"
    )
    lost, stale = counted or (0, 0)
    what = "full-text index" if table == FULLTEXT else "full-text index of the past"
    if lost:
        yield f"{lost} passages are missing from the {what}"
    if stale:
        yield f"the {what} holds {stale} passages that do not belong there"


_LIVES = (
    (
        "d.trashed = '' AND NOT EXISTS"
        " (SELECT 1 FROM lives l WHERE l.document = d.id AND l.revision = d.live AND l.until IS NULL)",
        "has no open life",
    ),
    (
        "d.trashed <> '' AND EXISTS (SELECT 1 FROM lives l WHERE l.document = d.id AND l.until IS NULL)",
        "is in the trash and live at once",
    ),
    (
        "EXISTS (SELECT 1 FROM lives a JOIN lives b ON b.document = a.document AND b.id > a.id"
        " WHERE a.document = d.id AND (a.until IS NULL OR a.until > b.since))",
        "was live twice at one time",
    ),
)


def _broken_lives(database: Database) -> Iterator[str]:
    for condition, fault in _LIVES:
        for (document,) in database.rows(f"SELECT d.id FROM documents d WHERE {condition} ORDER BY d.id LIMIT 5"):
            yield f"document {document} {fault}"


def _broken_documents(database: Database) -> list[str]:
    """Documents that are not whole. One revision is held at a time: a store may be larger than memory."""
    faults = []
    for document, revision in database.rows("SELECT l.document, l.revision FROM lives l WHERE l.until IS NULL"):
        row = database.row(
            "SELECT text, pages, chunk_count FROM revisions WHERE id = ? AND document = ?", (revision, document)
        )
        if row is None:
            faults.append(f"document {document} has no text of its own")
            continue
        chunks = [
            chunk_of(chunk)
            for chunk in database.rows(
                "SELECT id, text, locator, ordinal, parent, indexed FROM chunks WHERE revision = ?",
                (revision,),
            )
        ]
        faults.extend(f"document {document} {fault}" for fault in _faults_of(row[0], pages_of(row[1]), row[2], chunks))
    return faults


def _faults_of(text: str, pages: Sequence[Page], count: int, chunks: Sequence[Chunk]) -> Iterator[str]:
    """What is wrong with a revision that should have `count` indexed chunks."""
    if sum(chunk.indexed for chunk in chunks) != count:
        yield "has lost passages"
    if any(text[chunk.start : chunk.end] != chunk.text for chunk in chunks):
        yield "has a passage that is not in its text"
    edges = [0, *(page.end for page in pages)]
    if pages and (edges[-1] != len(text) or edges[:-1] != [page.start for page in pages]):
        yield "has pages that do not tile its text"
