"""What every embedder must do; run on the embedded model, the shipped fake, and the one that remembers."""

from __future__ import annotations

from array import array
from functools import cache

import pytest

from pincite.adapters.embedders.onnx import OnnxEmbedder
from pincite.core.nearness import RememberingEmbedder, similarities
from pincite.core.ports import Embedder
from pincite.testing import FakeEmbedder

TEXTS = [
    "Door openings shall provide a clear width of 32 inches.",
    "Elephants eat grass.",
    "東京タワー",
    "x",
    "The gate stays open at night. " * 12,
]


@cache
def made(name: str) -> Embedder:
    if name == "fake":
        return FakeEmbedder()
    inner = OnnxEmbedder()
    return RememberingEmbedder(inner) if name == "remembering" else inner


@pytest.fixture(params=["onnx", "fake", "remembering"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return made(request.param)


def rows(embedder: Embedder, texts: list[str]) -> list[array[float]]:
    vectors = embedder.embed_passages(texts)
    assert vectors.dimension == embedder.identity.dimension
    assert len(vectors) == len(texts)
    return [array("f", vectors.row(index)) for index in range(len(vectors))]


def cosine(one: array[float], other: array[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_rows_are_of_unit_length(embedder: Embedder) -> None:
    for row in rows(embedder, TEXTS):
        assert cosine(row, row) == pytest.approx(1.0, abs=1e-4)


def test_order_and_company_do_not_matter(embedder: Embedder) -> None:
    together, backwards = rows(embedder, TEXTS), rows(embedder, TEXTS[::-1])[::-1]
    alone = [rows(embedder, [text])[0] for text in TEXTS]
    for one, other, third in zip(together, backwards, alone, strict=True):
        assert cosine(one, other) == pytest.approx(1.0, abs=1e-4)
        assert cosine(one, third) == pytest.approx(1.0, abs=1e-4)


def test_nothing_gives_nothing(embedder: Embedder) -> None:
    assert len(embedder.embed_passages([])) == 0
    assert embedder.count_tokens([]) == []


def test_what_is_like_is_near(embedder: Embedder) -> None:
    near = similarities(embedder, "clear width of door openings", TEXTS[:2])
    assert near[0] > near[1] + 0.2


def test_longer_texts_have_more_tokens(embedder: Embedder) -> None:
    counts = embedder.count_tokens(["door", "door width", "door width and the height of the gate"])
    assert counts == sorted(set(counts))


def test_a_query_may_be_longer_than_the_window(embedder: Embedder) -> None:
    assert len(embedder.embed_queries(["how wide must a gate be " * 200])) == 1


def test_the_identity_tells_models_apart(embedder: Embedder) -> None:
    assert embedder.identity.key == embedder.identity.key
    assert embedder.identity.key != FakeEmbedder("another").identity.key
    assert embedder.identity.window > 0
