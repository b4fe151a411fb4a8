"""The two full-text tables: the words of what is live, and of what was. They hold no text and can be made anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.rows import chunk_of
from pincite.core.documents import Chunk
from pincite.core.text import index_terms

LIVE = "fulltext"
PAST = "fulltext_past"
_CHUNKS = "SELECT key, id, text, locator, ordinal, parent, indexed FROM chunks WHERE revision = ? AND indexed"


def fulltext_table(name: str, vocabulary: str) -> str:
    """Terms arrive ready-made (`pincite.core.text.index_terms`) and are parted by white space alone: every ASCII
    mark that a term may hold is declared a letter."""
    return f"""
CREATE VIRTUAL TABLE {name} USING fts5(
  heading, body, content='', contentless_delete=1, tokenize="ascii tokenchars '.-_''/:,&@+#'"
);
INSERT INTO {name}({name}, rank) VALUES ('rank', 'bm25(1.0, 1.0)');
CREATE VIRTUAL TABLE {vocabulary} USING fts5vocab({name}, 'row');
"""


def fulltext_row(chunk: Chunk) -> tuple[str, str]:
    """What the index holds of a chunk: the terms of what stands over it, and its own."""
    heading = " ".join(index_terms("\n".join(chunk.context)))
    return heading, " ".join(index_terms(chunk.text))


def words_in(row: tuple[str, str]) -> int:
    """The length of a row in terms, as FTS5 counts it."""
    return sum(len(column.split()) for column in row)


def insert_words(database: Database, table: str, rows: Iterable[tuple[int, tuple[str, str]]]) -> None:
    """Rows by the key of their chunk."""
    database.many(
        f"INSERT INTO {table} (rowid, heading, body) VALUES (?, ?, ?)", [(key, *words) for key, words in rows]
    )


def move_words(database: Database, revision: int, *, source: str, target: str) -> None:
    """Take the words of a revision from one table to the other, made anew from its chunks."""
    database.rows(
        f"DELETE FROM {source} WHERE rowid IN (SELECT key FROM chunks WHERE revision = ? AND indexed)", (revision,)
    )
    rows = database.rows(_CHUNKS, (revision,))
    insert_words(database, target, [(row[0], fulltext_row(chunk_of(row[1:]))) for row in rows])


def drop_words(database: Database, keys: Sequence[int]) -> None:
    """Out of both tables. What is not there is passed over."""
    for table in (LIVE, PAST):
        database.many(f"DELETE FROM {table} WHERE rowid = ?", [(key,) for key in keys])
