"""Measures of a ranking against judgments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def ndcg(ranking: Sequence[str], relevance: Mapping[str, float], depth: int = 10) -> float:
    """Normalised discounted cumulative gain, linear gain, base 2 (Järvelin and Kekäläinen 2002)."""
    gain = sum(relevance.get(name, 0.0) / math.log2(place + 2) for place, name in enumerate(ranking[:depth]))
    best = sorted(relevance.values(), reverse=True)[:depth]
    ideal = sum(score / math.log2(place + 2) for place, score in enumerate(best))
    return gain / ideal if ideal else 0.0


def recall(ranking: Sequence[str], relevance: Mapping[str, float], depth: int) -> float:
    return len(set(ranking[:depth]) & set(relevance)) / len(relevance) if relevance else 0.0


def reciprocal_rank(ranking: Sequence[str], relevance: Mapping[str, float], depth: int = 10) -> float:
    return next((1 / place for place, name in enumerate(ranking[:depth], start=1) if name in relevance), 0.0)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
