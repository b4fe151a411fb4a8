"""Questions: any text is a question, nothing in it is syntax, identifiers are told from quantities."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.core.queries import MOST_TERMS, identifiers_in, read_query


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused_as_empty(text: str) -> None:
    if not text.replace("\x00", " ").split():
        with pytest.raises(UsageError):
            read_query(text)
        return
    query = read_query(text)
    assert len(query.terms) <= MOST_TERMS
    query.text.encode("utf-8")


@pytest.mark.parametrize("text", ['"', "?", "NOT", "NEAR(", "🎉", "x" * 10_000, "\ud800 lone", "a\x00b", "OR AND"])
def test_hostile_questions_are_read(text: str) -> None:
    read_query(text)


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("What does 404.2.3 say?", ("404.2.3",)),
        ("405.6", ("405.6",)),
        ("section D103.5", ("d103.5",)),
        ("第227條", ("第227條",)),
        ("error E-1042 in PR-204-B", ("e-1042", "pr-204-b")),
        ("CVE-2024-1234", ("cve-2024-1234",)),
        ("at least 12.5 mm wide", ()),
        ("a fee of $3.50", ()),
        ("WCAG 2.1 level", ()),
        ("a city of 60,000 people in 2010", ()),
    ],
)
def test_identifiers(text: str, identifiers: tuple[str, ...]) -> None:
    assert identifiers_in(text) == identifiers


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert read_query("what is the width of a door").terms == ("width", "door")
    assert read_query("to be or not to be").terms == ("to", "be", "or", "not", "to", "be")


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Was ist die Höhe der Tür?", ("hohe", "tur")),
        ("Where did they die in the war?", ("die", "war")),
        ("Quelle est la hauteur minimale ?", ("hauteur", "minimal")),
        ("Сколько человек живет в Москве?", ("человек", "живет", "москве")),
        ("कितने लोग", ("लोग",)),
    ],
)
def test_the_stop_words_are_those_of_the_question_s_own_language(text: str, content: tuple[str, ...]) -> None:
    assert read_query(text).content == content


def test_a_word_asked_twice_weighs_double() -> None:
    assert read_query("articles, titles and articles").terms == ("articl", "titl", "articl")


def test_what_is_asked_for() -> None:
    assert read_query("Which page has the rule on gates?").asks_page
    assert read_query("How wide must a gate be?").asks_number
    assert not read_query("Who may lock a gate?").asks_number


def test_chinese_function_words_carry_no_meaning() -> None:
    assert read_query("什麼樣的建築物算是高層建築物？").content == ("建築", "築物", "高層", "層建")
