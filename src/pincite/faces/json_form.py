"""The one JSON form of every noun, shared by all faces. Keys are stable; `schema` names their version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite.core.answers import (
    Answer,
    Citation,
    Coverage,
    DocumentRef,
    Dropped,
    Hit,
    LaneReport,
    NotFound,
    Receipt,
    SearchResult,
)
from pincite.core.documents import Chunk, Document, Failure, Locator, Outcome, Page
from pincite.core.errors import PinciteError
from pincite.core.reports import Change, Check, IngestEntry, IngestReport, Inspection, Probe, StoreStatus
from pincite.faces.age import age_json, moment_json
from pincite.faces.where import locator_json

SCHEMA = 1
Json = dict[str, Any]


def address(store: str, document: DocumentRef, locator: Locator) -> str:
    """A stable address of a passage: the same words for ever, whatever happens to the document later."""
    span = f"start={locator.start}&end={locator.end}"
    return f"pincite://{store}/{document.id}?rev={document.revision}&{span}"


def document_ref_json(document: DocumentRef) -> Json:
    return {
        "id": document.id,
        "name": document.name,
        "title": document.title,
        "uri": document.uri,
        "revision": document.revision,
        "sha256": document.sha256,
    }


def coverage_json(coverage: Coverage) -> Json:
    return {
        "documents": coverage.documents,
        "passages": coverage.chunks,
        "partial": coverage.partial,
        "failed": coverage.failed,
    }


def hit_json(hit: Hit, store: str) -> Json:
    passage = hit.passage
    return {
        "document": document_ref_json(passage.document),
        "locator": locator_json(passage.chunk.locator),
        "address": address(store, passage.document, passage.chunk.locator),
        "text": passage.chunk.text,
        "score": round(hit.score, 6),
        "ranks": {rank.lane: {"rank": rank.rank, "score": round(rank.score, 4)} for rank in hit.ranks},
        "also_in": [document_ref_json(document) for document in hit.also_in],
    }


def lane_json(lane: LaneReport) -> Json:
    return {"lane": lane.lane, "state": lane.state.value, "found": len(lane.ranking), "message": lane.message}


def search_json(result: SearchResult, store: str) -> Json:
    return {
        "schema": SCHEMA,
        "query": result.query,
        **moment_json(result.as_of, result.moment),
        "hits": [hit_json(hit, store) for hit in result.hits],
        "lanes": [lane_json(lane) for lane in result.lanes],
        "coverage": coverage_json(result.coverage),
        "milliseconds": _rounded(result.milliseconds),
    }


def citation_json(citation: Citation, store: str) -> Json:
    return {
        "label": citation.label,
        "document": document_ref_json(citation.document),
        "locator": locator_json(citation.locator),
        "address": address(store, citation.document, citation.locator),
        "quote": citation.quote,
        "also_in": [document_ref_json(document) for document in citation.also_in],
        **age_json(citation),
    }


def receipt_json(receipt: Receipt) -> Json:
    return {
        "generator": receipt.generator,
        "embedder": receipt.embedder,
        "store": receipt.store,
        **moment_json(receipt.as_of, receipt.moment),
        "lanes": [lane_json(lane) for lane in receipt.lanes],
        "evidence": receipt.evidence,
        "left_out": receipt.left_out,
        "left_machine": list(receipt.left_machine),
        "milliseconds": _rounded(receipt.milliseconds),
    }


def answer_json(answer: Answer | NotFound, store: str) -> Json:
    common = {
        "schema": SCHEMA,
        "question": answer.question,
        "coverage": coverage_json(answer.coverage),
        "dropped": [_dropped_json(item) for item in answer.dropped],
        "receipt": receipt_json(answer.receipt),
    }
    if isinstance(answer, NotFound):
        refusal = {
            "reason": answer.reason.value,
            "explanation": answer.explanation,
            "nearest": [hit_json(hit, store) for hit in answer.nearest],
        }
        return {**common, "answer": None, "not_found": refusal}
    claims = [
        {"text": claim.text, "citations": [citation_json(citation, store) for citation in claim.citations]}
        for claim in answer.claims
    ]
    return {**common, "answer": {"claims": claims}, "not_found": None}


def _dropped_json(item: Dropped) -> Json:
    return {"text": item.text, "why": item.why}


def outcome_json(outcome: Outcome) -> Json:
    return {
        "kind": outcome.kind.value,
        "code": outcome.code,
        "message": outcome.message,
        "hint": outcome.hint,
        "pages": list(outcome.pages),
    }


def entry_json(entry: IngestEntry) -> Json:
    return {
        "uri": entry.uri,
        "name": entry.name,
        "change": entry.change.value,
        "outcome": outcome_json(entry.outcome),
        "document": entry.document,
        "passages": entry.chunks,
        "kept_revision": entry.kept_revision,
        "known": entry.known,
        "inside": entry.parent or None,
    }


def ingest_json(report: IngestReport) -> Json:
    return {
        "schema": SCHEMA,
        "counts": {change.value: report.count(change) for change in Change},
        "reasons": dict(report.reasons()),
        "embedded": report.embedded,
        "reused": report.reused,
        "lexical_only": report.lexical_only,
        "seconds": {stage: round(spent, 3) for stage, spent in report.seconds.items()},
        "files": [entry_json(entry) for entry in report.entries],
    }


def document_json(document: Document) -> Json:
    return {
        "id": document.id,
        "name": document.name,
        "title": document.title,
        "uri": document.uri,
        "media_type": document.media_type,
        "collection": document.collection,
        "corpus": document.corpus.value,
        "tags": list(document.tags),
        "revision": document.revision,
        "sha256": document.sha256,
        "bytes": document.size,
        "pages": document.pages,
        "passages": document.chunks,
        "outcome": outcome_json(document.outcome),
        "created": document.created,
        "updated": document.updated,
        "trashed": document.trashed or None,
    }


def failure_json(failure: Failure) -> Json:
    return {
        "uri": failure.uri,
        "name": failure.name,
        "media_type": failure.media_type,
        "sha256": failure.sha256,
        "bytes": failure.size,
        "reader": failure.reader,
        "outcome": outcome_json(failure.outcome),
        "when": failure.when,
    }


def inspection_json(inspection: Inspection, page: int | None = None) -> Json:
    revision = inspection.revision
    shown = [chunk for chunk in inspection.chunks if page is None or on_page(chunk, page)]
    pages = [entry for entry in revision.reading.pages if page in (None, entry.number)]
    return {
        "schema": SCHEMA,
        "document": document_json(inspection.document),
        "revision": {
            "number": revision.number,
            "sha256": revision.sha256,
            "created": revision.created,
            "reason": revision.reason,
            "reader": revision.reading.reader,
            "metadata": dict(revision.reading.metadata),
            "characters": len(revision.text),
        },
        "pages": [_page_json(entry, revision.text) for entry in pages],
        "chunks": [{"id": chunk.id, "text": chunk.text, "locator": locator_json(chunk.locator)} for chunk in shown],
    }


def on_page(chunk: Chunk, page: int) -> bool:
    first, last = chunk.locator.first_page, chunk.locator.last_page
    return first is not None and last is not None and first <= page <= last


def _page_json(page: Page, text: str) -> Json:
    return {
        "number": page.number,
        "label": page.label or None,
        "outcome": page.outcome.value,
        "recognised": page.ocr,
        "text": text[page.start : page.end].strip("\n"),
    }


def status_json(status: StoreStatus) -> Json:
    return {
        "schema": SCHEMA,
        "store": status.name,
        "path": status.path,
        "bytes": status.bytes,
        "format": status.schema,
        "coverage": coverage_json(status.coverage),
        "collections": dict(status.collections),
        "embedder": status.embedder or None,
        "vectors": status.vectors,
        "last_run": status.last_run or None,
        "moment": status.moment,
        "trashed": status.trashed,
    }


def check_json(check: Check) -> Json:
    return {"name": check.name, "ok": check.ok, "detail": check.detail, "hint": check.hint}


def probe_json(probe: Probe) -> Json:
    return {
        "schema": SCHEMA,
        "embedder": probe.embedder,
        "passages_per_second": round(probe.passages_per_second, 1),
        "query_milliseconds": round(probe.query_milliseconds, 2),
        "bytes_per_passage": round(probe.bytes_per_chunk),
    }


def error_json(fault: PinciteError) -> Json:
    return {
        "schema": SCHEMA,
        "error": {"code": type(fault).__name__, "message": fault.message, "hint": fault.hint},
    }


def _rounded(spent: Mapping[str, float]) -> dict[str, float]:
    return {stage: round(value, 2) for stage, value in spent.items()}
