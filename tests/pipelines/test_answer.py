"""Answers under proof: gated, checked, cited to the place; refusals typed and explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders import EMBEDDER, draft, failure
from pdfs import pdf, plain
from pincite.adapters.generators.extractive import ExtractiveGenerator
from pincite.core.answers import Answer, Draft, NotFound, Reason, Statement
from pincite.core.documents import Revision
from pincite.core.errors import QuoteLawBroken, UsageError
from pincite.core.ports import Filter, Generator
from pincite.pipelines.answer import Answerer, answer_question
from pincite.pipelines.retrieve import Retriever
from pincite.testing import MemoryStore, ScriptedGenerator, reading_of

DOORS = "# 404.2.3 Clear Width\n\nDoor openings shall provide a clear width of 32 inches. They swing outward."
ZOO = "# Animals\n\nElephants eat grass. Lions eat elephants."


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.use_embedder(EMBEDDER.identity)
    made.save(draft("/a/doors.md", DOORS))
    made.save(draft("/a/zoo.md", ZOO))
    return made


def ask(store: MemoryStore, question: str, generator: Generator | None = None) -> Answer | NotFound:
    generator = generator or ExtractiveGenerator(store.lexical, EMBEDDER)
    return answer_question(Answerer(Retriever(store, EMBEDDER), generator), question, Filter())


def test_an_answer_is_a_verbatim_quote_with_its_place(store: MemoryStore) -> None:
    answer = ask(store, "What clear width shall door openings provide?")
    assert isinstance(answer, Answer)
    citation = answer.citations[0]
    assert citation.quote == "Door openings shall provide a clear width of 32 inches."
    assert citation.document.name == "doors.md"
    assert citation.locator.headings == ("404.2.3 Clear Width",)
    revision = store.revision(citation.document.id, citation.document.revision)
    assert revision.text[citation.locator.start : citation.locator.end] == citation.quote
    assert answer.receipt.left_machine == ()
    assert answer.receipt.generator == "extractive"


def test_an_empty_store_says_so(store: MemoryStore) -> None:
    refusal = ask(MemoryStore(), "What clear width?")
    assert isinstance(refusal, NotFound)
    assert refusal.reason is Reason.NO_DOCUMENTS


def test_what_the_documents_do_not_hold_is_refused_with_reasons(store: MemoryStore) -> None:
    refusal = ask(store, "What is the fine for parking a submarine on the roof?")
    assert isinstance(refusal, NotFound)
    assert refusal.reason in (Reason.WEAK_EVIDENCE, Reason.NO_MATCH)
    assert refusal.explanation


def test_an_identifier_that_is_not_there_is_not_found(store: MemoryStore) -> None:
    refusal = ask(store, "What does 404.2.13 say?")
    assert isinstance(refusal, NotFound)
    assert refusal.nearest == ()


def test_the_gate_runs_before_the_generator(store: MemoryStore) -> None:
    generator = ScriptedGenerator([])
    ask(store, "Who won the football match in Lisbon?", generator)
    assert generator.shown == []


def test_inventions_are_dropped_and_told(store: MemoryStore) -> None:
    invented = Draft(
        (
            Statement("Door openings shall provide a clear width of 32 inches [1].", (1,)),
            Statement("Door openings shall provide a clear width of 36 inches [1].", (1,)),
            Statement("Doors are green [7].", (7,)),
        )
    )
    answer = ask(store, "What clear width shall door openings provide?", ScriptedGenerator([invented]))
    assert isinstance(answer, Answer)
    assert len(answer.claims) == 1
    assert ["36" in item.why or "[7]" in item.why for item in answer.dropped] == [True, True]


def test_when_nothing_stands_the_check_it_is_not_found(store: MemoryStore) -> None:
    invented = Draft((Statement("The clear width is 99 inches [1].", (1,)),))
    refusal = ask(store, "What clear width shall door openings provide?", ScriptedGenerator([invented]))
    assert isinstance(refusal, NotFound)
    assert (refusal.reason, len(refusal.dropped)) == (Reason.UNSUPPORTED, 1)


def test_a_generator_may_decline(store: MemoryStore) -> None:
    refusal = ask(store, "What clear width shall door openings provide?", ScriptedGenerator([]))
    assert isinstance(refusal, NotFound)
    assert refusal.reason is Reason.MODEL_DECLINED


def test_what_could_not_be_read_is_told_with_the_answer(store: MemoryStore) -> None:
    store.save_failure(failure("/a/scan.pdf"))
    answer = ask(store, "What clear width shall door openings provide?")
    assert answer.coverage.failed == 1


class Tampered(MemoryStore):
    """A store whose text no longer is what its passages were cut from."""

    def revision(self, document: int, number: int | None = None) -> Revision:
        kept = super().revision(document, number)
        return Revision(kept.number, kept.sha256, kept.size, reading_of(kept.text.upper()), kept.created)


def test_a_quote_that_is_not_in_the_stored_text_is_never_shown() -> None:
    store = Tampered()
    store.use_embedder(EMBEDDER.identity)
    store.save(draft("/a/doors.md", DOORS))
    with pytest.raises(QuoteLawBroken):
        ask(store, "What clear width shall door openings provide?")


def test_an_empty_question_is_a_mistake(store: MemoryStore) -> None:
    with pytest.raises(UsageError):
        ask(store, "\x00 ")


def test_a_quote_points_at_its_own_page_and_a_page_question_at_paged_copies(tmp_path: Path) -> None:
    """Two copies of one rule, a text and a PDF whose second page is blank."""
    from pincite.wiring import open_library

    folder = tmp_path
    rule = "Fire lanes shall be twenty feet wide at every gate."
    (folder / "rule.md").write_text(f"# Lanes\n\n{rule}\n")
    (folder / "rule.pdf").write_bytes(
        pdf([plain("An introduction to lanes."), plain(), plain(rule, "It is kept open.")])
    )
    with open_library(folder / "store.db", write=True) as library:
        library.ingest([folder / "rule.md", folder / "rule.pdf"])
        answer = library.ask("On which page is the rule that fire lanes are twenty feet wide?")
    assert isinstance(answer, Answer)
    assert {citation.document.name for citation in answer.citations} == {"rule.pdf"}
    assert answer.citations[0].locator.first_page == answer.citations[0].locator.last_page == 3
    assert answer.citations[0].locator.boxes[0].page == 3
