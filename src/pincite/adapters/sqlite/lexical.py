"""The full-text lane: FTS5 over ready-made terms, scored by BM25 (k1 1.2, b 0.75, FTS5's own).

The present is ranked by FTS5 itself. For the past, and for several stores at once, the counts are taken out of
the two full-text tables and scored by `pincite.core.bm25` with the statistics of what was live then.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import conditions, restricts
from pincite.adapters.sqlite.fulltext import LIVE, PAST
from pincite.adapters.sqlite.scope import NOW, Scope
from pincite.core.bm25 import bm25_scores
from pincite.core.ports import Filter, Tallies

MOST_TERMS = 256
Keys = dict[int, int]
"""Chunk key → its length in terms."""


class SqliteLexicalIndex:
    """Implements `pincite.core.ports.LexicalIndex`."""

    def __init__(self, database: Database, scope: Scope = NOW) -> None:
        self._database = database
        self._scope = scope
        self._counted: tuple[tuple[int, int], int] | None = None
        self._lengths: tuple[tuple[int, int], Keys] | None = None
        database.define_fts5("tallies", _tallies)

    def search(self, terms: Sequence[str], limit: int, where: Filter) -> list[tuple[int, float]]:
        asked = [_clean(term) for term in terms[:MOST_TERMS] if _clean(term)]
        if not asked:
            return []
        if self._scope != NOW:
            return bm25_scores(asked, list(dict.fromkeys(asked)), self.tallies(asked, where))[:limit]
        matched = _any_of(asked)
        if not restricts(where):
            rows = self._database.rows(
                "SELECT rowid, -rank FROM fulltext WHERE fulltext MATCH ? ORDER BY rank, rowid LIMIT ?",
                (matched, limit),
            )
        else:
            condition, values = conditions(where)
            # The allowed keys are gathered once. A join would test the filter anew for every match, and without
            # the plus sign FTS5 would run the whole match once for every allowed key.
            rows = self._database.rows(
                "SELECT rowid, -rank FROM fulltext WHERE fulltext MATCH ? AND +rowid IN"
                f" (SELECT c.key {self._scope.chunks} WHERE {condition})"
                " ORDER BY rank, rowid LIMIT ?",
                (matched, *values, limit),
            )
        return [(key, score) for key, score in rows]

    def tallies(self, terms: Sequence[str], where: Filter) -> Tallies:
        asked = list(dict.fromkeys(_clean(term) for term in terms[:MOST_TERMS] if _clean(term)))
        with self._database.snapshot():
            lengths = self._all_lengths()
            found = self._matches(asked, lengths)
            allowed = self._allowed(where) if restricts(where) else None
        return Tallies(
            size=len(lengths),
            words=sum(lengths.values()),
            frequencies=tuple(sum(counts[place] > 0 for counts in found.values()) for place in range(len(asked))),
            rows=tuple((key, lengths[key], found[key]) for key in sorted(found) if allowed is None or key in allowed),
        )

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        if self._scope != NOW:
            return self._past_frequencies(terms)
        found = {}
        for term in dict.fromkeys(terms):
            row = self._database.row("SELECT doc FROM terms WHERE term = ?", (_clean(term),))
            found[term] = int(row[0]) if row else 0
        return found

    def size(self) -> int:
        version = self._database.version
        if self._counted is None or self._counted[0] != version:
            sql = "SELECT count(*) FROM fulltext_docsize"
            if self._scope != NOW:
                sql = f"SELECT count(*) {self._scope.chunks} WHERE c.indexed"
            row = self._database.row(sql)
            self._counted = (version, int(row[0]) if row else 0)
        return self._counted[1]

    def _past_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        found = dict.fromkeys(terms, 0)
        wanted = list(dict.fromkeys(_clean(term) for term in terms if _clean(term)))
        for first in range(0, len(wanted), MOST_TERMS):
            some = wanted[first : first + MOST_TERMS]
            found.update(zip(some, self.tallies(some, Filter()).frequencies, strict=True))
        return {term: found.get(_clean(term), 0) for term in terms}

    def _all_lengths(self) -> Keys:
        """Every indexed chunk of this moment."""
        version = self._database.version
        if self._lengths is None or self._lengths[0] != version:
            rows = self._database.rows(f"SELECT c.key, c.words {self._scope.chunks} WHERE c.indexed")
            self._lengths = (version, dict(rows))
        return self._lengths[1]

    def _matches(self, asked: Sequence[str], lengths: Keys) -> dict[int, tuple[int, ...]]:
        """How often each term stands in each chunk of this moment that holds any of them."""
        if not asked:
            return {}
        found = {}
        for table in (LIVE,) if self._scope == NOW else (LIVE, PAST):
            sql = f"SELECT rowid, tallies({table}) FROM {table} WHERE {table} MATCH ?"
            for key, packed in self._database.rows(sql, (_any_of(asked),)):
                if key in lengths:
                    found[key] = struct.unpack(f"<{len(packed) // 4}I", packed)
        return found

    def _allowed(self, where: Filter) -> set[int]:
        condition, values = conditions(where)
        return {key for (key,) in self._database.rows(f"SELECT c.key {self._scope.chunks} WHERE {condition}", values)}


def _tallies(api: Any, *_: Any) -> bytes:
    """How often each phrase of the question stands in the row, as 32-bit numbers."""
    counts = [sum(map(len, api.phrase_locations(phrase))) for phrase in range(api.phrase_count)]
    return struct.pack(f"<{len(counts)}I", *counts)


def _clean(term: str) -> str:
    """A term without what FTS5 or SQLite cannot take: quotes, NUL, lone surrogates."""
    return term.replace('"', " ").replace("\x00", " ").encode("utf-8", "ignore").decode("utf-8").strip()


def _any_of(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)
