"""Giving unused space back, in memory that does not grow with the store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.adapters.sqlite.beside import Free, bytes_of, free_bytes, need_space
from pincite.adapters.sqlite.database import BUSY_MS, Database
from pincite.core.upkeep import CompactReport, Steps, in_silence

_CACHE_KIB = 16 * 1024
_PATIENCE_MS = 1_000
"""How long readers are waited for when the write-ahead log is to be cut."""


def compact(database: Database, steps: Steps = in_silence, free: Free = free_bytes) -> CompactReport:
    """Merge the full-text index, write the file anew without holes, cut the write-ahead log."""
    before = bytes_of(database.path)
    pages = int(database.pragma("page_count")) - int(database.pragma("freelist_count"))
    # VACUUM writes the data to a temporary file and from there into the write-ahead log.
    need_space(database.path.parent, 2 * pages * int(database.pragma("page_size")), free)
    database.pragma("cache_size", -_CACHE_KIB)
    database.pragma("temp_store", 1)
    steps("full text", 1, 3)
    for (name,) in database.rows("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5(%'"):
        database.rows(f"INSERT INTO {name}({name}) VALUES ('optimize')")
    _cut_log(database)
    steps("write anew", 2, 3)
    with _temporary_files_in(database.path.parent):
        database.rows("VACUUM")
    steps("cut the log", 3, 3)
    waiting = not _cut_log(database)
    return CompactReport(before, bytes_of(database.path), waiting)


def _cut_log(database: Database) -> bool:
    """False when a reader is in the way: the log is then cut by the last one that closes the file."""
    database.pragma("busy_timeout", _PATIENCE_MS)
    try:
        row = database.row("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        database.pragma("busy_timeout", BUSY_MS)
    return row is None or not row[0]


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """SQLite's temporary files go where the room was measured: the usual folder may be a disk in memory."""
    before = os.environ.get("SQLITE_TMPDIR")
    os.environ["SQLITE_TMPDIR"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["SQLITE_TMPDIR"]
        else:
            os.environ["SQLITE_TMPDIR"] = before
