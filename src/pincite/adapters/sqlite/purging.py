"""Removing for good, and the proof that nothing is left: in the tables, the words, the vectors, the free pages and
the bytes of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.fulltext import LIVE, PAST, drop_words
from pincite.adapters.sqlite.lives import Ledger
from pincite.adapters.sqlite.remembering import trashed_documents
from pincite.core.errors import UsageError
from pincite.core.history import PurgeReport, Selection, Verb, selection
from pincite.core.ports import Filter

_PROBES_A_DOCUMENT = 40
_PROBE = 24
"""Bytes of a probe: long enough not to stand in a file by chance, short enough to lie inside one page."""
_MOST_VECTORS = 200
"""Vectors that are looked for at most, each whole: a piece of one may stand in another."""
_PART = 1 << 20
_ORPHANS = "NOT EXISTS (SELECT 1 FROM chunks c WHERE c.digest = embeddings.digest)"


@dataclass(frozen=True, slots=True)
class _Doomed:
    """What is about to go, as far as the report and the proof want to know."""

    documents: int
    revisions: int
    chunks: int
    probes: tuple[bytes, ...]


def purge_documents(database: Database, ledger: Ledger, chosen: Selection, token: str) -> PurgeReport:
    """Raises UsageError when what is in the trash is not what the token was given for."""
    before = file_bytes(database.path)
    database.pragma("secure_delete", 1)
    with database.transaction():
        ids = tuple(document.id for document in chosen.documents)
        there = trashed_documents(database, Filter(documents=ids)) if ids else []
        if not ids or len(there) != len(ids) or selection(there).token != token:
            raise UsageError(
                "What is in the trash is not what was previewed.", "Look at the preview again: pincite purge"
            )
        doomed = _doomed(database, ids)
        for document in there:
            _remove(database, ledger, document.id, document.uri)
        orphans = [row[0] for row in database.rows(f"SELECT vector FROM embeddings WHERE {_ORPHANS}")]
        vectors = orphans[:: len(orphans) // _MOST_VECTORS + 1]
        database.rows(f"DELETE FROM embeddings WHERE {_ORPHANS}")
        kept = _still_wanted(database, doomed.probes, vectors)
    wipe(database)
    left = tuple(probe for probe in (*doomed.probes, *vectors) if probe not in kept)
    return PurgeReport(
        documents=doomed.documents,
        revisions=doomed.revisions,
        chunks=doomed.chunks,
        vectors=len(orphans),
        bytes_before=before,
        bytes_after=file_bytes(database.path),
        probes=len(left),
        remains=tuple(_remains(database, ids, left)),
    )


def wipe(database: Database) -> None:
    """Merge the words so that no deleted one stays in them, write the file anew without its free pages, and empty
    the log. Waits a while for readers that still look at the old state."""
    for table in (LIVE, PAST):
        database.rows(f"INSERT INTO {table}({table}) VALUES ('optimize')")
    database.rows("VACUUM")
    deadline = monotonic() + database.busy_ms / 1000
    while database.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] and monotonic() < deadline:
        sleep(0.02)


def file_bytes(path: Path) -> int:
    """Of the store and its log."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _doomed(database: Database, ids: Sequence[int]) -> _Doomed:
    revisions = chunks = 0
    probes: list[bytes] = []
    for document in ids:
        row = database.row("SELECT count(*) FROM revisions WHERE document = ?", (document,))
        revisions += int(row[0]) if row else 0
        texts = database.rows(
            "SELECT c.text FROM chunks c JOIN revisions r ON r.id = c.revision WHERE r.document = ?", (document,)
        )
        chunks += len(texts)
        probes.extend(_probes(text for (text,) in texts))
    return _Doomed(len(ids), revisions, chunks, tuple(dict.fromkeys(probes)))


def _probes(texts: Iterable[str]) -> Iterator[bytes]:
    """Some pieces from all over the texts of a document."""
    whole = [text.encode("utf-8") for text in texts if len(text) >= _PROBE]
    step = max(1, len(whole) // _PROBES_A_DOCUMENT)
    for text in whole[::step]:
        middle = max(0, len(text) // 2 - _PROBE // 2)
        yield text[middle : middle + _PROBE]


def _remove(database: Database, ledger: Ledger, document: int, uri: str) -> None:
    keys = [
        row[0]
        for row in database.rows(
            "SELECT c.key FROM chunks c JOIN revisions r ON r.id = c.revision WHERE r.document = ? AND c.indexed",
            (document,),
        )
    ]
    drop_words(database, keys)
    ledger.record(Verb.PURGED, document, 0)
    database.rows("UPDATE changes SET reason = '' WHERE document = ?", (document,))
    database.rows("UPDATE documents SET live = NULL WHERE id = ?", (document,))
    for table in ("lives", "revisions"):
        database.rows(f"DELETE FROM {table} WHERE document = ?", (document,))
    database.rows("DELETE FROM documents WHERE id = ?", (document,))
    gone = "uri = ? AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.uri = ?)"
    for table in ("files", "failures"):
        database.rows(f"DELETE FROM {table} WHERE {gone}", (uri, uri))


def _still_wanted(database: Database, texts: Sequence[bytes], vectors: Sequence[bytes]) -> frozenset[bytes]:
    """Probes that also stand in what is kept: finding those proves nothing. Every kept text is looked through
    once, a revision at a time."""
    wanted: set[bytes] = set()
    for (revision,) in database.rows("SELECT id FROM revisions"):
        row = database.row("SELECT text FROM revisions WHERE id = ?", (revision,))
        held = row[0].encode("utf-8") if row else b""
        wanted.update(text for text in texts if text in held)
    same = f"SELECT DISTINCT vector FROM embeddings WHERE vector IN ({','.join('?' * len(vectors))})"
    wanted.update(vector for (vector,) in database.rows(same, vectors))
    return frozenset(wanted)


def _remains(database: Database, ids: Sequence[int], probes: Sequence[bytes]) -> Iterator[str]:
    """What is still there, a sentence each."""
    marks = ",".join("?" * len(ids))
    for table in ("lives", "revisions"):
        if database.row(f"SELECT 1 FROM {table} WHERE document IN ({marks})", ids):
            yield f"the table {table} still holds rows of the purged documents"
    for table in (LIVE, PAST):
        if database.row(f"SELECT 1 FROM {table}_docsize WHERE id NOT IN (SELECT key FROM chunks)"):
            yield f"the index {table} still holds words of passages that are gone"
    if database.row(f"SELECT 1 FROM embeddings WHERE {_ORPHANS}"):
        yield "vectors of purged passages are still there"
    if database.pragma("freelist_count"):
        yield "the file still has free pages"
    log = database.path.with_name(f"{database.path.name}-wal")
    if log.exists() and log.stat().st_size:
        yield "another process still reads the state before the purge; run: pincite store compact"
    yield from _in_bytes(database.path, probes)


def _in_bytes(path: Path, probes: Sequence[bytes]) -> Iterator[str]:
    """Look for every probe in the raw bytes of the file, part by part."""
    found: set[bytes] = set()
    longest = max([_PROBE, *map(len, probes)])
    with path.open("rb") as file:
        tail = b""
        while part := file.read(_PART):
            held = tail + part
            found.update(probe for probe in probes if probe not in found and probe in held)
            tail = held[-longest:]
    if found:
        yield f"{len(found)} of {len(probes)} pieces of the purged text are still in the bytes of the file"
