"""Does `ask` cite the right place in codes and law texts, and refuse what they do not hold?

Loads the documents that eval/codes names, asks every question through the Library with one and the same
setting and no language model. `cited`: answerable questions with a citation in the right document and section
(or page, where the question has one); `identifiers`: those of the bare identifiers; `refused`: unanswerable
questions that gave NOT_FOUND. A quick run leaves the PDFs and their questions out.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.common import CachedEmbedder, arguments, letters, need_shared, report
from pincite.adapters.embedders.onnx import OnnxEmbedder
from pincite.adapters.generators.extractive import ExtractiveGenerator
from pincite.config import load_config
from pincite.core.answers import Answer, Citation, NotFound
from pincite.core.nearness import RememberingEmbedder
from pincite.core.text import index_terms
from pincite.library import Library
from pincite.wiring import open_library

Question = dict[str, Any]


def right_place(question: Question, citation: Citation) -> bool:
    """The document that the question names, and its section or page."""
    wanted = Path(question["file"]).name
    if wanted not in {document.name for document in (citation.document, *citation.also_in)}:
        return False
    if question.get("page") and citation.locator.first_page is not None:
        first, last = citation.locator.first_page, citation.locator.last_page or 0
        if first <= question["page"] <= last:
            return True
    section = index_terms(question["section"])[0]
    return any(section in index_terms(heading) for heading in citation.locator.headings)


def judged(question: Question, answer: Answer | NotFound) -> dict[str, Any]:
    citations = answer.citations if isinstance(answer, Answer) else ()
    if question["answerable"]:
        good = any(right_place(question, citation) for citation in citations)
        exact = any(_overlaps(letters(question["quote"]), letters(citation.quote)) for citation in citations)
    else:
        good, exact = isinstance(answer, NotFound), False
    return {
        "id": question["id"],
        "kind": question["kind"],
        "question": question["question"],
        "good": good,
        "exact_quote": exact,
        "refused": answer.explanation if isinstance(answer, NotFound) else None,
        "cited": [
            {
                "file": citation.document.name,
                "page": citation.locator.first_page,
                "section": citation.locator.headings[-1] if citation.locator.headings else "",
                "quote": " ".join(citation.quote.split())[:90],
            }
            for citation in citations
        ],
    }


def _overlaps(wanted: str, quoted: str) -> bool:
    return wanted in quoted or (len(quoted) >= 30 and quoted in wanted)


def print_case(case: dict[str, Any], verbose: bool) -> None:
    print(f"{case['id']}  {case['kind']:<12} {'ok ' if case['good'] else 'BAD'}  {case['question'][:88]}")
    if verbose or not case["good"]:
        if case["refused"]:
            print(f"      NOT_FOUND: {case['refused'][:160]}")
        for cited in case["cited"]:
            page = f" p. {cited['page']}" if cited["page"] else ""
            print(f"      {cited['file']}{page}, {cited['section'][:40]}: {cited['quote']}")


def with_cached_vectors(library: Library) -> Library:
    """The same library with vectors kept between runs of the benchmark."""
    parts = library._parts
    embedder = RememberingEmbedder(CachedEmbedder(OnnxEmbedder()))
    generator = ExtractiveGenerator(parts.store.lexical, embedder, load_config().claims)
    return Library(replace(parts, embedder=embedder, generator=generator))


def main() -> None:
    options = arguments(__doc__ or "")
    folder = need_shared("eval", "codes")
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    named = {(folder / question["file"]).resolve() for question in questions if question.get("file")}
    files = [folder / "docs", *sorted(path for path in named if not path.is_relative_to(folder.resolve()))]
    if options.quick:
        files = sorted((folder / "docs").rglob("*.md"))
        questions = [question for question in questions if question.get("file", ".md").endswith(".md")]
    with tempfile.TemporaryDirectory() as temporary:
        library = with_cached_vectors(open_library(Path(temporary) / "codes.db", write=True))
        with library:
            library.ingest(files)
            cases = [judged(question, library.ask(question["question"])) for question in questions]
    for case in cases:
        print_case(case, options.verbose)
    answerable = [case for case in cases if case["kind"] != "unanswerable"]
    answers = [case for case in cases if case["cited"]]
    per_answer = sum(len(case["cited"]) for case in answers) / max(1, len(answers))
    exact = sum(case["exact_quote"] for case in answerable)
    print(f"expected quote among the citations: {exact} of {len(answerable)}; citations an answer: {per_answer:.1f}")
    headline = {
        "cited": sum(case["good"] for case in answerable),
        "identifiers": sum(case["good"] for case in answerable if case["kind"] == "identifier"),
        "refused": sum(case["good"] for case in cases if case["kind"] == "unanswerable"),
    }
    report("codes", headline, cases, options)


if __name__ == "__main__":
    main()
