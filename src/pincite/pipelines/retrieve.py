"""A question to hits: the lanes, fusion, fetch, and the folding of equal passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pincite.core.answers import Hit, LaneRank, LaneReport, LaneState, Passage, SearchResult
from pincite.core.errors import BackendError, StoreError
from pincite.core.evidence import defines, opens
from pincite.core.fusion import Fused, Fusion, share_fusion
from pincite.core.nearness import knows_script
from pincite.core.ports import Embedder, Filter, Store
from pincite.core.queries import Query, read_query
from pincite.pipelines.stopwatch import Stopwatch

POOL = 100
"""Chunks that each lane ranks."""
LEXICAL = "lexical"
DENSE = "dense"
IDENTIFIER = "identifier"
SECTION = "section"
_NO_SECTION = 3


@dataclass(frozen=True)
class Retriever:
    """What a search needs: a store and, for the dense lane, an embedder or the reason why there is none."""

    store: Store
    embedder: Embedder | None
    no_embedder: str = ""
    fusion: Fusion = share_fusion
    as_of: str = ""
    """The moment that `store` shows, as the user wrote it; empty for now."""


@dataclass(frozen=True)
class Found:
    """Hits in order, with what the evidence gate wants to know beside them."""

    query: Query
    hits: tuple[Hit, ...]
    lanes: tuple[LaneReport, ...]


def search_store(retriever: Retriever, text: str, limit: int, where: Filter) -> SearchResult:
    """The best `limit` hits for a text. Raises UsageError for no text, StoreError when no lane works."""
    watch = Stopwatch()
    query = read_query(text)
    found = find_hits(retriever, query, limit, where, watch)
    return SearchResult(
        query=query.text,
        hits=found.hits,
        lanes=found.lanes,
        coverage=retriever.store.coverage(),
        milliseconds=watch.milliseconds,
        moment=retriever.store.moment,
        as_of=retriever.as_of,
    )


def find_hits(retriever: Retriever, query: Query, limit: int, where: Filter, watch: Stopwatch) -> Found:
    """The lanes, fused; equal passages folded; sections that an identifier names come first."""
    lanes = run_lanes(retriever, query, where, watch)
    if all(lane.state is LaneState.ERROR for lane in lanes):
        raise StoreError(f"No lane can search this store: {lanes[0].message}", "Run: pincite doctor")
    with watch.stage("fuse"):
        fused = retriever.fusion(lanes)
    with watch.stage("fetch"):
        hits = _folded(retriever.store, query, fused, limit)
    return Found(query, tuple(hits), tuple(lanes))


def run_lanes(retriever: Retriever, query: Query, where: Filter, watch: Stopwatch) -> list[LaneReport]:
    """Each lane's ranking, or its reason for having none."""
    lanes = [_lexical(retriever, query, where, watch)]
    if query.identifiers:
        lanes.append(_identifier(retriever, query, where, watch))
    others = [key for lane in lanes for key, _ in lane.ranking]
    return [*lanes, _dense(retriever, query, where, watch, others)]


def _lane(name: str, watch: Stopwatch, work: Callable[[], list[tuple[int, float]]]) -> LaneReport:
    """Run one lane. A fault of it is its state, so that the other lane can still answer and say so."""
    try:
        with watch.stage(name):
            ranking = tuple(work())
    except (StoreError, BackendError) as fault:
        return LaneReport(name, LaneState.ERROR, message=fault.message)
    state = LaneState.COMPLETE if ranking else LaneState.EMPTY
    return LaneReport(name, state, ranking, milliseconds=watch.milliseconds[name])


def _lexical(retriever: Retriever, query: Query, where: Filter, watch: Stopwatch) -> LaneReport:
    if not query.terms:
        return LaneReport(LEXICAL, LaneState.NOT_APPLICABLE, message="the question has no words")
    return _lane(LEXICAL, watch, lambda: retriever.store.lexical.search(query.terms, POOL, where))


def _identifier(retriever: Retriever, query: Query, where: Filter, watch: Stopwatch) -> LaneReport:
    """Only the identifiers of the question; the sections that carry one as their number come first."""

    def work() -> list[tuple[int, float]]:
        ranking = retriever.store.lexical.search(query.identifiers, POOL, where)
        passages = retriever.store.passages([key for key, _ in ranking])
        named = {passage.key: _section_rank(passage, query) for passage in passages}
        return sorted(ranking, key=lambda pair: named.get(pair[0], _NO_SECTION))

    return _lane(IDENTIFIER, watch, work)


def _dense(retriever: Retriever, query: Query, where: Filter, watch: Stopwatch, others: Sequence[int]) -> LaneReport:
    """The nearest chunks, and after them what the other lanes found: fusion and the evidence gate need their
    cosines too, and a rank past the pool says no more than "not among the nearest"."""
    embedder = retriever.embedder
    if embedder is None:
        return LaneReport(DENSE, LaneState.UNAVAILABLE, message=retriever.no_embedder or "no embedder")
    unfit = _unfit(embedder, query)
    if unfit:
        return LaneReport(DENSE, LaneState.NOT_APPLICABLE, message=unfit)
    vectors = retriever.store.vectors
    identity = vectors.identity()
    if identity not in ("", embedder.identity.key):
        return _other_embedder(embedder, identity)

    def work() -> list[tuple[int, float]]:
        with watch.stage("embed"):
            vector = embedder.embed_queries([query.text]).row(0)
        nearest = vectors.search(vector, POOL, where)
        inside = {key for key, _ in nearest}
        beyond = vectors.scores(vector, [key for key in others if key not in inside])
        return nearest + sorted(beyond.items(), key=lambda pair: (-pair[1], pair[0]))

    report = _lane(DENSE, watch, work)
    if vectors.identity() != identity:  # Switched meanwhile: the scores may be of vectors that are not comparable.
        return _other_embedder(embedder, vectors.identity())
    missing = retriever.store.lexical.size() - vectors.size()
    if report.state is not LaneState.ERROR and missing > 0:
        return replace(report, state=LaneState.STALE, message=f"{missing} passages have no vector")
    return report


def _other_embedder(embedder: Embedder, identity: str) -> LaneReport:
    there = identity.split("|")[0]
    if identity in ("", embedder.identity.key):
        message = "the vectors of the store were exchanged during the search; search again"
    else:
        message = f"the store was embedded with {there}, not with {embedder.identity.name}"
    return LaneReport(DENSE, LaneState.STALE, message=message)


def _unfit(embedder: Embedder, query: Query) -> str:
    """Why the embedder cannot judge this question, if it cannot: better no lane than a misleading one."""
    if query.identifiers and len(query.content) <= len(query.identifiers):
        return "the question is an identifier: only its letters count"
    if query.script == "Common":
        return "the question has no letters"
    if not knows_script(embedder, query.script):
        return f"the embedder {embedder.identity.name} was not trained on {query.script} text"
    return ""


def _folded(store: Store, query: Query, fused: Sequence[Fused], limit: int) -> list[Hit]:
    """The first `limit` distinct passages. Fetches a page at a time, since most searches need only one."""
    hits: dict[str, Hit] = {}
    page = max(2 * limit, 20)
    for first in range(0, len(fused), page):
        wanted = fused[first : first + page]
        shown = store.parents([item.key for item in wanted])
        passages = {p.key: p for p in store.passages([item.key for item in wanted])}
        for item in wanted:
            if item.key in passages:
                _fold_in(hits, query, item, shown.get(item.key, passages[item.key]))
        if len(hits) >= limit and not query.identifiers:
            break
    ordered = sorted(hits.values(), key=_place)
    return ordered[:limit]


def _fold_in(hits: dict[str, Hit], query: Query, item: Fused, passage: Passage) -> None:
    """Add a hit, or note on the one with the same words where else they stand."""
    words = " ".join(passage.chunk.text.lower().split())
    earlier = hits.get(words)
    if earlier is None:
        place = _section_rank(passage, query)
        named = () if place == _NO_SECTION else (LaneRank(SECTION, place, 1.0),)
        hits[words] = Hit(passage, (*item.ranks, *named), item.score)
    elif passage.key != earlier.passage.key:
        hits[words] = _merged(earlier, passage, query.asks_page)


def _merged(earlier: Hit, passage: Passage, wants_page: bool) -> Hit:
    """When a page is asked for, the copy that has pages speaks for all."""
    has_page = earlier.passage.chunk.locator.first_page is not None
    if wants_page and not has_page and passage.chunk.locator.first_page is not None:
        earlier, passage = replace(earlier, passage=passage), earlier.passage
    if passage.document in (earlier.passage.document, *earlier.also_in):
        return earlier
    return replace(earlier, also_in=(*earlier.also_in, passage.document))


def _section_rank(passage: Passage, query: Query) -> int:
    """1 where a section begins that the question names by its number, 2 where it goes on, 3 elsewhere."""
    if any(opens(passage.chunk, identifier) for identifier in query.identifiers):
        return 1
    return 2 if any(defines(passage.chunk, identifier) for identifier in query.identifiers) else _NO_SECTION


def _place(hit: Hit) -> int:
    return next((rank.rank for rank in hit.ranks if rank.lane == SECTION), _NO_SECTION)
