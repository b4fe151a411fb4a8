"""A question to an answer under proof, or to a refusal that says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.core.answers import (
    Answer,
    Citation,
    Claim,
    Coverage,
    Dropped,
    Evidence,
    Hit,
    LaneReport,
    NotFound,
    Reason,
    Receipt,
)
from pincite.core.documents import Revision
from pincite.core.errors import QuoteLawBroken
from pincite.core.evidence import DEFAULT_GATE, Candidate, Verdict, judge, passage_terms, rarities
from pincite.core.extractive import sentences_of
from pincite.core.grounding import check_draft
from pincite.core.locating import locate
from pincite.core.nearness import similarities
from pincite.core.ports import Filter, Generator, Store
from pincite.core.queries import Query, as_asked, read_query
from pincite.pipelines.ageing import with_ages
from pincite.pipelines.retrieve import DENSE, Found, Retriever, find_hits
from pincite.pipelines.stopwatch import Stopwatch

SHOWN = 8
"""Passages that a generator is shown."""
NEAREST = 3
"""Passages that a refusal names."""


@dataclass(frozen=True)
class Answerer:
    """What an answer needs beside retrieval: a generator and the words for the receipt."""

    retriever: Retriever
    generator: Generator
    settings: str = ""
    present: Store | None = None
    """For a question about the past: the store as it is now, to tell what became of the quotes."""


def answer_question(answerer: Answerer, question: str, where: Filter) -> Answer | NotFound:
    """The whole way: retrieve, gate, draft, check. Raises UsageError for an empty question, BackendError when
    a model that was asked for is down, QuoteLawBroken if a checked quote were not in its source."""
    watch = Stopwatch()
    query = read_query(question)
    coverage = answerer.retriever.store.coverage()
    found = find_hits(answerer.retriever, query, SHOWN, where, watch)
    turn = _Turn(answerer, query, found, coverage, watch)
    if not coverage.documents:
        return turn.refuse(Reason.NO_DOCUMENTS, _nothing(answerer.retriever.as_of))
    if not found.hits:
        return turn.refuse(Reason.NO_MATCH, "No passage holds any of the question's words or comes near it.")
    with watch.stage("gate"):
        verdict = turn.verdict()
    if not verdict.enough:
        return turn.refuse(Reason.WEAK_EVIDENCE, _weak(query.text, verdict))
    return turn.answer()


def _nothing(as_of: str) -> str:
    if as_of:
        return f"The store held no documents then ({as_of}). See when they came: pincite history"
    return "The store holds no documents. Add some with: pincite ingest PATH"


def _weak(question: str, verdict: Verdict) -> str:
    if not verdict.missing:
        return f"The evidence is too weak: {verdict.why}."
    words = ", ".join(as_asked(question, verdict.missing[:5]))
    return f"The evidence is too weak: {verdict.why}. No near passage mentions: {words}."


class _Turn:
    """One question on its way. Holds what every outcome of it has to report."""

    def __init__(self, answerer: Answerer, query: Query, found: Found, coverage: Coverage, watch: Stopwatch) -> None:
        self.answerer = answerer
        self.store = answerer.retriever.store
        self.query = query
        self.found = found
        self.coverage = coverage
        self.watch = watch
        self.evidence = _evidence(query, found.hits)

    def verdict(self) -> Verdict:
        """The gate's judgement on the passages that would be shown."""
        lexical = self.store.lexical
        rarity = rarities(self.query.content, lexical.frequencies(self.query.content), lexical.size())
        judged = _dense_judged(self.found.lanes)
        candidates = [Candidate(passage_terms(hit.passage.chunk), _cosine(hit, judged)) for hit in self.found.hits]
        return judge(self.query, candidates, rarity, self._closest() if judged else None)

    def _closest(self) -> float | None:
        """The greatest cosine of any sentence of the passages that the gate looks at."""
        embedder = self.answerer.retriever.embedder
        if embedder is None:
            return None
        sentences = sentences_of(self.evidence[: DEFAULT_GATE.passages])
        near = similarities(embedder, self.query.text, [sentence.spoken for sentence in sentences])
        return max(near, default=None)

    def answer(self) -> Answer | NotFound:
        with self.watch.stage("generate"):
            draft = self.answerer.generator.draft(self.query.text, self.evidence)
        if draft.declined and not draft.statements:
            return self.refuse(Reason.MODEL_DECLINED, "The generator found no answer in the passages.")
        with self.watch.stage("check"):
            grounded = check_draft(draft, self.evidence)
            claims = self._narrowed(grounded.claims)
        if not claims:
            return self.refuse(
                Reason.UNSUPPORTED, "Nothing that the generator wrote stood the check.", grounded.dropped
            )
        return Answer(self.query.text, claims, self.coverage, self._receipt(), grounded.dropped)

    def refuse(self, reason: Reason, explanation: str, dropped: tuple[Dropped, ...] = ()) -> NotFound:
        return NotFound(
            question=self.query.text,
            reason=reason,
            explanation=explanation,
            nearest=self.found.hits[:NEAREST],
            coverage=self.coverage,
            receipt=self._receipt(),
            dropped=dropped,
        )

    def _narrowed(self, claims: Sequence[Claim]) -> tuple[Claim, ...]:
        """Claims whose citations point at the very place of the quote, each re-read from the stored
        revision: the quote law is checked here, on what is in the store, not on what was in memory."""
        revisions: dict[tuple[int, int], Revision] = {}
        narrowed = []
        for claim in claims:
            cited = []
            for citation in claim.citations:
                key = (citation.document.id, citation.document.revision)
                if key not in revisions:
                    revisions[key] = self.store.revision(*key)
                cited.append(narrow(citation, revisions[key]))
            narrowed.append(replace(claim, citations=tuple(cited)))
        return tuple(narrowed) if self.answerer.present is None else with_ages(self.answerer.present, narrowed)

    def _receipt(self) -> Receipt:
        embedder = self.answerer.retriever.embedder
        return Receipt(
            generator=self.answerer.generator.name,
            embedder=embedder.identity.name if embedder else "",
            lanes=tuple(replace(lane, ranking=lane.ranking[:10]) for lane in self.found.lanes),
            evidence=len(self.evidence),
            left_out=len(self.found.hits) - len(self.evidence),
            left_machine=self.answerer.generator.hosts,
            milliseconds=self.watch.milliseconds,
            store=self.store.name,
            settings=self.answerer.settings,
            moment=self.store.moment,
            as_of=self.answerer.retriever.as_of,
        )


def narrow(citation: Citation, revision: Revision) -> Citation:
    """The citation with the pages, lines and boxes of its quote alone. Raises QuoteLawBroken if the quote is
    not what the revision holds there."""
    start, end = citation.locator.start, citation.locator.end
    if revision.text[start:end] != citation.quote:
        raise QuoteLawBroken(
            f"A quote is not in revision {revision.number} of {citation.document.name} at {start}-{end}.",
            "Run: pincite doctor",
        )
    return replace(citation, locator=locate(revision.reading, start, end, citation.locator.headings))


def _evidence(query: Query, hits: Sequence[Hit]) -> tuple[Evidence, ...]:
    """Passages under labels. Where a page is asked for, those without pages cannot answer."""
    paged = [hit for hit in hits if hit.passage.chunk.locator.first_page is not None]
    shown = paged if query.asks_page and paged else hits
    return tuple(Evidence(label, hit.passage, hit.also_in) for label, hit in enumerate(shown, start=1))


def _dense_judged(lanes: Sequence[LaneReport]) -> bool:
    return any(lane.lane == DENSE and lane.ranking for lane in lanes)


def _cosine(hit: Hit, judged: bool) -> float | None:
    """The cosine that the dense lane gave a hit; 0 for one without a vector among others that have one."""
    return next((rank.score for rank in hit.ranks if rank.lane == DENSE), 0.0) if judged else None
