"""The dense lane of the SQLite store: cosines are those of the vectors, wherever a passage stands."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builders import EMBEDDER, draft
from pincite.adapters.sqlite import SqliteStore, open_for_reading, open_for_writing
from pincite.core.ports import Filter

ALL = Filter()
WIDTH = 384


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_for_writing(tmp_path / "s.db", "s")
    opened.use_embedder(replace(EMBEDDER.identity, dimension=WIDTH))
    yield opened
    opened.close()


def row(seed: int) -> bytes:
    """A vector at random, not of unit length."""
    numbers = random.Random(seed)
    return struct.pack(f"<{WIDTH}f", *(numbers.gauss(0.0, 3.0) for _ in range(WIDTH)))


def save(store: SqliteStore, number: int, vector: bytes) -> None:
    store.save(replace(draft(f"/a/{number:04}.md", f"Doors of kind {number}."), vectors=(vector,)))


def cosine(left: bytes, right: bytes) -> float:
    a, b = struct.unpack(f"<{WIDTH}f", left), struct.unpack(f"<{WIDTH}f", right)
    norms = sum(x * x for x in a) ** 0.5 * sum(x * x for x in b) ** 0.5
    return float(sum(x * y for x, y in zip(a, b, strict=True)) / norms)


def test_scores_are_cosines_and_the_ranking_is_exact(store: SqliteStore) -> None:
    for number in range(50):
        save(store, number, row(number))
    found = store.vectors.search(row(99), 50, ALL)
    truth = {number + 1: cosine(row(number), row(99)) for number in range(50)}
    assert dict(found) == pytest.approx(truth, abs=2e-4)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert store.vectors.search(row(99), 7, ALL) == found[:7]
    assert store.vectors.scores(row(99), list(truth)) == dict(found)


def test_equal_vectors_have_equal_scores_wherever_they_stand(store: SqliteStore) -> None:
    for number in range(103):
        save(store, number, row(1))
    found = store.vectors.search(row(2), 200, ALL)
    assert len({score for _, score in found}) == 1
    assert [key for key, _ in found] == list(range(1, 104))
    assert store.vectors.scores(row(2), [77]) == {77: found[0][1]}


def test_a_vector_that_is_no_number_is_never_found(store: SqliteStore) -> None:
    save(store, 0, struct.pack(f"<{WIDTH}f", *[float("nan")] * WIDTH))
    save(store, 1, row(1))
    save(store, 2, row(2))
    assert [key for key, _ in store.vectors.search(row(1), 10, ALL)] == [2, 3]
    assert [key for key, _ in store.vectors.search(row(1), 1, ALL)] == [2]


def test_what_another_process_commits_is_found_at_once(store: SqliteStore) -> None:
    save(store, 0, row(0))
    reader = open_for_reading(store._database.path, "s")
    assert [key for key, _ in reader.vectors.search(row(5), 1, ALL)] == [1]
    save(store, 1, row(5))
    assert [key for key, _ in reader.vectors.search(row(5), 1, ALL)] == [2]
    assert reader.vectors.size() == 2
    reader.close()
