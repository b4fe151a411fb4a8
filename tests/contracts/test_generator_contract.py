"""What every generator must do; run on the extractive one, with and without an embedder, and the shipped fake."""

from __future__ import annotations

import pytest

from builders import draft
from pincite.adapters.generators.extractive import ExtractiveGenerator
from pincite.core.answers import Draft, Evidence, Statement
from pincite.core.grounding import check_draft
from pincite.core.ports import Filter, Generator
from pincite.testing import FakeEmbedder, MemoryStore, ScriptedGenerator

TEXT = "# 404.2.3 Clear Width\n\nDoor openings shall provide a clear width of 32 inches minimum. Ramps rise 30 inches."
OTHER = "# 505.4 Height\n\nHandrails shall be 34 inches high."
QUESTION = "What is the clear width of door openings?"
SCRIPT = Draft((Statement("Door openings shall provide a clear width of 32 inches minimum.", (1,)),))


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.save(draft("/a/doors.md", TEXT))
    made.save(draft("/a/rails.md", OTHER))
    return made


@pytest.fixture
def evidence(store: MemoryStore) -> list[Evidence]:
    keys = sorted(store.live(Filter()))
    return [Evidence(label, passage) for label, passage in enumerate(store.passages(keys), start=1)]


@pytest.fixture(params=["extractive", "extractive with embedder", "scripted"])
def generator(request: pytest.FixtureRequest, store: MemoryStore) -> Generator:
    if request.param == "scripted":
        return ScriptedGenerator([SCRIPT, SCRIPT])
    return ExtractiveGenerator(store.lexical, FakeEmbedder() if "embedder" in request.param else None)


def test_every_label_was_shown(generator: Generator, evidence: list[Evidence]) -> None:
    made = generator.draft(QUESTION, evidence)
    shown = {item.label for item in evidence}
    assert made.statements
    for statement in made.statements:
        assert statement.labels
        assert set(statement.labels) <= shown


def test_what_it_writes_stands_the_check(generator: Generator, evidence: list[Evidence]) -> None:
    grounded = check_draft(generator.draft(QUESTION, evidence), evidence)
    assert grounded.claims
    assert not grounded.dropped
    assert "32 inches" in grounded.claims[0].citations[0].quote


def test_it_is_the_same_each_time(generator: Generator, evidence: list[Evidence]) -> None:
    assert generator.draft(QUESTION, evidence) == generator.draft(QUESTION, evidence)


def test_it_has_a_name_and_tells_where_text_goes(generator: Generator) -> None:
    assert generator.name
    assert generator.hosts == ()


def test_without_evidence_it_declines(store: MemoryStore) -> None:
    for generator in (ExtractiveGenerator(store.lexical, None), ScriptedGenerator([])):
        assert generator.draft(QUESTION, []) == Draft((), declined=True)


def test_the_extractive_one_quotes_and_writes_nothing(store: MemoryStore, evidence: list[Evidence]) -> None:
    for statement in ExtractiveGenerator(store.lexical, FakeEmbedder()).draft(QUESTION, evidence).statements:
        assert statement.quotes == (statement.text,)
        assert any(statement.text in item.passage.chunk.text for item in evidence)
