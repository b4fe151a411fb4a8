"""Fusion: independent of the order of the lanes, stable, and every rank kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.answers import LaneReport, LaneState
from pincite.core.fusion import Fusion, reciprocal_rank_fusion, share_fusion


@st.composite
def lanes(draw: st.DrawFn) -> list[LaneReport]:
    made = []
    for name in draw(st.lists(st.sampled_from(["lexical", "dense", "identifier"]), unique=True, max_size=3)):
        keys = draw(st.lists(st.integers(1, 30), unique=True, max_size=12))
        scores = sorted(draw(st.lists(st.floats(-1, 9), min_size=len(keys), max_size=len(keys))), reverse=True)
        made.append(LaneReport(name, LaneState.COMPLETE, tuple(zip(keys, scores, strict=True))))
    return made


@pytest.mark.parametrize("fusion", [share_fusion, reciprocal_rank_fusion])
@given(made=lanes())
def test_the_order_of_the_lanes_does_not_matter(fusion: Fusion, made: list[LaneReport]) -> None:
    assert fusion(made) == fusion(made[::-1])


@pytest.mark.parametrize("fusion", [share_fusion, reciprocal_rank_fusion])
@given(made=lanes())
def test_every_chunk_comes_out_once_with_all_its_ranks(fusion: Fusion, made: list[LaneReport]) -> None:
    fused = fusion(made)
    keys = {key for lane in made for key, _ in lane.ranking}
    assert sorted(item.key for item in fused) == sorted(keys)
    for item in fused:
        for rank in item.ranks:
            lane = next(lane for lane in made if lane.lane == rank.lane)
            assert lane.ranking[rank.rank - 1] == (item.key, rank.score)
    assert [item.score for item in fused] == sorted((item.score for item in fused), reverse=True)


def test_reciprocal_ranks_are_those_of_the_paper() -> None:
    made = [
        LaneReport("lexical", LaneState.COMPLETE, ((1, 9.0), (2, 5.0))),
        LaneReport("dense", LaneState.COMPLETE, ((2, 0.8),)),
    ]
    scores = {item.key: item.score for item in reciprocal_rank_fusion(made)}
    assert scores == {1: pytest.approx(1 / 61), 2: pytest.approx(1 / 62 + 1 / 61)}


def test_a_clear_first_place_outweighs_two_middling_ones() -> None:
    made = [
        LaneReport("lexical", LaneState.COMPLETE, ((1, 20.0), (2, 5.0), (3, 4.9))),
        LaneReport("dense", LaneState.COMPLETE, ((2, 0.50), (3, 0.49), (1, 0.48))),
    ]
    assert share_fusion(made)[0].key == 1


def test_ties_go_to_the_better_rank_and_then_the_smaller_key() -> None:
    made = [LaneReport("lexical", LaneState.COMPLETE, ((9, 1.0), (4, 1.0)))]
    assert [item.key for item in share_fusion(made)] == [9, 4]
