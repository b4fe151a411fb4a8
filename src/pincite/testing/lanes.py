"""The lanes of the store in memory: BM25 by the book, and cosine against every vector."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.core.bm25 import bm25_scores
from pincite.core.documents import Chunk, Document
from pincite.core.errors import IndexMismatch
from pincite.core.finding import matches_glob
from pincite.core.ports import Filter, Tallies
from pincite.core.text import index_terms

if TYPE_CHECKING:
    from pincite.testing.reading import MemoryReading


class MemoryLexical:
    """BM25 by the book (k1 1.2, b 0.75) over the terms of every live chunk."""

    def __init__(self, store: MemoryReading) -> None:
        self._store = store

    def search(self, terms: Sequence[str], limit: int, where: Filter) -> list[tuple[int, float]]:
        return bm25_scores(terms, list(dict.fromkeys(terms)), self.tallies(terms, where))[:limit]

    def tallies(self, terms: Sequence[str], where: Filter) -> Tallies:
        asked = list(dict.fromkeys(terms))
        everything = {key: _terms(chunk) for key, (_, chunk) in self._store.live(Filter()).items()}
        inside = self._store.live(where)
        counts = {key: tuple(held.count(term) for term in asked) for key, held in everything.items()}
        return Tallies(
            size=len(everything),
            words=sum(map(len, everything.values())),
            frequencies=tuple(sum(found[place] > 0 for found in counts.values()) for place in range(len(asked))),
            rows=tuple((key, len(everything[key]), counts[key]) for key in sorted(inside) if any(counts[key])),
        )

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        held = [set(_terms(chunk)) for _, chunk in self._store.live(Filter()).values()]
        return {term: sum(term in terms_of for terms_of in held) for term in terms}

    def size(self) -> int:
        return len(self._store.live(Filter()))


class MemoryVectors:
    """Cosine against every live vector."""

    def __init__(self, store: MemoryReading) -> None:
        self._store = store

    def search(self, vector: bytes, limit: int, where: Filter) -> list[tuple[int, float]]:
        found = self.scores(vector, list(self._store.live(where)))
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    def scores(self, vector: bytes, keys: Sequence[int]) -> dict[int, float]:
        live, found = self._store.live(Filter()), {}
        for key in keys:
            row = self._store.vector_of(live[key][1]) if key in live else None
            if row is not None and len(row) != len(vector):
                raise IndexMismatch("The store's vectors and the query's differ in dimension.", "Use one embedder.")
            if row is not None:
                found[key] = _cosine(array("f", vector), array("f", row))
        return found

    def size(self) -> int:
        return sum(self._store.vector_of(chunk) is not None for _, chunk in self._store.live(Filter()).values())

    def identity(self) -> str:
        return self._store.identity_key()


def _terms(chunk: Chunk) -> list[str]:
    return [*index_terms("\n".join(chunk.context)), *index_terms(chunk.text)]


def _cosine(left: array[float], right: array[float]) -> float:
    norms = math.hypot(*left) * math.hypot(*right)
    return sum(a * b for a, b in zip(left, right, strict=True)) / norms if norms else 0.0


def inside(document: Document, where: Filter) -> bool:
    return (
        (not where.documents or document.id in where.documents)
        and (not where.collection or document.collection == where.collection)
        and (where.corpus is None or document.corpus is where.corpus)
        and set(where.tags) <= set(document.tags)
        and (not where.glob or matches_glob(document.uri, where.glob))
        and (not where.under or _under(document.uri, where.under.rstrip("/")))
        and (not where.outcomes or document.outcome.kind in where.outcomes)
        and (not where.updated_before or document.updated < where.updated_before)
    )


def _under(uri: str, root: str) -> bool:
    return uri == root or uri.startswith((f"{root}/", f"{root}#"))
