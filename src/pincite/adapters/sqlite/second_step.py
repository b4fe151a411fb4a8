"""From schema step 1 to 2: a store that remembers what was live, and when."""

from __future__ import annotations

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.fulltext import PAST, fulltext_row, fulltext_table, insert_words, words_in
from pincite.adapters.sqlite.rows import chunk_of

_TABLES = """
CREATE TABLE changes (
  number INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  verb TEXT NOT NULL,
  document INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reason TEXT NOT NULL
);
CREATE INDEX changes_by_document ON changes(document);
CREATE TABLE lives (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  revision INTEGER NOT NULL REFERENCES revisions(id) ON DELETE CASCADE,
  since INTEGER NOT NULL,
  until INTEGER,
  number INTEGER NOT NULL,
  uri TEXT NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  title TEXT NOT NULL,
  collection TEXT NOT NULL,
  corpus TEXT NOT NULL CHECK (corpus IN ('knowledge', 'memory')),
  tags TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  file_sha256 TEXT NOT NULL,
  file_reader TEXT NOT NULL,
  file_outcome TEXT NOT NULL
);
CREATE TABLE files (
  uri TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  checked INTEGER NOT NULL
) WITHOUT ROWID;
ALTER TABLE revisions ADD COLUMN origin TEXT NOT NULL DEFAULT 'file';
ALTER TABLE chunks ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
"""

_FILL = """
INSERT INTO changes (at, verb, document, revision, reason)
  SELECT created, CASE number WHEN 1 THEN 'added' ELSE 'updated' END, document, number, reason
  FROM revisions ORDER BY created, id;
INSERT INTO lives
  SELECT NULL, r.document, r.id, k.number,
    (SELECT later.number FROM changes later WHERE later.document = r.document AND later.revision = r.number + 1),
    r.number, d.uri, d.name, d.media_type, r.title, d.collection, d.corpus,
    (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE document = d.id ORDER BY tag)),
    r.sha256, r.size, r.page_count, r.chunk_count, r.outcome, d.created, r.created, r.sha256, r.reader, r.outcome
  FROM revisions r JOIN documents d ON d.id = r.document
    JOIN changes k ON k.document = r.document AND k.revision = r.number
  ORDER BY k.number;
"""

_SLIM = """
DROP TABLE tags;
CREATE TABLE slim (
  id INTEGER PRIMARY KEY,
  uri TEXT NOT NULL,
  live INTEGER REFERENCES revisions(id),
  trashed TEXT NOT NULL DEFAULT '',
  why_trashed TEXT NOT NULL DEFAULT '',
  created TEXT NOT NULL
);
INSERT INTO slim SELECT id, uri, live, trashed, '', created FROM documents;
DROP TABLE documents;
ALTER TABLE slim RENAME TO documents;
CREATE INDEX documents_by_uri ON documents(uri);
CREATE UNIQUE INDEX one_live_document_a_uri ON documents(uri) WHERE trashed = '';
CREATE UNIQUE INDEX one_life_at_a_time ON lives(document) WHERE until IS NULL;
CREATE INDEX lives_by_document ON lives(document);
CREATE INDEX lives_by_revision ON lives(revision);
CREATE INDEX lives_by_uri ON lives(uri) WHERE until IS NULL;
"""

_SOME = 500
"""Chunks in hand at once."""


def remember_everything(database: Database) -> None:
    """Runs inside the transaction of its step. What a document was called before it was last read is not known
    to step 1: its earlier lives bear the name and labels of today."""
    database.rows(_TABLES)
    database.rows(_FILL)
    database.rows(_SLIM)
    database.rows(fulltext_table(PAST, "terms_past"))
    last = 0
    while rows := database.rows(
        "SELECT key, id, text, locator, ordinal, parent, indexed, revision IN (SELECT live FROM documents)"
        f" FROM chunks WHERE indexed AND key > ? ORDER BY key LIMIT {_SOME}",
        (last,),
    ):
        words = {row[0]: fulltext_row(chunk_of(row[1:7])) for row in rows}
        database.many("UPDATE chunks SET words = ? WHERE key = ?", [(words_in(w), key) for key, w in words.items()])
        insert_words(database, PAST, [(row[0], words[row[0]]) for row in rows if not row[7]])
        last = rows[-1][0]
