"""How good is retrieval? nDCG@10, recall and MRR by lane and fused, over judged collections.

Every row of a collection goes through the product's own chunking, store and lanes; hits on chunks count for
the row that they come from, by first appearance. `ndcg_*` are means over the five collections that the fusion
is judged by; `worst_loss` is the least of fused minus the better lane.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.common import CachedEmbedder, arguments, judgments_of, need_shared, report, rows_of
from benchmarks.metrics import mean, ndcg, recall, reciprocal_rank
from pincite.adapters.embedders.onnx import OnnxEmbedder
from pincite.adapters.sqlite import SqliteStore, open_for_writing
from pincite.core.answers import LaneReport
from pincite.core.chunking import DEFAULT_PROFILE, PROFILES, chunk_reading
from pincite.core.documents import Block, BlockKind, Outcome, OutcomeKind, Reading, Source, text_digest
from pincite.core.fusion import reciprocal_rank_fusion, share_fusion
from pincite.core.headings import with_run_in_headings
from pincite.core.ports import DocumentDraft, Embedder, Filter
from pincite.core.queries import read_query
from pincite.pipelines.retrieve import Retriever, run_lanes
from pincite.pipelines.stopwatch import Stopwatch

JUDGED = ("scifact", "cranfield", "cisi", "runbooks", "codes")
WATCHED = ("clapnq-dev", "mtrag-un", "covidqa")
"""Collections that the choice of fusion was also checked on; printed, not in the headline."""
FULL_TEXT = {
    "xquad/zh": 0.902,
    "jsquad-valid": 0.808,
    "xquad/ar": 0.889,
    "xquad/hi": 0.776,
    "xquad/th": 0.964,
    "xquad/en": 0.967,
}
"""Collections for the full-text lane alone, with the BM25 figure that ships with them."""
QUICK_QUERIES = 60

Ranking = list[str]


def reading_of(title: str, text: str) -> Reading:
    """A row of a collection as a document: its title as a heading, its text in paragraphs."""
    blocks: list[Block] = []
    parts: list[str] = []
    length = 0
    pieces = [(BlockKind.HEADING, " ".join(title.split()))] if title.strip() else []
    pieces += [(BlockKind.PARAGRAPH, piece.strip()) for piece in text.split("\n\n") if piece.strip()]
    for kind, piece in pieces:
        start = length + (2 if parts else 0)
        parts.append(piece)
        length = start + len(piece)
        blocks.append(Block(kind, start, length, level=1 if kind is BlockKind.HEADING else 0))
    whole = "\n\n".join(parts)
    return Reading(Outcome(OutcomeKind.WHOLE), "row/1", whole, (), with_run_in_headings(whole, blocks))


def fill(
    store: SqliteStore, rows: Sequence[dict[str, Any]], embedder: Embedder | None, profile: str = DEFAULT_PROFILE
) -> None:
    """Chunk, embed and save every row under its id."""
    if embedder is not None:
        store.use_embedder(embedder.identity)
    made = []
    for row in rows:
        reading = reading_of(row.get("title") or "", row["text"])
        digest = text_digest(row["id"])
        if embedder is None:
            chunks = chunk_reading(reading, digest, PROFILES[profile])
        else:
            window = embedder.identity.window
            chunks = chunk_reading(reading, digest, PROFILES[profile], embedder.count_tokens, window)
        made.append((row["id"], digest, reading, chunks))
    texts = list(dict.fromkeys(chunk.searchable for *_, chunks in made for chunk in chunks if chunk.indexed))
    vectors: dict[str, bytes] = {}
    for first in range(0, len(texts) if embedder else 0, 512):
        some = texts[first : first + 512]
        assert embedder is not None
        found = embedder.embed_passages(some)
        vectors.update({text: found.row(index) for index, text in enumerate(some)})
    for name, digest, reading, chunks in made:
        source = Source(name, name, "text/plain", digest, len(reading.text), "")
        rows_kept = tuple(vectors.get(c.searchable) if c.indexed else None for c in chunks)
        store.save(DocumentDraft(source, reading, chunks, rows_kept))


def names_by_key(store: SqliteStore) -> Callable[[Sequence[int]], Ranking]:
    """Chunk keys to row ids, each row once, by first appearance."""
    names: dict[int, str] = {}

    def folded(keys: Sequence[int]) -> Ranking:
        missing = [key for key in keys if key not in names]
        names.update({passage.key: passage.document.uri for passage in store.passages(missing)})
        return list(dict.fromkeys(names[key] for key in keys if key in names))

    return folded


def measure(
    folder: Path, embedder: Embedder | None, quick: bool, keep: Sequence[str], profile: str = DEFAULT_PROFILE
) -> dict[str, dict[str, float]]:
    """The measures of each ranking in `keep` over the judged queries of one collection."""
    judgments = judgments_of(folder)
    queries = [row for row in rows_of(folder, "queries") if row["id"] in judgments]
    if quick:
        queries = queries[:: max(1, len(queries) // QUICK_QUERIES)]
    scores: dict[str, dict[str, list[float]]] = {name: {} for name in keep}
    with tempfile.TemporaryDirectory() as temporary:
        store = open_for_writing(Path(temporary) / "store.db", "benchmark")
        fill(store, rows_of(folder, "corpus"), embedder, profile)
        folded = names_by_key(store)
        retriever = Retriever(store, embedder, "not measured")
        for row in queries:
            lanes = run_lanes(retriever, read_query(row["text"]), Filter(), Stopwatch())
            for name, ranking in rankings(lanes, folded).items():
                if name in scores:
                    _add(scores[name], ranking, judgments[row["id"]])
        store.close()
    return {name: {key: mean(values) for key, values in found.items()} for name, found in scores.items()}


def rankings(lanes: Sequence[LaneReport], folded: Callable[[Sequence[int]], Ranking]) -> dict[str, Ranking]:
    found = {lane.lane: folded([key for key, _ in lane.ranking]) for lane in lanes}
    found["fused"] = folded([item.key for item in share_fusion(lanes)])
    found["rrf"] = folded([item.key for item in reciprocal_rank_fusion(lanes)])
    return found


def _add(scores: dict[str, list[float]], ranking: Ranking, relevance: dict[str, float]) -> None:
    for name, value in (
        ("ndcg@10", ndcg(ranking, relevance)),
        ("recall@10", recall(ranking, relevance, 10)),
        ("recall@100", recall(ranking, relevance, 100)),
        ("mrr@10", reciprocal_rank(ranking, relevance)),
    ):
        scores.setdefault(name, []).append(value)


def main() -> None:
    options = arguments(__doc__ or "")
    root = need_shared("eval")
    embedder = CachedEmbedder(OnnxEmbedder())
    details: dict[str, Any] = {}
    kept = ("lexical", "dense", "fused", "rrf")
    chosen = ("runbooks", "cranfield") if options.quick else JUDGED + WATCHED
    for name in chosen:
        details[name] = measure(root / name, embedder, options.quick, kept)
        print(f"{name:<12}" + "".join(f"  {lane} {details[name][lane]['ndcg@10']:.4f}" for lane in kept), flush=True)
    for name in ("xquad/zh",) if options.quick else FULL_TEXT:
        details[name] = measure(root / name, None, options.quick, ("lexical",))
        ours = details[name]["lexical"]["ndcg@10"]
        print(f"{name:<12}  lexical {ours:.4f}  shipped BM25 {FULL_TEXT[name]:.3f}  {ours - FULL_TEXT[name]:+.3f}")
    judged = [name for name in chosen if name in JUDGED]
    by_lane = {lane: [details[name][lane]["ndcg@10"] for name in judged] for lane in kept}
    losses = [
        fused - max(lexical, dense)
        for lexical, dense, fused in zip(by_lane["lexical"], by_lane["dense"], by_lane["fused"], strict=True)
    ]
    headline = {
        "ndcg_bm25": mean(by_lane["lexical"]),
        "ndcg_dense": mean(by_lane["dense"]),
        "ndcg_fused": mean(by_lane["fused"]),
        "scifact_fused": details["scifact"]["fused"]["ndcg@10"] if "scifact" in details else None,
        "worst_loss": min(losses),
    }
    report("retrieval", headline, details, options)


if __name__ == "__main__":
    main()
