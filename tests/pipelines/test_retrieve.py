"""Retrieval: both lanes, each saying how it fared; equal passages folded; named sections first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from builders import EMBEDDER, draft
from pincite.core.answers import LaneState, SearchResult
from pincite.core.errors import BackendError, StoreError, UsageError
from pincite.core.ports import Embedder, Filter, Vectors
from pincite.pipelines.retrieve import Retriever, search_store
from pincite.testing import FakeEmbedder, MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.use_embedder(EMBEDDER.identity)
    made.save(draft("/a/doors.md", "# 404.2.3 Clear Width\n\nDoor openings shall be 32 inches wide."))
    made.save(draft("/a/routes.md", "# 206.5 Routes\n\nDoors on routes comply with 404.2.3 and again with 404.2.3."))
    made.save(draft("/a/zoo.md", "Elephants eat grass."))
    return made


def search(store: MemoryStore, text: str, embedder: Embedder | None = EMBEDDER, limit: int = 5) -> SearchResult:
    return search_store(Retriever(store, embedder, "it is switched off"), text, limit, Filter())


def states(result: SearchResult) -> dict[str, str]:
    return {lane.lane: lane.state.value for lane in result.lanes}


def names(result: SearchResult) -> list[str]:
    return [hit.passage.document.name for hit in result.hits]


def test_both_lanes_rank_and_say_so(store: MemoryStore) -> None:
    result = search(store, "wide door openings")
    assert names(result)[0] == "doors.md"
    assert states(result) == {"lexical": "complete", "dense": "complete"}
    assert {rank.lane for rank in result.hits[0].ranks} == {"lexical", "dense"}


def test_a_section_that_is_named_comes_before_those_that_mention_it(store: MemoryStore) -> None:
    result = search(store, "What does 404.2.3 say?")
    assert names(result) == ["doors.md", "routes.md"]
    assert "section" in {rank.lane for rank in result.hits[0].ranks}


def test_a_bare_identifier_is_not_asked_of_the_model(store: MemoryStore) -> None:
    assert states(search(store, "404.2.3"))["dense"] == "not_applicable"
    assert search(store, "404.2.13").hits == ()


def test_without_an_embedder_the_words_answer_and_the_reason_is_told(store: MemoryStore) -> None:
    result = search(store, "wide door openings", None)
    assert names(result)[0] == "doors.md"
    (dense,) = [lane for lane in result.lanes if lane.lane == "dense"]
    assert (dense.state, dense.message) == (LaneState.UNAVAILABLE, "it is switched off")


def test_vectors_of_another_model_are_never_compared(store: MemoryStore) -> None:
    result = search(store, "wide door openings", FakeEmbedder("other"))
    assert states(result)["dense"] == "stale"
    assert names(result)[0] == "doors.md"


def test_missing_vectors_are_told(store: MemoryStore) -> None:
    store.save(draft("/a/late.md", "Late doors are wide.", embedder=None))
    (dense,) = [lane for lane in search(store, "wide doors").lanes if lane.lane == "dense"]
    assert (dense.state, dense.message) == (LaneState.STALE, "1 passages have no vector")


class Broken(FakeEmbedder):
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        raise BackendError("The model is gone.", "Reinstall it.")


class English(FakeEmbedder):
    @property
    def scripts(self) -> frozenset[str]:
        return frozenset({"Latin"})


def test_a_broken_lane_is_told_and_the_other_answers(store: MemoryStore) -> None:
    result = search(store, "wide doors", Broken())
    assert states(result) == {"lexical": "complete", "dense": "error"}
    assert result.hits


def test_a_language_that_the_model_does_not_know_is_left_to_the_words(store: MemoryStore) -> None:
    store.save(draft("/a/zh.md", "單車道寬度應為三點五公尺以上。"))
    result = search(store, "單車道寬度", English())
    assert states(result)["dense"] == "not_applicable"
    assert names(result) == ["zh.md"]


class BrokenStore(MemoryStore):
    @property
    def lexical(self) -> object:  # type: ignore[override]
        raise StoreError("The full-text index is gone.", "Run: pincite doctor")


def test_when_no_lane_works_it_is_an_error_and_not_an_empty_list() -> None:
    with pytest.raises(StoreError):
        search(BrokenStore(), "doors", Broken())


def test_equal_passages_are_one_hit_that_names_all_its_documents(store: MemoryStore) -> None:
    for number in range(4):
        store.save(draft(f"/copies/{number}.md", "Key boxes shall be   installed."))
    result = search(store, "key boxes")
    assert len([hit for hit in result.hits if "Key boxes" in hit.passage.chunk.text]) == 1
    assert len(result.hits[0].also_in) == 3


def test_the_limit_counts_distinct_passages(store: MemoryStore) -> None:
    for number in range(30):
        store.save(draft(f"/copies/{number}.md", "Doors doors doors."))
    assert len(search(store, "doors", limit=3).hits) == 3


def test_no_words_find_nothing_and_no_text_is_a_mistake(store: MemoryStore) -> None:
    assert search(store, "?!").hits == ()
    assert states(search(store, "?!")) == {"lexical": "not_applicable", "dense": "not_applicable"}
    with pytest.raises(UsageError):
        search(store, "  ")


def test_a_child_shows_its_parent(store: MemoryStore) -> None:
    text = "# Lanes\n\n" + " ".join(f"Fire lane number {n} shall be kept open at night." for n in range(12))
    store.save(draft("/a/lanes.md", text, profile="children"))
    hit = search(store, "fire lane number 7").hits[0]
    assert len(hit.passage.chunk.text) > 300
