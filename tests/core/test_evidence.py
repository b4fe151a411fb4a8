"""The gate: separates by coverage and meaning together, and never by a fused score."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.documents import Chunk, Locator
from pincite.core.evidence import Candidate, coverage, defines, judge, passage_terms, rarities
from pincite.core.queries import read_query
from pincite.core.text import index_terms

FREQUENCIES = {"width": 40, "gate": 12, "door": 80, "minimum": 300}


def candidate(text: str, cosine: float | None) -> Candidate:
    return Candidate(frozenset(index_terms(text)), cosine)


def ask(question: str, *candidates: Candidate) -> bool:
    query = read_query(question)
    return judge(query, candidates, rarities(query.content, FREQUENCIES, 1000)).enough


def test_words_and_meaning_together_are_enough() -> None:
    assert ask("minimum gate width", candidate("Gates: the minimum width is 32 inches", 0.6))


def test_a_close_sentence_can_make_up_for_a_distant_passage() -> None:
    query = read_query("minimum gate width for cars")
    rarity = rarities(query.content, FREQUENCIES, 1000)
    near = [candidate("Gates: the minimum width is 32 inches", 0.5)]
    assert not judge(query, near, rarity, closest=0.4).enough
    assert judge(query, near, rarity, closest=0.9).enough


def test_the_same_subject_without_the_rare_words_is_not() -> None:
    assert not ask("minimum gate width for fire apparatus", candidate("Doors: the minimum width is 32", 0.6))


def test_near_in_meaning_with_none_of_the_words_is_not() -> None:
    assert not ask("fine for a narrow gate", candidate("Doors shall be wide", 0.9))


def test_all_the_words_with_another_meaning_is_not() -> None:
    assert not ask("gate width", candidate("gate width", 0.1))


def test_without_a_dense_lane_more_words_are_needed() -> None:
    assert ask("minimum gate width", candidate("minimum gate width", None))
    assert not ask("minimum gate width for fire apparatus", candidate("minimum width of a gate", None))


def test_an_identifier_must_stand_there_to_the_letter() -> None:
    assert ask("What does 404.2.3 say?", candidate("404.2.3 Clear Width", None))
    assert not ask("What does 404.2.13 say?", candidate("404.2.3 Clear Width", 0.9))


def test_nothing_found_is_not_enough() -> None:
    assert not ask("gate width")


def test_missing_words_are_named_rarest_first() -> None:
    query = read_query("minimum gate width for fire apparatus")
    verdict = judge(query, [candidate("width", 0.2)], rarities(query.content, FREQUENCIES, 1000))
    assert verdict.missing == ("apparatus", "fire", "gate", "minimum")


@given(st.sets(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef"), unique=True))
def test_coverage_is_a_share_and_grows_with_what_is_held(held: set[str], content: list[str]) -> None:
    rarity = rarities(content, {"a": 3, "b": 999}, 1000)
    share = coverage(frozenset(held), content, rarity)
    assert 0 <= share <= 1 + 1e-9
    assert coverage(frozenset(held | {"a"}), content, rarity) >= share


def test_a_section_is_defined_by_its_own_heading_only() -> None:
    chunk = Chunk("x", "Door openings …", Locator(0, 15, headings=("404 Doors", "404.2.3 Clear Width")), 0)
    assert defines(chunk, "404.2.3")
    assert not defines(chunk, "404")
    assert "404" in passage_terms(chunk)
