"""What is wrong with a store: the quick look that `doctor` takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import LIVE
from pincite.adapters.sqlite.rows import chunk_of
from pincite.core.codec import pages_of
from pincite.core.documents import Chunk, Page

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
    """Documents that are not whole. One revision is held at a time: a store may be larger than memory."""
    faults = []
    for document, revision in database.rows(f"SELECT d.id, d.live FROM documents d WHERE {LIVE} ORDER BY d.id"):
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
