"""Nothing that a generator writes is believed: labels, quotes, numbers and support are checked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.answers import DocumentRef, Draft, Evidence, Passage, Statement
from pincite.core.documents import Chunk, Locator
from pincite.core.grounding import check_draft, find_quote

TEXT = "Door openings shall provide a clear width\nof 32 inches (815 mm) minimum. Ramps rise 30 inches at most."
REF = DocumentRef(1, "/a/code.md", "code.md", "", 1, "0" * 64)


def evidence(label: int = 1, text: str = TEXT, offset: int = 100) -> Evidence:
    return Evidence(label, Passage(label, Chunk("c", text, Locator(offset, offset + len(text)), 0), REF))


def why(statement: Statement) -> str:
    grounded = check_draft(Draft((statement,)), [evidence()])
    assert not grounded.claims
    return grounded.dropped[0].why


def test_a_true_statement_becomes_a_claim_with_a_verbatim_quote() -> None:
    grounded = check_draft(
        Draft((Statement("Door openings need a clear width of 32 inches [1].", (1,)),)), [evidence()]
    )
    citation = grounded.claims[0].citations[0]
    assert citation.quote == TEXT[: TEXT.index(" Ramps")]
    assert (citation.locator.start, citation.locator.end) == (100, 100 + len(citation.quote))


def test_a_quote_is_found_over_line_breaks_and_cited_as_it_stands() -> None:
    statement = Statement("It says so.", (1,), ("a clear width of 32 inches",))
    citation = check_draft(Draft((statement,)), [evidence()]).claims[0].citations[0]
    assert citation.quote == "a clear width\nof 32 inches"


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (Statement("Doors are wide.", ()), "names no source"),
        (Statement("Doors are wide [9].", (9,)), "was not shown"),
        (Statement("Door openings need a clear width of 36 inches [1].", (1,)), '"36"'),
        (Statement("404.2.9 asks for a clear width of 32 inches [1].", (1,)), '"404.2.9"'),
        (Statement("A quote.", (1,), ("Door openings may provide",)), "does not stand"),
        (Statement("Elevators need emergency telephones near exits [1].", (1,)), "supports it"),
    ],
)
def test_what_fails_is_dropped_with_the_reason(statement: Statement, reason: str) -> None:
    assert reason in why(statement)


def test_a_quote_of_another_source_is_not_accepted() -> None:
    both = [evidence(1, "Gates may be locked."), evidence(2, "Gates must be open.")]
    statement = Statement("Gates must be open.", (1,), ("Gates must be open.",))
    assert check_draft(Draft((statement,)), both).dropped


@given(st.lists(st.tuples(st.text(max_size=40), st.lists(st.integers(0, 3), max_size=2))))
def test_count_law(drafts: list[tuple[str, list[int]]]) -> None:
    statements = tuple(Statement(text, tuple(labels)) for text, labels in drafts)
    grounded = check_draft(Draft(statements), [evidence()])
    assert len(grounded.claims) + len(grounded.dropped) == len(statements)
    for claim in grounded.claims:
        for citation in claim.citations:
            start, end = citation.locator.start - 100, citation.locator.end - 100
            assert TEXT[start:end] == citation.quote


@given(st.text(max_size=60), st.integers(0, 50), st.integers(1, 20))
def test_every_slice_is_found(text: str, start: int, length: int) -> None:
    quote = text[start : start + length]
    span = find_quote(quote, text)
    if quote.split():
        assert span is not None
        assert text[span[0] : span[1]].split() == quote.split()
    else:
        assert span is None
