"""BM25 from counts: what the full-text index gives for the present, for any moment or any set of stores.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with k1 = 1.2 and
b = 0.75, and with the floor of a millionth under the rarity of a term, as SQLite's FTS5 has them; the scores are
those of its `bm25()` with its sign turned.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from pincite.core.drafts import Tallies

K1 = 1.2
B = 0.75
_LEAST_RARITY = 1e-6


def bm25_scores(asked: Sequence[str], terms: Sequence[str], tallies: Tallies) -> list[tuple[int, float]]:
    """(chunk key, score), best first, equal ones by key.

    `terms` are the distinct terms, in the order of the tallies; `asked` those of the question, where one that is
    given twice weighs double.
    """
    times = Counter(asked)
    weights = [
        times[term] * _rarity(tallies.size, holders) * (K1 + 1)
        for term, holders in zip(terms, tallies.frequencies, strict=True)
    ]
    average = tallies.words / max(1, tallies.size)
    scores = []
    for key, length, counts in tallies.rows:
        spread = K1 * (1 - B + B * length / average) if average else K1
        score = sum(w * count / (count + spread) for w, count in zip(weights, counts, strict=True) if count)
        scores.append((key, score))
    return sorted(scores, key=lambda pair: (-pair[1], pair[0]))


def _rarity(size: int, holders: int) -> float:
    rarity = math.log((size - holders + 0.5) / (holders + 0.5))
    return rarity if rarity > 0 else _LEAST_RARITY
