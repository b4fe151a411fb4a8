"""What is derived can be dropped and made again (law 10): full text, some passages at a time, in one transaction, so
that readers have the old index until the new one is whole."""

from __future__ import annotations

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.fulltext import LIVE, PAST, fulltext_row, fulltext_table, insert_words, words_in
from pincite.adapters.sqlite.rows import chunk_of
from pincite.core.upkeep import Steps, in_silence

_SOME = 500
_CHUNKS = (
    "SELECT c.key, c.id, c.text, c.locator, c.ordinal, c.parent, c.indexed,"
    " EXISTS (SELECT 1 FROM lives l WHERE l.revision = c.revision AND l.until IS NULL)"
    f" FROM chunks c WHERE c.indexed AND c.key > ? ORDER BY c.key LIMIT {_SOME}"
)


def rebuild_fulltext(database: Database, steps: Steps = in_silence) -> int:
    """Both full-text tables, whatever became of them, and the lengths of the passages. Returns those that are live."""
    live = done = last = 0
    with database.transaction():
        for table, vocabulary in ((LIVE, "terms"), (PAST, "terms_past")):
            database.rows(f"DROP TABLE IF EXISTS {vocabulary}; DROP TABLE IF EXISTS {table}")
            database.rows(fulltext_table(table, vocabulary))
        counted = database.row("SELECT count(*) FROM chunks WHERE indexed")
        total = int(counted[0]) if counted else 0
        while rows := database.rows(_CHUNKS, (last,)):
            words = {row[0]: fulltext_row(chunk_of(row[1:7])) for row in rows}
            now = {row[0] for row in rows if row[7]}
            for table, chosen in ((LIVE, now), (PAST, words.keys() - now)):
                insert_words(database, table, [(key, words[key]) for key in sorted(chosen)])
            database.many("UPDATE chunks SET words = ? WHERE key = ?", [(words_in(w), k) for k, w in words.items()])
            live, done, last = live + len(now), done + len(rows), rows[-1][0]
            steps("full text", done, total)
    return live
