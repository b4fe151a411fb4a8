"""The store: one SQLite file. The file is the truth; the full-text index and the vector matrix are derived."""

from __future__ import annotations

from pathlib import Path

from pincite.adapters.sqlite.beside import make_folder
from pincite.adapters.sqlite.database import BUSY_MS, Database
from pincite.adapters.sqlite.lives import utc_now
from pincite.adapters.sqlite.reading import SqliteReading
from pincite.adapters.sqlite.rebuilding import rebuild_fulltext
from pincite.adapters.sqlite.upkeep import integrity
from pincite.adapters.sqlite.writing import SqliteStore
from pincite.core.ports import Clock

__all__ = [
    "Database",
    "SqliteReading",
    "SqliteStore",
    "integrity",
    "open_for_reading",
    "open_for_writing",
    "rebuild_fulltext",
]


def open_for_writing(path: Path, name: str, busy_ms: int = BUSY_MS, now: Clock = utc_now) -> SqliteStore:
    """The store at a path, made if it is not there; `now` dates its changes. Raises StoreError, StoreLocked,
    StoreTooNew."""
    make_folder(path.parent)
    return SqliteStore(Database(path, write=True, create=True, busy_ms=busy_ms), name, now)


def open_for_reading(path: Path, name: str, busy_ms: int = BUSY_MS) -> SqliteReading:
    """The store at a path, read-only. Raises StoreError when there is none."""
    return SqliteReading(Database(path, write=False, busy_ms=busy_ms), name)
