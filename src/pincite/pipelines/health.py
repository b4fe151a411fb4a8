"""Is everything alive, and what does embedding cost here? Answered by doing it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from pincite.core.answers import LaneReport, LaneState
from pincite.core.errors import BackendError, PinciteError
from pincite.core.ports import Embedder, Filter
from pincite.core.queries import read_query
from pincite.core.reports import Check, Probe, StoreStatus
from pincite.core.text import index_terms
from pincite.core.upkeep import CheckReport
from pincite.pipelines.retrieve import Retriever, find_hits
from pincite.pipelines.stopwatch import Stopwatch

SAMPLE = (
    "Door openings in an accessible route shall provide a clear width that lets a wheelchair pass, measured "
    "between the face of the door and the opposite stop with the door open ninety degrees. "
)
"""About thirty words; repeated to make passages of about two hundred."""
PASSAGES = 24
SWITCHED_OFF = "embedding is switched off"
"""How the reason begins when the owner wants no embedder: a choice is no fault."""


def measure_embedding(embedder: Embedder | None, why_not: str, status: StoreStatus | None) -> Probe:
    """Embed sample passages of about 200 words and one query. Raises BackendError without an embedder."""
    if embedder is None:
        raise BackendError(why_not or "There is no embedder.", "Run: pincite doctor")
    texts = [f"{number}. {SAMPLE * 6}" for number in range(PASSAGES)]
    embedder.embed_passages(texts[:2])
    begun = time.perf_counter()
    embedder.embed_passages(texts)
    spent = time.perf_counter() - begun
    return Probe(
        embedder=embedder.identity.name,
        passages_per_second=PASSAGES / spent,
        query_milliseconds=_query_time(embedder),
        bytes_per_chunk=_bytes_per_chunk(status) if status else 0.0,
    )


def _query_time(embedder: Embedder) -> float:
    times = []
    for turn in range(5):
        begun = time.perf_counter()
        embedder.embed_queries([f"what is the minimum clear width of door number {turn}"])
        times.append((time.perf_counter() - begun) * 1000)
    return sorted(times)[len(times) // 2]


def _bytes_per_chunk(status: StoreStatus) -> float:
    """Measured on this store; 0 while it holds nothing."""
    return status.bytes / status.coverage.chunks if status.coverage.chunks else 0.0


def check_health(retriever: Retriever, integrity: Callable[[], list[str]] | None) -> list[Check]:
    """One line a part of the store: file, lanes, vectors, coverage."""
    checks = [_integrity(integrity)] if integrity else []
    try:
        status = retriever.store.status()
        checks.extend([_coverage(status), *_lanes(retriever), _vectors(status)])
    except PinciteError as fault:
        checks.append(Check("store", False, fault.message, fault.hint))
    return checks


def _integrity(integrity: Callable[[], list[str]]) -> Check:
    try:
        faults = integrity()
    except PinciteError as fault:
        return Check("integrity", False, fault.message, fault.hint)
    if faults:
        return Check("integrity", False, "; ".join(faults[:3]), "Restore the file from a copy, or ingest anew.")
    return Check("integrity", True, "the file and its indexes agree")


def _lanes(retriever: Retriever) -> Sequence[Check]:
    """A real question through each lane: what matters is how the lane fares, not what it finds."""
    if not retriever.store.coverage().documents:
        return [Check("lanes", True, "no documents to search yet", "Add some with: pincite ingest PATH")]
    found = find_hits(retriever, read_query("what is this document about"), 1, Filter(), Stopwatch())
    return [_lane(report) for report in found.lanes]


def _lane(report: LaneReport) -> Check:
    well = report.state in (LaneState.COMPLETE, LaneState.EMPTY) or report.message.startswith(SWITCHED_OFF)
    detail = report.state.value + (f": {report.message}" if report.message else "")
    hint = "" if well else "Search answers with the other lane meanwhile. Ingest into a new store to mend it."
    return Check(f"{report.lane} lane", well, detail, hint)


def _vectors(status: StoreStatus) -> Check:
    if not status.embedder:
        return Check("vectors", True, "none: the store is searched by words alone")
    return Check(
        "vectors",
        status.vectors >= status.coverage.chunks,
        f"{status.vectors} of {status.coverage.chunks} passages",
        "Ingest again into a new store: some passages were stored while the embedder was missing.",
    )


def check_lanes(retriever: Retriever, report: CheckReport) -> CheckReport:
    """The report of a file with what its lanes give: each is asked for a passage by the passage's own words, so
    that an index which answers, and answers nothing, is found out too."""
    try:
        checks = [*_lanes(retriever), *_finds_its_own(retriever)]
    except PinciteError as fault:
        checks = [Check("lanes", False, fault.message, fault.hint)]
    faults = [f"{check.name}: {check.detail}" for check in checks if not check.ok]
    return replace(report, checks=tuple(checks), faults=(*report.faults, *faults))


def _finds_its_own(retriever: Retriever) -> list[Check]:
    """One passage of the document in the middle, looked for in each lane that should have it."""
    store, documents = retriever.store, retriever.store.documents(Filter())
    if not documents:
        return []
    document = documents[len(documents) // 2]
    chunk = next(chunk for chunk in store.chunks(document.id) if chunk.indexed)
    where, found = Filter(documents=(document.id,)), []
    if terms := index_terms(chunk.searchable)[:32]:
        found.append(("words", bool(store.lexical.search(terms, 1, where))))
    if retriever.embedder is not None and store.vectors.size():
        row = retriever.embedder.embed_passages([chunk.searchable]).row(0)
        found.append(("vectors", bool(store.vectors.search(row, 1, where))))
    said = {True: "finds a stored passage by its own words", False: "does not find a stored passage by its own words"}
    hint = "Make what is derived anew: pincite store rebuild"
    return [Check(f"{lane} of document {document.id}", ok, said[ok], "" if ok else hint) for lane, ok in found]


def _coverage(status: StoreStatus) -> Check:
    coverage = status.coverage
    detail = f"{coverage.documents} documents, {coverage.chunks} passages"
    if coverage.failed or coverage.partial:
        detail += f"; {coverage.failed} files could not be read, {coverage.partial} only in part"
    return Check("documents", True, detail, "pincite list --failed" if coverage.failed else "")
