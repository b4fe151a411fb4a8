"""Extractive answers: verbatim, the right sentence first, captions and contents never."""

from pincite.core.answers import DocumentRef, Evidence, Passage
from pincite.core.documents import Chunk, Locator
from pincite.core.evidence import rarities
from pincite.core.extractive import best_statements, quotable_spans, sentences_of
from pincite.core.queries import read_query

REF = DocumentRef(1, "/a/code.md", "code.md", "", 1, "0" * 64)


def evidence(label: int, text: str, *headings: str) -> Evidence:
    return Evidence(label, Passage(label, Chunk("c", text, Locator(0, len(text), headings=headings), 0), REF))


def answer(question: str, *shown: Evidence, most: int = 3) -> list[str]:
    query = read_query(question)
    found = best_statements(query, sentences_of(shown), rarities(query.content, {}, 1000), None, most)
    assert all(s.text in shown[s.labels[0] - 1].passage.chunk.text for s in found)
    return [statement.text for statement in found]


def test_the_sentence_that_states_the_quantity_wins() -> None:
    shown = evidence(
        1,
        "404.2.3 Clear Width. Openings are described here for doors of any width. "
        "Door openings shall provide a clear width of 32 inches minimum.",
        "404 Doors",
        "404.2.3 Clear Width",
    )
    assert answer("What is the clear width of door openings?", shown)[0].startswith("Door openings shall provide")


def test_an_identifier_gives_its_section_from_the_beginning() -> None:
    other = evidence(1, "Entrances shall comply with 404.2.3 at every public door.", "206.5 Doors")
    own = evidence(2, "404.2.3 Clear Width. First rule of the section. Second rule of it.", "404.2.3 Clear Width")
    assert answer("What does 404.2.3 say?", other, own) == [
        "First rule of the section.",
        "Second rule of it.",
    ]


def test_a_section_that_is_named_goes_before_one_that_fits_the_words() -> None:
    other = evidence(1, "Ramps are permitted to be steep where steep ramps exist.", "402.2 Components")
    named = evidence(2, "405.2 Slope. Ramp runs shall have a slope of 1:12 at most.", "405.2 Slope")
    assert answer("According to 405.2, how steep may ramps be?", other, named)[0].startswith("Ramp runs")


def test_headings_captions_and_lines_of_dots_are_not_quoted() -> None:
    text = "404 Doors\n\nContents . . . . . . . 12\n\nDoors shall open in the direction of travel."
    assert [text[a:b] for a, b in quotable_spans(text, ("404 Doors",))] == [
        "Doors shall open in the direction of travel."
    ]


def test_half_a_sentence_yields_to_a_whole_one() -> None:
    half = evidence(1, "Fire gates at night are to stay open and state or local governments are not required")
    whole = evidence(2, "Fire gates stay open at night.")
    assert answer("Do fire gates stay open at night?", half, whole)[0] == "Fire gates stay open at night."


def test_equal_sentences_are_quoted_once_and_name_every_source() -> None:
    line = "Key boxes shall be installed on all commercial occupancies."
    shown = [evidence(1, line), evidence(2, line.replace(" shall", "\nshall"))]
    assert answer("key boxes on commercial occupancies", *shown) == [line]
    assert [sentence.labels for sentence in sentences_of(shown)] == [(1, 2)]


def test_at_most_so_many_claims() -> None:
    shown = [evidence(n, f"Fire gate number {n} shall stay open at night.") for n in range(1, 9)]
    assert len(answer("fire gate open at night", *shown, most=2)) == 2


def test_nothing_shown_gives_nothing() -> None:
    assert answer("anything") == []
