"""How near texts lie to a question in meaning, through an embedder, without embedding one text twice."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Sequence

from pincite.core.ports import Embedder, EmbedderIdentity, Vectors

MOST_SENTENCES = 64
"""Texts that are compared with one question, from the first down; the others count as not near."""


def knows_script(embedder: Embedder, script: str) -> bool:
    """Whether an embedder was trained on a writing system."""
    return not embedder.scripts or script in embedder.scripts


def similarities(embedder: Embedder, question: str, texts: Sequence[str]) -> list[float]:
    """The cosine of each text to the question, one a text; texts past MOST_SENTENCES and those longer than
    the embedder's window get 0. Raises BackendError when the embedder fails."""
    if not texts:
        return []
    asked = _unit(embedder.embed_queries([question]).row(0))
    counts = embedder.count_tokens(texts[:MOST_SENTENCES])
    fitting = [index for index, count in enumerate(counts) if count <= embedder.identity.window]
    rows = embedder.embed_passages([texts[index] for index in fitting])
    found = [0.0] * len(texts)
    for place, index in enumerate(fitting):
        row = _unit(rows.row(place))
        found[index] = sum(a * b for a, b in zip(asked, row, strict=True))
    return found


def _unit(row: bytes) -> array[float]:
    values = array("f", row)
    norm = sum(value * value for value in values) ** 0.5
    return array("f", (value / norm for value in values)) if norm else values


class RememberingEmbedder:
    """An embedder that keeps the last texts it embedded: one question asks for the same ones several times.
    Batches larger than its memory pass straight through."""

    def __init__(self, inner: Embedder, most: int = 512) -> None:
        self._inner = inner
        self._most = most
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    @property
    def identity(self) -> EmbedderIdentity:
        return self._inner.identity

    @property
    def scripts(self) -> frozenset[str]:
        return self._inner.scripts

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._inner.count_tokens(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed("passage", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed("query", texts)

    def _embed(self, role: str, texts: Sequence[str]) -> Vectors:
        embed = self._inner.embed_queries if role == "query" else self._inner.embed_passages
        if len(texts) > self._most // 4:
            return embed(texts)
        fresh = [text for text in dict.fromkeys(texts) if (role, text) not in self._kept]
        if fresh:
            rows = embed(fresh)
            self._kept.update(((role, text), rows.row(index)) for index, text in enumerate(fresh))
        for text in texts:
            self._kept.move_to_end((role, text))
        vectors = Vectors(self.identity.dimension, b"".join(self._kept[role, text] for text in texts))
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return vectors
