"""Rankings to one ranking: reciprocal rank fusion, each lane's rank kept.

score(d) = sum over lanes of weight / (k + rank), k = 60, after Cormack, Clarke and Buettcher, "Reciprocal
rank fusion outperforms Condorcet and individual rank learning methods" (SIGIR 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.core.answers import LaneRank, LaneReport

K = 60


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk key with its fused score and the ranks that made it."""

    key: int
    score: float
    ranks: tuple[LaneRank, ...]


def fuse(lanes: Sequence[LaneReport], weights: Mapping[str, float] | None = None, k: int = K) -> list[Fused]:
    """The chunks of all lanes, best first. The order of the lanes does not matter; ties go to the chunk
    with the better best rank, then to the smaller key. A lane without a weight weighs 1."""
    ranks: dict[int, list[LaneRank]] = {}
    for lane in sorted(lanes, key=lambda report: report.lane):
        for place, (key, score) in enumerate(lane.ranking, start=1):
            ranks.setdefault(key, []).append(LaneRank(lane.lane, place, score))
    weights = weights or {}
    fused = [
        Fused(key, sum(weights.get(r.lane, 1.0) / (k + r.rank) for r in found), tuple(found))
        for key, found in ranks.items()
    ]
    return sorted(fused, key=lambda f: (-f.score, min(r.rank for r in f.ranks), f.key))
