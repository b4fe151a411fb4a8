"""The full-text lane: FTS5 over ready-made terms, scored by BM25 (k1 1.2, b 0.75, FTS5's own)."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import conditions, restricts
from pincite.core.documents import Chunk
from pincite.core.ports import Filter
from pincite.core.text import index_terms

MOST_TERMS = 256


class SqliteLexicalIndex:
    """Implements `pincite.core.ports.LexicalIndex`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counted: tuple[tuple[int, int], int] | None = None

    def search(self, terms: Sequence[str], limit: int, where: Filter) -> list[tuple[int, float]]:
        asked = " OR ".join(_quoted(term) for term in terms[:MOST_TERMS] if _clean(term))
        if not asked:
            return []
        if not restricts(where):
            rows = self._database.rows(
                "SELECT rowid, -rank FROM fulltext WHERE fulltext MATCH ? ORDER BY rank, rowid LIMIT ?",
                (asked, limit),
            )
        else:
            condition, values = conditions(where)
            # The allowed keys are gathered once. A join would test the filter anew for every match, and without
            # the plus sign FTS5 would run the whole match once for every allowed key.
            rows = self._database.rows(
                "SELECT rowid, -rank FROM fulltext WHERE fulltext MATCH ? AND +rowid IN"
                f" (SELECT c.key FROM chunks c JOIN documents d ON d.live = c.revision WHERE {condition})"
                " ORDER BY rank, rowid LIMIT ?",
                (asked, *values, limit),
            )
        return [(key, score) for key, score in rows]

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        found = {}
        for term in dict.fromkeys(terms):
            row = self._database.row("SELECT doc FROM terms WHERE term = ?", (_clean(term),))
            found[term] = int(row[0]) if row else 0
        return found

    def size(self) -> int:
        version = self._database.version
        if self._counted is None or self._counted[0] != version:
            row = self._database.row("SELECT count(*) FROM fulltext_docsize")
            self._counted = (version, int(row[0]) if row else 0)
        return self._counted[1]


def fulltext_row(chunk: Chunk) -> tuple[str, str]:
    """What the index holds of a chunk: the terms of what stands over it, and its own."""
    heading = " ".join(index_terms("\n".join(chunk.context)))
    return heading, " ".join(index_terms(chunk.text))


def _clean(term: str) -> str:
    """A term without what FTS5 or SQLite cannot take: quotes, NUL, lone surrogates."""
    return term.replace('"', " ").replace("\x00", " ").encode("utf-8", "ignore").decode("utf-8").strip()


def _quoted(term: str) -> str:
    return f'"{_clean(term)}"'
