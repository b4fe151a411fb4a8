"""The tokeniser: literal, the same on both sides, at home in every script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.stemming import stem
from pincite.core.text import fold, index_terms, script_of


@given(st.text())
def test_terms_are_clean(text: str) -> None:
    for term in index_terms(text):
        assert term
        assert '"' not in term
        assert not any(c.isspace() or ord(c) < 32 for c in term)
        assert not any("A" <= c <= "Z" for c in term)


@given(st.text(), st.text())
def test_lines_are_independent(left: str, right: str) -> None:
    assert index_terms(f"{left}\n{right}") == index_terms(left) + index_terms(right)


@given(st.from_regex(r"[A-Z]?[0-9]{1,4}(\.[0-9]{1,3}){1,4}", fullmatch=True))
def test_clause_numbers_stay_whole(number: str) -> None:
    assert index_terms(f"What does {number} say?") == ["what", "doe", number.lower(), "say"]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("KubePodCrashLooping", "crash looping pod"),
        ("X-200", "x200"),
        ("state-of-the-art", "art"),
        ("foo_bar", "FOO_BAR"),
        ("ﬁnance and oﬃce", "finance office"),
        ("Łódź København straße", "lodz kobenhavn strasse"),
        ("cafe\u0301", "café"),
        ("long\u00adterm", "longterm"),
        ("１２３", "123"),
        ("department’s", "department"),
        ("doors", "door"),
        ("locked", "locks"),
        ("1,200", "1200"),
        ("東京タワーに行く", "東京"),
        ("서울특별시청", "특별시"),
        ("النُّصُوصُ", "النصوص"),
        ("हिन्दी में", "हिन्दी"),
        ("第61條", "第61條"),
    ],
)
def test_written_and_asked_meet(written: str, asked: str) -> None:
    assert set(index_terms(asked)) <= set(index_terms(written))


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++", "C"), ("C#", "C"), ("404.2.3", "404.2"), ("D103.4", "D103.5"), ("第61條", "第161條")],
)
def test_different_things_do_not_meet(one: str, other: str) -> None:
    assert index_terms(one)[0] not in index_terms(other)


def test_devanagari_words_are_not_split_at_vowel_signs() -> None:
    assert index_terms("दुनिया की") == ["दुनिया", "की"]


def test_thai_gives_pairs_and_triples() -> None:
    assert "ภา" in index_terms("ภาษาไทย")
    assert "ภาษ" in index_terms("ภาษาไทย")


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("What is this?", "Latin"),
        ("單車道寬度", "Han"),
        ("東京タワーはどこ", "Kana"),
        ("서울", "Hangul"),
        ("Что это", "Cyrillic"),
        ("405.6 ?", "Common"),
        ("हिन्दी", "Devanagari"),
        ("ภาษาไทย", "Thai"),
    ],
)
def test_scripts(text: str, script: str) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("lock", "locks", "locked", "locking"), "lock"),
        (("stop", "stopped", "stopping"), "stop"),
        (("measure", "measured", "measuring"), "measur"),
        (("entry", "entries"), "entri"),
    ],
)
def test_inflections_share_a_stem(words: tuple[str, ...], same: str) -> None:
    assert {stem(word) for word in words} == {same}


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20))
def test_a_stem_is_never_empty(word: str) -> None:
    assert stem(word)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
