"""The generator that needs no model: it quotes the sentences that answer best, and writes nothing itself."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from pincite.core.answers import Draft, Evidence
from pincite.core.evidence import rarities
from pincite.core.extractive import MOST_CLAIMS, Sentence, best_statements, sentences_of
from pincite.core.ports import Embedder, LexicalIndex
from pincite.core.queries import Query, read_query

MOST_EMBEDDED = 64
"""Sentences that are embedded to compare them with the question, from the best passages down."""
PASSAGES = 8
"""Passages that are read for sentences."""


class ExtractiveGenerator:
    """Verbatim sentences with their labels. `embedder` may be None: then words alone decide."""

    def __init__(self, lexical: LexicalIndex, embedder: Embedder | None, most: int = MOST_CLAIMS) -> None:
        self._lexical = lexical
        self._embedder = embedder
        self._most = most

    @property
    def name(self) -> str:
        return "extractive"

    @property
    def hosts(self) -> tuple[str, ...]:
        return ()

    def draft(self, question: str, evidence: Sequence[Evidence]) -> Draft:
        """Raises BackendError when the embedder fails."""
        query = read_query(question)
        sentences = sentences_of(evidence[:PASSAGES])[:MOST_EMBEDDED]
        frequencies = self._lexical.frequencies(query.content)
        rarity = rarities(query.content, frequencies, self._lexical.size())
        statements = best_statements(query, sentences, rarity, self._similarities(query, sentences), self._most)
        return Draft(statements, declined=not statements)

    def _similarities(self, query: Query, sentences: Sequence[Sentence]) -> list[float] | None:
        """Cosines to the question, where the embedder knows its script and rows are of unit length."""
        embedder = self._embedder
        if embedder is None or not sentences or not embedder.identity.normalised:
            return None
        if embedder.scripts and query.script not in embedder.scripts:
            return None
        asked = _floats(embedder.embed_queries([query.text]).row(0))
        window = embedder.identity.window
        texts = [sentence.text for sentence in sentences]
        counts = embedder.count_tokens(texts)
        fitting = [text if count <= window else text[:200] for text, count in zip(texts, counts, strict=True)]
        rows = embedder.embed_passages(fitting)
        return [_dot(asked, _floats(rows.row(index))) for index in range(len(rows))]


def _floats(row: bytes) -> array[float]:
    return array("f", row)


def _dot(left: array[float], right: array[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
