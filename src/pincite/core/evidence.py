"""Is the evidence enough to answer at all? Decided before any generator runs, from what the lanes measured.

Three signals are read from the passages near the top. *Coverage* is the share of the question's content terms
that a passage holds, each term weighed by its rarity in this store. *Cosine* is how near the passage's vector
lies to the question's. *Closest* is the cosine of the nearest single sentence. One alone misleads: a
paraphrase covers little, and a passage about the same subject lies near whether or not it answers. Their sum
separates well (ADR 0005 has the figures); floors on coverage and cosine keep out what is strong in one and
absent in the other. The fused rank score takes no part: it says which passage is first, not whether the first
is any good.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.core.documents import Chunk
from pincite.core.queries import Query
from pincite.core.text import index_terms


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Floors of the gate, for the embedded model (ADR 0005 says what they were set on); calibration for a
    store's own embedder replaces them."""

    together: float = 1.65
    """Least coverage + cosine of one passage + cosine of the closest sentence, when a dense lane judged."""
    least_coverage: float = 0.2
    least_cosine: float = 0.3
    lexical_only: float = 0.6
    """Least coverage when no dense lane judged a question in Latin letters."""
    lexical_only_elsewhere: float = 0.4
    """The same in other scripts: their words are inflected without being stemmed here, or their terms are pairs
    of characters, of which some carry no meaning."""
    passages: int = 5
    """How many passages from the top are looked at."""


DEFAULT_GATE = GateSettings()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage as the gate sees it: its terms, and its cosine when the dense lane ranked it."""

    terms: frozenset[str]
    cosine: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to answer, with the strongest passage's figures and the words that no passage near the top
    holds, rarest first."""

    enough: bool
    coverage: float
    cosine: float | None
    missing: tuple[str, ...]
    why: str


def rarities(terms: Sequence[str], frequencies: Mapping[str, int], chunks: int) -> dict[str, float]:
    """How much each term tells: the inverse document frequency of BM25 (Robertson and Spärck Jones). A term
    that stands nowhere counts as one that stands once: in a small store much is absent by chance."""
    found = {}
    for term in terms:
        df = min(max(frequencies.get(term, 0), 1), max(chunks, 1))
        found[term] = math.log(1 + (max(chunks, 1) - df + 0.5) / (df + 0.5))
    return found


def coverage(terms: frozenset[str], content: Sequence[str], rarity: Mapping[str, float]) -> float:
    """Share of the content terms that stand among `terms`, weighed by rarity; 0 to 1."""
    total = sum(rarity[term] for term in content)
    return sum(rarity[term] for term in content if term in terms) / total if total else 0.0


def passage_terms(chunk: Chunk) -> frozenset[str]:
    """The terms of a passage and of what stands over it: headings, the header of its table."""
    return frozenset(index_terms("\n".join([*chunk.context, chunk.text])))


def defines(chunk: Chunk, identifier: str) -> bool:
    """Whether a chunk is the section that carries an identifier as its own number."""
    if not chunk.locator.headings:
        return False
    return identifier in index_terms(chunk.locator.headings[-1])[:3]


def opens(chunk: Chunk, identifier: str) -> bool:
    """Whether a chunk is the beginning of the section that carries an identifier as its own number."""
    return defines(chunk, identifier) and identifier in index_terms(chunk.text[:200])[:3]


def judge(
    query: Query,
    candidates: Sequence[Candidate],
    rarity: Mapping[str, float],
    closest: float | None = None,
    settings: GateSettings = DEFAULT_GATE,
) -> Verdict:
    """The verdict on passages in the order of their rank. `closest` is the greatest cosine of any of their
    sentences to the question; without it the passage's own cosine stands in."""
    near = candidates[: settings.passages]
    missing = _missing(query, near, rarity)
    absent = [i for i in query.identifiers if not any(i in c.terms for c in candidates)]
    if absent:
        return Verdict(False, 0.0, None, missing, f'"{absent[0]}" does not stand in any passage')
    best_coverage, best_cosine = _strongest(query, near, rarity)
    if query.identifiers and len(query.content) <= len(query.identifiers):
        return Verdict(True, best_coverage, best_cosine, missing, "the identifier stands there")
    enough, why = _enough(query, best_coverage, best_cosine, closest, settings)
    return Verdict(enough, best_coverage, best_cosine, missing, why)


def _strongest(query: Query, near: Sequence[Candidate], rarity: Mapping[str, float]) -> tuple[float, float | None]:
    figures = [(coverage(c.terms, query.content, rarity), c.cosine) for c in near]
    return max(figures, key=lambda pair: pair[0] + (pair[1] or 0.0), default=(0.0, None))


def _enough(
    query: Query, covered: float, cosine: float | None, closest: float | None, settings: GateSettings
) -> tuple[bool, str]:
    holds = f"the nearest passage holds {covered:.0%} of the question's words by weight"
    if cosine is None:
        latin = query.script in ("Latin", "Common")
        floor = settings.lexical_only if latin else settings.lexical_only_elsewhere
        return covered >= floor, f"{holds}, and {floor:.0%} is the least when words alone decide"
    if not covered:
        return False, "no passage near in meaning holds any of the question's words"
    if covered < settings.least_coverage:
        return False, f"{holds}, and {settings.least_coverage:.0%} is the least"
    if cosine < settings.least_cosine:
        return False, f"the nearest passage is about something else (cosine {cosine:.2f})"
    total = covered + cosine + (cosine if closest is None else closest)
    return total >= settings.together, f"{holds} and is too far in meaning ({total:.2f} of {settings.together:.2f})"


def _missing(query: Query, near: Sequence[Candidate], rarity: Mapping[str, float]) -> tuple[str, ...]:
    held = frozenset[str]().union(*(candidate.terms for candidate in near))
    absent = [term for term in query.content if term not in held]
    return tuple(sorted(absent, key=lambda term: (-rarity.get(term, 0.0), term)))
