"""A draft against its evidence: every label, quote, number and identifier is checked, what fails is dropped.

Nothing here trusts the generator. A statement stays only if it names evidence that was shown, if the words
it quotes stand there, if its numbers and identifiers stand there, and if a sentence of the evidence supports
it. The quote of a citation is always a slice of the source, never the generator's own typing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.core.answers import Citation, Claim, Draft, Dropped, Evidence, Statement
from pincite.core.queries import identifiers_in
from pincite.core.sentences import Span, sentence_spans
from pincite.core.stopwords import STOP_WORDS
from pincite.core.text import index_terms

_NUMBER = re.compile(r"[0-9]+(?:[.,/][0-9]+)*")
_LABEL = re.compile(r"\[[0-9, ]+\]")
LEAST_SUPPORT = 0.5
"""Share of a statement's content terms that one sentence must hold, when the statement quotes nothing."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """What stood the check and what did not. Count law: claims + dropped = statements."""

    claims: tuple[Claim, ...]
    dropped: tuple[Dropped, ...]


def check_draft(draft: Draft, evidence: Sequence[Evidence]) -> Grounded:
    """Claims with citations whose quotes are slices of the evidence, and the statements that failed."""
    shown = {item.label: item for item in evidence}
    claims: list[Claim] = []
    dropped: list[Dropped] = []
    for statement in draft.statements:
        result = _check(statement, shown)
        if isinstance(result, Claim):
            claims.append(result)
        else:
            dropped.append(result)
    return Grounded(tuple(claims), tuple(dropped))


def find_quote(quote: str, text: str) -> Span | None:
    """Where a quote stands in a text, white space compared loosely, everything else to the letter."""
    words = quote.split()
    if not words:
        return None
    exact = text.find(quote)
    if exact >= 0:
        return (exact, exact + len(quote))
    match = re.search(r"\s+".join(re.escape(word) for word in words), text)
    return match.span() if match else None


def _check(statement: Statement, shown: dict[int, Evidence]) -> Claim | Dropped:
    if not statement.labels:
        return Dropped(statement.text, "it names no source")
    unknown = [label for label in statement.labels if label not in shown]
    if unknown:
        return Dropped(statement.text, f"it names source [{unknown[0]}], which was not shown")
    cited = [shown[label] for label in dict.fromkeys(statement.labels)]
    missing = _missing_facts(statement.text, cited)
    if missing:
        return Dropped(statement.text, f'"{missing}" does not stand in the source that it names')
    citations = _quoted(statement, cited) if statement.quotes else _supported(statement, cited)
    return citations if isinstance(citations, Dropped) else Claim(statement.text, citations)


def _missing_facts(text: str, cited: Sequence[Evidence]) -> str:
    """The first number or identifier of a statement that no cited passage holds."""
    sources = " ".join(item.passage.chunk.searchable for item in cited)
    have = set(index_terms(sources)) | set(_NUMBER.findall(sources))
    bare = _LABEL.sub(" ", text)
    numbers: list[str] = _NUMBER.findall(bare)
    for fact in (*identifiers_in(bare), *numbers):
        if fact not in have and fact.replace(",", "") not in have:
            return fact
    return ""


def _quoted(statement: Statement, cited: Sequence[Evidence]) -> tuple[Citation, ...] | Dropped:
    """A citation for each quote in each named source that holds it; one source at least must."""
    citations: list[Citation] = []
    for quote in statement.quotes:
        places = [(item, find_quote(quote, item.passage.chunk.text)) for item in cited]
        found = [cite(item, span) for item, span in places if span]
        if not found:
            return Dropped(statement.text, "its quote does not stand in the source that it names")
        citations.extend(found)
    return tuple(citations)


def _supported(statement: Statement, cited: Sequence[Evidence]) -> tuple[Citation, ...] | Dropped:
    """For a statement in a generator's own words: the sentence of each cited passage that supports it."""
    wanted = set(index_terms(_LABEL.sub(" ", statement.text))) - STOP_WORDS
    citations = []
    for item in cited:
        text = item.passage.chunk.text
        spans = sentence_spans(text) or [(0, len(text))]
        best = max(spans, key=lambda span: len(wanted & set(index_terms(text[span[0] : span[1]]))))
        held = wanted & set(index_terms(text[best[0] : best[1]]))
        if wanted and len(held) >= LEAST_SUPPORT * len(wanted):
            citations.append(cite(item, best))
    if not citations:
        return Dropped(statement.text, "no sentence of the source that it names supports it")
    return tuple(citations)


def cite(item: Evidence, span: Span) -> Citation:
    """A citation of a slice of a passage. Its pages are those of the passage until `narrow` is given the
    revision to read them off."""
    chunk = item.passage.chunk
    start, end = chunk.start + span[0], chunk.start + span[1]
    return Citation(
        label=item.label,
        document=item.passage.document,
        locator=replace(chunk.locator, start=start, end=end, boxes=()),
        quote=chunk.text[span[0] : span[1]],
        also_in=item.also_in,
    )
