"""The tables, as numbered steps. Each step runs in the transaction that records it.

`application_id` says that a file is ours, `user_version` which step it has reached. Steps are only ever
added; docs/store-format.md describes the result.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.fulltext import fulltext_table
from pincite.adapters.sqlite.second_step import remember_everything
from pincite.core.errors import StoreCorrupt, StoreError, StoreLocked, StoreTooNew

APPLICATION_ID = 0x50494E43
"""'PINC'."""

_FIRST = """
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  uri TEXT NOT NULL UNIQUE,
  uri_key TEXT NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  title TEXT NOT NULL,
  collection TEXT NOT NULL,
  corpus TEXT NOT NULL CHECK (corpus IN ('knowledge', 'memory')),
  live INTEGER REFERENCES revisions(id),
  trashed TEXT NOT NULL DEFAULT '',
  created TEXT NOT NULL,
  updated TEXT NOT NULL
);
CREATE INDEX documents_by_uri_key ON documents(uri_key);
CREATE TABLE tags (
  document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (document, tag)
) WITHOUT ROWID;
CREATE TABLE revisions (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  reader TEXT NOT NULL,
  outcome TEXT NOT NULL,
  partial INTEGER NOT NULL,
  title TEXT NOT NULL,
  metadata TEXT NOT NULL,
  text TEXT NOT NULL,
  pages TEXT NOT NULL,
  blocks TEXT NOT NULL,
  page_count INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  created TEXT NOT NULL,
  reason TEXT NOT NULL,
  UNIQUE (document, number)
);
CREATE TABLE chunks (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL REFERENCES revisions(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  locator TEXT NOT NULL,
  parent TEXT,
  indexed INTEGER NOT NULL,
  digest TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (revision, ordinal)
);
CREATE INDEX chunks_by_digest ON chunks(digest);
CREATE TABLE generations (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  created TEXT NOT NULL
);
CREATE TABLE embeddings (
  generation INTEGER NOT NULL REFERENCES generations(id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (generation, digest)
) WITHOUT ROWID;
CREATE TABLE failures (
  uri TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  reader TEXT NOT NULL,
  outcome TEXT NOT NULL,
  at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,
  ended TEXT NOT NULL,
  counts TEXT NOT NULL
);
"""

STEPS: tuple[Callable[[Database], object], ...] = (
    lambda database: database.rows(_FIRST + fulltext_table("fulltext", "terms")),
    remember_everything,
)
"""Each takes a file from its place in this tuple to the next."""


def migrate(database: Database) -> None:
    """Bring a file that is open for writing up to date. Safe when several processes do it at once."""
    if _version(database) < len(STEPS):
        _step_up(database)
    if database.pragma("journal_mode") != "wal":
        _use_wal(database)
    database.pragma("synchronous", 1)


def lay_out(database: Database, upto: int) -> None:
    """Give an empty file the tables of an earlier step, for rows that were exported then."""
    database.pragma("page_size", 16384)
    database.pragma("foreign_keys", False)
    with database.transaction():
        for number in range(upto):
            STEPS[number](database)
        database.pragma("application_id", APPLICATION_ID)
        database.pragma("user_version", upto)


def _step_up(database: Database) -> None:
    """Take the missing steps, all or none. Foreign keys rest meanwhile, since a step may replace a table that
    others point to; they are checked before anything is kept."""
    if _version(database) == 0:
        database.pragma("page_size", 16384)
    database.pragma("foreign_keys", False)
    try:
        with database.transaction():
            for number in range(_version(database), len(STEPS)):
                STEPS[number](database)
                database.pragma("application_id", APPLICATION_ID)
                database.pragma("user_version", number + 1)
            if astray := database.rows("PRAGMA foreign_key_check"):
                raise StoreCorrupt(
                    f"{database.path} cannot be brought up to date: {len(astray)} rows point to nothing.",
                    "Restore it from a copy; the file is as it was.",
                )
    finally:
        database.pragma("foreign_keys", True)


def _use_wal(database: Database) -> None:
    """Switch to the write-ahead log, once for the life of a file.

    SQLite does not wait for a lock here, whatever the busy time-out: two processes that met would each hold
    what the other needs. So it is tried again, as long as any write would wait.
    """
    deadline = monotonic() + database.busy_ms / 1000
    while True:
        try:
            database.pragma("journal_mode", "wal")
            return
        except StoreLocked:
            if monotonic() > deadline:
                raise
            sleep(0.01)


def check_version(database: Database) -> None:
    """Refuse a file that this pincite cannot read. Raises StoreError or StoreTooNew."""
    version = _version(database)
    if version == 0:
        raise StoreError(f"{database.path} is not a pincite store.", "Check the path.")
    if version < len(STEPS):
        raise StoreError(f"{database.path} needs an update.", "Open it for writing once: pincite ingest PATH")


def _version(database: Database) -> int:
    """The step that the file has reached, 0 for a new file."""
    with database.snapshot():
        version = int(database.pragma("user_version"))
        owner = int(database.pragma("application_id"))
        tables = database.row("SELECT count(*) FROM sqlite_schema")
    if owner != APPLICATION_ID and (owner or version or (tables and tables[0])):
        raise StoreError(f"{database.path} is a database of another program.", "Check the path.")
    if version > len(STEPS):
        raise StoreTooNew(f"{database.path} was written by a newer pincite.", "Update pincite.")
    return version
