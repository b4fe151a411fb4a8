"""Golden answers over the sample that ships with pincite: exact quotes in their places, or the refusal.

Written from the text of the sample, not from what the program said. Two in five have no answer there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builders import ROOT
from pincite import Answer, Library, NotFound, open_library

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "golden" / "answers.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with open_library(tmp_path_factory.mktemp("golden") / "store.db", write=True) as made:
        made.ingest([ROOT / "src" / "pincite" / "data" / "demo"])
        yield made


def test_enough_have_no_answer() -> None:
    assert sum("refused" in case for case in CASES) * 3 >= len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case["question"] for case in CASES])
def test_golden(library: Library, case: dict[str, Any]) -> None:
    answer = library.ask(case["question"])
    if "refused" in case:
        assert isinstance(answer, NotFound)
        assert answer.reason.value == case["refused"]
        return
    assert isinstance(answer, Answer)
    found = [citation for citation in answer.citations if " ".join(citation.quote.split()) == case["quote"]]
    assert found, [citation.quote for citation in answer.citations]
    if "section" in case:
        assert found[0].locator.headings[-1] == case["section"]
    if "page" in case:
        assert found[0].locator.first_page == found[0].locator.last_page == case["page"]
        assert found[0].locator.boxes


def test_every_quote_is_where_its_citation_says(library: Library) -> None:
    for case in CASES:
        answer = library.ask(case["question"])
        for citation in answer.citations if isinstance(answer, Answer) else ():
            opened = library.inspect(citation.document.id, revision=citation.document.revision)
            assert opened.revision.text[citation.locator.start : citation.locator.end] == citation.quote
