"""What is derived can be dropped and made again (law 10): full text, a few hundred passages at a time, in one
transaction, so that readers have the old index until the new one is whole."""

from __future__ import annotations

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.lexical import fulltext_row
from pincite.adapters.sqlite.rows import chunk_of
from pincite.adapters.sqlite.schema import FULLTEXT
from pincite.core.upkeep import Steps, in_silence

_SOME = 500
_IS_LIVE = "c.revision IN (SELECT live FROM documents WHERE live IS NOT NULL AND trashed = '')"
TABLES = (("fulltext", "terms", FULLTEXT, _IS_LIVE),)
"""A full-text table, its vocabulary, how both are made, and which chunks `c` belong in it."""


def rebuild_fulltext(database: Database, steps: Steps = in_silence) -> int:
    """Returns the passages of the first table, those that are live."""
    counts = []
    with database.transaction():
        for name, vocabulary, definition, condition in TABLES:
            database.rows(f"DROP TABLE IF EXISTS {vocabulary}")
            database.rows(f"DROP TABLE IF EXISTS {name}")
            database.rows(definition)
            counts.append(_fill(database, name, condition, steps))
    return counts[0]


def _fill(database: Database, name: str, condition: str, steps: Steps) -> int:
    counted = database.row(f"SELECT count(*) FROM chunks c WHERE c.indexed AND {condition}")
    total = int(counted[0]) if counted else 0
    done = last = 0
    while rows := database.rows(
        "SELECT c.key, c.id, c.text, c.locator, c.ordinal, c.parent, c.indexed FROM chunks c"
        f" WHERE c.indexed AND {condition} AND c.key > ? ORDER BY c.key LIMIT {_SOME}",
        (last,),
    ):
        database.many(
            f"INSERT INTO {name} (rowid, heading, body) VALUES (?, ?, ?)",
            [(row[0], *fulltext_row(chunk_of(row[1:]))) for row in rows],
        )
        last, done = rows[-1][0], done + len(rows)
        steps(name, done, total)
    return done
