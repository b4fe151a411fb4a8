"""The text and JSON forms, kept as golden files. After a wanted change, run once with
PINCITE_UPDATE_GOLDENS=1 and read the difference before you commit it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pincite.core.answers import (
    Answer,
    Citation,
    Claim,
    Coverage,
    DocumentRef,
    Dropped,
    Hit,
    LaneRank,
    LaneReport,
    LaneState,
    NotFound,
    Passage,
    Reason,
    Receipt,
    SearchResult,
)
from pincite.core.documents import (
    Box,
    Chunk,
    Corpus,
    Document,
    Failure,
    Locator,
    Outcome,
    OutcomeKind,
    Page,
    Reading,
    Revision,
)
from pincite.core.places import Place
from pincite.core.reports import Change, Check, IngestEntry, IngestReport, Inspection, Probe, StoreStatus
from pincite.faces import json_form, text_form, where

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("PINCITE_UPDATE_GOLDENS") == "1"

REF = DocumentRef(7, "/codes/fire.pdf", "fire.pdf", "Fire Code", 2, "ab" * 32)
COPY = DocumentRef(8, "/codes/fire copy.pdf", "fire copy.pdf", "", 1, "ab" * 32)
TEXT = "404.2.3 Clear Width. Door openings shall provide\na clear width of 32 inches (815 mm) minimum."
LOCATOR = Locator(
    start=100,
    end=100 + len(TEXT),
    first_page=92,
    last_page=92,
    first_label="Sec1:88",
    last_label="Sec1:88",
    headings=("Chapter 4", "404 Doors", "404.2 Manual doors", "404.2.3 Clear Width"),
    boxes=(Box(92, 72.0, 100.5, 500.0, 124.0),),
)
PASSAGE = Passage(41, Chunk("c" * 24, TEXT, LOCATOR, 3), REF)
HIT = Hit(PASSAGE, (LaneRank("dense", 2, 0.71), LaneRank("lexical", 1, 12.5)), 1.9, (COPY,))
LANES = (
    LaneReport("lexical", LaneState.COMPLETE, ((41, 12.5),), milliseconds=1.5),
    LaneReport("dense", LaneState.STALE, ((41, 0.71),), "3 passages have no vector", 2.5),
)
COVERAGE = Coverage(documents=9, chunks=300, partial=1, failed=2)
RECEIPT = Receipt("extractive", "all-MiniLM-L6-v2", LANES, 8, 0, (), {"lexical": 1.5}, "codes")
QUOTE = "Door openings shall provide\na clear width of 32 inches (815 mm) minimum."
CITATION = Citation(1, REF, LOCATOR, QUOTE, (COPY,))
ANSWER = Answer(
    "How wide must a door be?",
    (Claim(QUOTE, (CITATION,)), Claim("It is so.", (CITATION,))),
    COVERAGE,
    RECEIPT,
    (Dropped("Doors are green.", "it names no source"),),
)
REFUSAL = NotFound(
    "How wide must a gate be?",
    Reason.WEAK_EVIDENCE,
    "The evidence is too weak. No near passage mentions: gate.",
    (HIT,),
    COVERAGE,
    RECEIPT,
)
SEARCH = SearchResult("door width", (HIT,), LANES, COVERAGE, {"lexical": 1.5})
CORRUPT = Outcome(OutcomeKind.CORRUPT, "not_a_pdf", "The file is not a readable PDF.", "Fetch it anew.")
PARTIAL = Outcome(OutcomeKind.PARTIAL, "no_text_layer", "1 of 3 pages have no text layer.", "Run OCR.", (2,))
REPORT = IngestReport(
    entries=(
        IngestEntry("/codes/a.md", "a.md", Change.ADDED, Outcome(OutcomeKind.WHOLE), 1, 12),
        IngestEntry("/codes/b.pdf", "b.pdf", Change.UPDATED, PARTIAL, 2, 4),
        IngestEntry("/codes/c.md", "c.md", Change.UNCHANGED, Outcome(OutcomeKind.WHOLE), 3),
        IngestEntry("/codes/d.pdf", "d\x1b[31m.pdf", Change.FAILED, CORRUPT, 4, 0, 1, known=True),
    ),
    embedded=14,
    reused=2,
    seconds={"read": 0.25, "total": 2.0},
)
DOCUMENT = Document(
    id=7,
    uri="/codes/fire.pdf",
    name="fire.pdf",
    media_type="application/pdf",
    title="Fire Code",
    collection="codes",
    corpus=Corpus.KNOWLEDGE,
    tags=("fire", "law"),
    revision=2,
    sha256="ab" * 32,
    size=2048,
    pages=3,
    chunks=12,
    outcome=PARTIAL,
    created="2026-01-01T00:00:00+00:00",
    updated="2026-01-02T00:00:00+00:00",
)
READING = Reading(PARTIAL, "pdf/1", TEXT, (Page(92, 0, len(TEXT), "Sec1:88"),), (), "Fire Code", {"author": "Council"})
INSPECTION = Inspection(DOCUMENT, Revision(2, "ab" * 32, 2048, READING, "2026-01-02T00:00:00+00:00"), (PASSAGE.chunk,))
FAILURE = Failure("/codes/d.pdf", "d.pdf", "application/pdf", "cd" * 32, 9, "pdf/1", CORRUPT, "2026-01-02T00:00:00")
STATUS = StoreStatus(
    "codes", "/home/stores/codes.db", 5_300_000, 1, COVERAGE, {"codes": 8, "": 1}, "all-MiniLM-L6-v2", 300, ""
)
CHECKS = [Check("python", True, "3.11"), Check("disk", False, "0.1 GiB free", "Free some space.")]
PROBE = Probe("all-MiniLM-L6-v2", 42.0, 3.25, 4096.0)

TEXTS = {
    "answer": text_form.answer_text(ANSWER),
    "not_found": text_form.answer_text(REFUSAL),
    "search": text_form.search_text(SEARCH),
    "search_explained": text_form.search_text(SEARCH, explain=True),
    "search_nothing": text_form.search_text(SearchResult("x", (), LANES[:1], Coverage(), {})),
    "ingest": text_form.ingest_text(REPORT),
    "documents": text_form.documents_text([DOCUMENT]),
    "failures": text_form.failures_text([FAILURE]),
    "inspection": text_form.inspection_text(INSPECTION, page=92, chunks=True),
    "status": text_form.status_text(STATUS),
    "checks": text_form.checks_text(CHECKS),
    "probe": text_form.probe_text(PROBE),
}
VALUES: Mapping[str, Any] = {
    "answer": json_form.answer_json(ANSWER, "codes"),
    "not_found": json_form.answer_json(REFUSAL, "codes"),
    "search": json_form.search_json(SEARCH, "codes"),
    "ingest": json_form.ingest_json(REPORT),
    "document": json_form.document_json(DOCUMENT),
    "failure": json_form.failure_json(FAILURE),
    "inspection": json_form.inspection_json(INSPECTION),
    "status": json_form.status_json(STATUS),
    "probe": json_form.probe_json(PROBE),
}


def golden(name: str, content: str) -> str:
    path = GOLDEN / name
    if UPDATE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, "utf-8")
    return path.read_text("utf-8")


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_text_form(name: str) -> None:
    content = TEXTS[name] + "\n"
    assert content == golden(f"{name}.txt", content)
    assert "\x1b" not in content


@pytest.mark.parametrize("name", sorted(VALUES))
def test_json_form(name: str) -> None:
    content = json.dumps(VALUES[name], ensure_ascii=False, indent=1) + "\n"
    assert content == golden(f"{name}.json", content)


def test_places_are_told_as_people_say_them() -> None:
    assert where.place_text(Locator(0, 1, first_page=3, last_page=4)) == "pp. 3-4"
    assert (
        where.place_text(Locator(0, 1, first_page=3, last_page=3, first_label="i", last_label="i"))
        == "p. 3 (printed i)"
    )
    assert where.place_text(Locator(0, 1, lines=(5, 5))) == "line 5"
    assert where.place_text(Locator(0, 1)) == ""
    sheet = Place("sheet", "Prices", rows=(3, 9), columns=("B", "F"))
    assert where.place_text(Locator(0, 1, place=sheet)) == 'sheet "Prices" B3:F9'
    assert where.place_text(Locator(0, 1, first_page=4, last_page=4, place=Place("slide", "4"))) == "slide 4"
    row = Place(table=2, rows=(3, 3))
    assert where.place_text(Locator(0, 1, first_page=7, last_page=7, place=row)) == "p. 7, table 2, row 3"
    assert where.place_text(Locator(0, 1, place=Place("message", "2", field="Subject"))) == "message 2, Subject"
    assert where.place_text(Locator(0, 1, place=Place(paragraphs=(3, 5)))) == "paragraphs 3-5"
    assert where.place_text(Locator(0, 1, lines=(4, 4), place=Place(rows=(3, 3)))) == "row 3, line 4"
    seen = Locator(0, 1, first_page=1, last_page=1, ocr=0.93)
    assert where.place_text(seen) == "p. 1, recognised from a picture (93% sure)"


def test_an_address_names_store_document_revision_and_span() -> None:
    assert json_form.address("codes", REF, LOCATOR) == f"pincite://codes/7?rev=2&start=100&end={100 + len(TEXT)}"
