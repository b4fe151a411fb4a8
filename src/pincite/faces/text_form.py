"""The one text form of every noun, for people: shared by the command line and whatever else prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.core.answers import (
    Answer,
    Citation,
    Coverage,
    DocumentRef,
    Hit,
    LaneReport,
    LaneState,
    NotFound,
    SearchResult,
)
from pincite.core.documents import Document, Failure, Locator, OutcomeKind
from pincite.core.reports import Change, Check, IngestEntry, IngestReport, Inspection, Probe, StoreStatus
from pincite.faces.age import age_text, moment_text
from pincite.faces.json_form import on_page
from pincite.faces.where import place_text

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SNIPPET = 280
_SHOWN_FAILURES = 5
QUIET = frozenset({LaneState.COMPLETE, LaneState.EMPTY, LaneState.NOT_APPLICABLE})


def clean(text: str) -> str:
    """Text from a document without what a terminal would obey: control characters, escapes, direction marks."""
    return _CONTROL.sub("", text)


def one_line(text: str, most: int = 0) -> str:
    flat = " ".join(clean(text).split())
    return flat if not most or len(flat) <= most else flat[: most - 1].rsplit(" ", 1)[0] + " …"


def source_line(document: DocumentRef, locator: Locator) -> str:
    """One line that says where: file, page or lines, section path, revision."""
    path = section_path(locator)
    parts = [clean(document.name), clean(place_text(locator)), path, f"revision {document.revision}"]
    return ", ".join(part for part in parts if part)


def section_path(locator: Locator) -> str:
    """The innermost headings, which tell a reader where to look; the JSON form has all of them."""
    told = locator.place.name if locator.place else ""
    headings = [one_line(heading, 80) for heading in locator.headings if heading != told]
    return " > ".join(["…", *headings[-3:]] if len(headings) > 3 else headings)


def answer_text(answer: Answer | NotFound) -> str:
    return "\n".join(_not_found(answer) if isinstance(answer, NotFound) else _answer(answer))


def _answer(answer: Answer) -> Iterator[str]:
    numbers: dict[tuple[int, int, int], int] = {}
    citations: list[Citation] = []
    for claim in answer.claims:
        marks = []
        for citation in claim.citations:
            key = (citation.document.id, citation.locator.start, citation.locator.end)
            if key not in numbers:
                numbers[key] = len(numbers) + 1
                citations.append(citation)
            marks.append(f"[{numbers[key]}]")
        yield f"{one_line(claim.text)} {''.join(marks)}"
        yield ""
    yield "Sources"
    for number, citation in enumerate(citations, start=1):
        yield f"  [{number}] {source_line(citation.document, citation.locator)}"
        if citation.locator.header:
            yield f"      columns: {one_line(citation.locator.header.text, 120)}"
        if citation.also_in:
            yield f"      also in {', '.join(clean(document.name) for document in citation.also_in)}"
        if age_text(citation):
            yield f"      {age_text(citation)}"
    for item in answer.dropped:
        yield f"Left out: {one_line(item.text, 100)} ({item.why})"
    yield from filter(None, [moment_text(answer.receipt.as_of, answer.receipt.moment)])
    yield from _caveats(answer.receipt.lanes, answer.coverage)


def _not_found(refusal: NotFound) -> Iterator[str]:
    yield f"NOT_FOUND ({refusal.reason.value})"
    yield one_line(refusal.explanation)
    if refusal.nearest:
        yield ""
        yield "Nearest passages, which do not answer the question:"
        for hit in refusal.nearest:
            yield f"  - {source_line(hit.passage.document, hit.passage.chunk.locator)}"
            yield f"    {one_line(hit.passage.chunk.text, 120)}"
    yield from filter(None, [moment_text(refusal.receipt.as_of, refusal.receipt.moment)])
    yield from _caveats(refusal.receipt.lanes, refusal.coverage)


def _caveats(lanes: Sequence[LaneReport], coverage: Coverage) -> Iterator[str]:
    """What a reader must know about the answer's reach: lanes that did not work, files that were not read."""
    for lane in lanes:
        if lane.state not in QUIET:
            yield f"Note: the {lane.lane} lane is {lane.state.value}: {lane.message}"
    if coverage.failed or coverage.partial:
        parts = []
        if coverage.failed:
            parts.append(f"{_count(coverage.failed, 'file')} could not be read")
        if coverage.partial:
            parts.append(f"{_count(coverage.partial, 'document')} only in part")
        yield f"Not covered: {', '.join(parts)} (pincite list --failed)."


def search_text(result: SearchResult, *, explain: bool = False) -> str:
    lines: list[str] = []
    for number, hit in enumerate(result.hits, start=1):
        lines.append(f"{number}. {source_line(hit.passage.document, hit.passage.chunk.locator)}")
        lines.append(f"   {one_line(hit.passage.chunk.text, _SNIPPET)}")
        if hit.also_in:
            lines.append(f"   also in {', '.join(clean(document.name) for document in hit.also_in)}")
        if explain:
            lines.append(f"   {_ranks(hit)}")
        lines.append("")
    if not result.hits:
        lines.append("NOT_FOUND: no passage holds any of these words or comes near them.")
    lines.extend(filter(None, [moment_text(result.as_of, result.moment)]))
    lines.extend(_caveats(result.lanes, result.coverage))
    return "\n".join(lines).rstrip("\n")


def _ranks(hit: Hit) -> str:
    ranks = ", ".join(f"{rank.lane} rank {rank.rank} ({rank.score:.2f})" for rank in hit.ranks)
    return f"{ranks}; fused {hit.score:.3f}"


def ingest_text(report: IngestReport) -> str:
    counts = ", ".join(f"{report.count(change)} {change.value}" for change in Change if report.count(change))
    seconds = report.seconds.get("total", 0.0)
    passages = sum(entry.chunks for entry in report.entries)
    lines = [f"{counts or 'nothing to do'}; {_count(passages, 'passage')} in {seconds:.1f} s."]
    if report.embedded or report.reused:
        lines[0] += f" Embedded {report.embedded}, reused {report.reused}."
    if report.lexical_only:
        lines.append(f"No vectors were made: {report.lexical_only}. Search works by words alone.")
    lines.extend(_partial_lines(report.entries))
    lines.extend(_failure_lines(report.entries))
    return "\n".join(lines)


def _partial_lines(entries: Sequence[IngestEntry]) -> Iterator[str]:
    for entry in entries:
        if entry.change is not Change.FAILED and entry.outcome.kind is OutcomeKind.PARTIAL:
            yield f"Only in part: {clean(entry.name)}: {entry.outcome.message}"


def _failure_lines(entries: Sequence[IngestEntry]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[IngestEntry]] = {}
    for entry in entries:
        if entry.change is Change.FAILED:
            groups.setdefault((entry.outcome.kind.value, entry.outcome.message), []).append(entry)
    for (kind, message), failed in sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        names = ", ".join(clean(entry.name) for entry in failed[:_SHOWN_FAILURES])
        more = f" and {len(failed) - _SHOWN_FAILURES} more" if len(failed) > _SHOWN_FAILURES else ""
        yield f"Not read ({kind}): {names}{more}"
        yield f"  {message} {failed[0].outcome.hint}".rstrip()
        kept = sum(entry.kept_revision is not None for entry in failed)
        if kept:
            yield f"  The last good revision stays live for {kept} of them."
    if groups:
        yield "All of them: pincite list --failed"


def documents_text(documents: Sequence[Document]) -> str:
    if not documents:
        return "No documents. Add some with: pincite ingest PATH"
    lines = []
    for document in documents:
        pages = f", {_count(document.pages, 'page')}" if document.pages else ""
        labels = "".join(f" #{tag}" for tag in document.tags)
        collection = f" [{document.collection}]" if document.collection else ""
        state = "" if document.outcome.kind is OutcomeKind.WHOLE else f" ({document.outcome.kind.value})"
        lines.append(
            f"{document.id:>5}  {clean(document.name)}{collection}{labels}{pages}, "
            f"{_count(document.chunks, 'passage')}, revision {document.revision}{state}"
        )
    return "\n".join(lines)


def failures_text(failures: Sequence[Failure]) -> str:
    if not failures:
        return "No failures."
    lines = []
    for failure in failures:
        lines.append(f"{failure.outcome.kind.value:<14} {clean(failure.uri)}")
        lines.append(f"{'':<14} {failure.outcome.message} {failure.outcome.hint}".rstrip())
    return "\n".join(lines)


def inspection_text(inspection: Inspection, *, page: int | None = None, chunks: bool = False) -> str:
    document, revision = inspection.document, inspection.revision
    lines = [
        f"{clean(document.name)} (document {document.id}, revision {revision.number} of {revision.created})",
        f"  {clean(document.uri)}",
        f"  {document.media_type}, {revision.size} bytes, sha256 {revision.sha256[:16]}…",
        f"  reader {revision.reading.reader}",
        f"  {revision.reading.outcome.kind.value}: {len(revision.text)} characters, "
        f"{_count(len(revision.reading.pages), 'page')}, {_count(len(inspection.chunks), 'passage')}",
    ]
    if revision.reading.title:
        lines.append(f"  title: {one_line(revision.reading.title)}")
    lines.extend(f"  {key}: {one_line(value)}" for key, value in sorted(revision.reading.metadata.items()))
    if revision.reading.outcome.message:
        lines.append(f"  {revision.reading.outcome.message} {revision.reading.outcome.hint}".rstrip())
    if page is not None:
        lines.extend(_page_lines(inspection, page))
    if chunks:
        for chunk in inspection.chunks:
            if page is None or on_page(chunk, page):
                where = f"[{chunk.ordinal}] {clean(place_text(chunk.locator))} {section_path(chunk.locator)}".rstrip()
                lines.extend(["", where, clean(chunk.text)])
    return "\n".join(lines)


def _page_lines(inspection: Inspection, number: int) -> Iterator[str]:
    page = next((page for page in inspection.revision.reading.pages if page.number == number), None)
    if page is None:
        yield f"There is no page {number}."
        return
    label = f" (printed {page.label})" if page.label else ""
    seen = f", recognised ({page.ocr:.0%} sure)" if page.ocr is not None else ""
    yield f"--- page {number}{label}, {page.outcome.value}{seen} ---"
    yield clean(inspection.revision.text[page.start : page.end].strip("\n"))


def status_text(status: StoreStatus) -> str:
    coverage = status.coverage
    lines = [
        f"Store {status.name}: {status.path}",
        f"  {_count(coverage.documents, 'document')}, {_count(coverage.chunks, 'passage')}, {_size(status.bytes)}",
        f"  embedder: {status.embedder or 'none'} ({_count(status.vectors, 'vector')})",
        f"  last ingest: {status.last_run or 'never'}",
    ]
    named = {name: count for name, count in status.collections.items() if name}
    if named:
        lines.append("  collections: " + ", ".join(f"{name} ({count})" for name, count in named.items()))
    if coverage.failed or coverage.partial:
        lines.append(f"  not read: {_count(coverage.failed, 'file')}; only in part: {coverage.partial}")
    return "\n".join(lines)


def checks_text(checks: Sequence[Check]) -> str:
    lines = []
    for check in checks:
        lines.append(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.detail}")
        if not check.ok and check.hint:
            lines.append(f"      mend: {check.hint}")
    return "\n".join(lines)


def probe_text(probe: Probe) -> str:
    lines = [
        f"{probe.embedder}: {probe.passages_per_second:.0f} passages of 200 words a second, "
        f"{probe.query_milliseconds:.1f} ms a question.",
    ]
    for passages in (1_000, 10_000, 100_000):
        seconds = passages / probe.passages_per_second
        size = f", {_size(int(passages * probe.bytes_per_chunk))} on disk" if probe.bytes_per_chunk else ""
        lines.append(f"  {passages:>7,} passages: about {_duration(seconds)}{size}")
    return "\n".join(lines)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _size(count: int) -> str:
    value = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
