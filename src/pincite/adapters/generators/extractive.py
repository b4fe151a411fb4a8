"""The generator that needs no model: it quotes the sentences that answer best, and writes nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.core.answers import Draft, Evidence
from pincite.core.evidence import rarities
from pincite.core.extractive import MOST_CLAIMS, Sentence, best_statements, sentences_of
from pincite.core.nearness import knows_script, similarities
from pincite.core.ports import Embedder, LexicalIndex
from pincite.core.queries import Query, read_query


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
        sentences = sentences_of(evidence)
        frequencies = self._lexical.frequencies(query.content)
        rarity = rarities(query.content, frequencies, self._lexical.size())
        statements = best_statements(query, sentences, rarity, self._near(query, sentences), self._most)
        return Draft(statements, declined=not statements)

    def _near(self, query: Query, sentences: Sequence[Sentence]) -> list[float] | None:
        """Cosines to the question, where the embedder knows the script that it is written in."""
        embedder = self._embedder
        if embedder is None or not knows_script(embedder, query.script):
            return None
        return similarities(embedder, query.text, [sentence.spoken for sentence in sentences])
