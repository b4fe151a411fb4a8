"""The best verbatim sentences of the evidence, for an answer without any language model.

A sentence is scored by the question's content terms that it holds (weighed by rarity; those of its headings
count half), by its nearness in meaning where an embedder is at hand, by its passage's place, and, where the
question asks for a quantity, by whether it states one; a section that the question names by its number goes
first. Headings, lists of contents and scraps are never quoted. For a bare identifier the answer is the section
itself, from its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.core.answers import Evidence, Statement
from pincite.core.documents import CELL_MARK, Chunk
from pincite.core.evidence import coverage, defines
from pincite.core.queries import Query
from pincite.core.sentences import Span, cut_span, line_spans, sentence_spans
from pincite.core.text import index_terms

MOST_CLAIMS = 3
NEAR_THE_BEST = 0.85
"""Share of the best sentence's score that another must have to be quoted beside it."""
LONGEST_QUOTE = 700
"""Characters. A longer "sentence" is a table or a list that ran together."""
_NUMBER = re.compile(
    r"[0-9]|[〇一二三四五六七八九十百千]+[公點点尺層层分之日年月元條条]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety|hundred"
    r"|half|third|quarter|percent)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(rf"(?:^|{re.escape(CELL_MARK)})\s*[-+(]?[0-9]", re.MULTILINE)
"""A cell that begins with a digit."""
_BLANK = re.compile(r"\n\s*\n")
_SCRAP = re.compile(r"\.{4,}|(?:\. ){4,}|^\W*$")
_ASIDE = re.compile(r"^[*_\[(]*(?:figure|fig\.|table|see|note|exceptions?|advisory)\b", re.IGNORECASE)
"""How a sentence begins that stands beside the rule rather than states it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may be quoted: where it stands in its passage, and that passage's place."""

    evidence: Evidence
    place: int
    """Of its passage among the evidence, from 0."""
    span: Span
    text: str
    also: tuple[Evidence, ...] = ()
    """Other passages that hold the same words."""
    header: str = ""
    """Of the table, when this is one of its rows."""
    row: bool = False

    @property
    def spoken(self) -> str:
        """What is compared with the question: a row means nothing without the header of its table."""
        return f"{self.header}\n{self.text}" if self.header else self.text

    @property
    def labels(self) -> tuple[int, ...]:
        return (self.evidence.label, *(item.label for item in self.also))


def sentences_of(evidence: Sequence[Evidence]) -> list[Sentence]:
    """Every sentence that may be quoted, in the order of the evidence, equal ones as one."""
    found: dict[str, Sentence] = {}
    for place, item in enumerate(evidence):
        text = item.passage.chunk.text
        for start, end, header in _table_rows(item.passage.chunk):
            words = f"{header} {' '.join(text[start:end].lower().split())}"
            found.setdefault(words, Sentence(item, place, (start, end), text[start:end], header=header, row=True))
        for start, end in quotable_spans(text, item.passage.chunk.locator.headings):
            words = " ".join(text[start:end].lower().split())
            earlier = found.get(words)
            if earlier is None:
                found[words] = Sentence(item, place, (start, end), text[start:end])
            elif item.label not in earlier.labels:
                found[words] = replace(earlier, also=(*earlier.also, item))
    return list(found.values())


def quotable_spans(text: str, headings: Sequence[str]) -> list[Span]:
    """Sentences that say something: not a heading by itself, not a line of dots, not a scrap, not of a table.
    What is longer than a sentence can be is cut."""
    titles = {_plain(heading) for heading in headings}
    spans: list[Span] = []
    for first, last in _paragraphs(text):
        if not _is_table(text[first:last]):
            for start, end in sentence_spans(text, first, last):
                spans.extend(cut_span(text, start, end, LONGEST_QUOTE))
    return [
        (start, end)
        for start, end in spans
        if end - start <= LONGEST_QUOTE and _says_something(text[start:end]) and _plain(text[start:end]) not in titles
    ]


def _table_rows(chunk: Chunk) -> list[tuple[int, int, str]]:
    """The rows of the tables in a passage, each with its header: the one that stands over the passage, or the
    first row. A header by itself is no answer."""
    rows = []
    over = chunk.locator.header.text if chunk.locator.header else ""
    for first, last in _paragraphs(chunk.text):
        if _is_table(chunk.text[first:last]):
            lines = line_spans(chunk.text, first, last)
            heads = 0 if over else _heads(chunk.text, lines)
            header = over or chunk.text[lines[0][0] : lines[max(heads, 1) - 1][1]]
            rows += [(*line, header) for line in lines[heads:] or lines]
        over = ""
    return [(start, end, header) for start, end, header in rows if any(c.isalnum() for c in chunk.text[start:end])]


def _heads(text: str, lines: Sequence[Span]) -> int:
    """How many lines of a table that begins here are its header: the first, and those after it without a figure
    where figures follow."""
    heads = 1
    while (
        heads < len(lines)
        and not _FIGURE.search(text, *lines[heads])
        and _FIGURE.search(text, lines[heads][1], lines[-1][1])
    ):
        heads += 1
    return heads


def _paragraphs(text: str) -> list[Span]:
    """The stretches between blank lines."""
    spans, begun = [], 0
    for match in _BLANK.finditer(text):
        spans.append((begun, match.start()))
        begun = match.end()
    return [*spans, (begun, len(text))]


def _is_table(text: str) -> bool:
    """Whether most lines have cells: readers write a row as a line with this mark between its cells."""
    lines = text.split("\n")
    return sum(CELL_MARK in line for line in lines) * 2 > len(lines)


def rank_sentences(
    query: Query,
    sentences: Sequence[Sentence],
    rarity: Mapping[str, float],
    similarities: Sequence[float] | None,
) -> list[tuple[float, Sentence]]:
    """Sentences with their scores, best first. `similarities` are cosines to the question, one a sentence."""
    scored = []
    for index, sentence in enumerate(sentences):
        near = similarities[index] if similarities is not None else None
        scored.append((_score(query, sentence, rarity, near), sentence))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].place, pair[1].span))


def best_statements(
    query: Query,
    sentences: Sequence[Sentence],
    rarity: Mapping[str, float],
    similarities: Sequence[float] | None,
    most: int = MOST_CLAIMS,
) -> tuple[Statement, ...]:
    """Up to `most` verbatim statements, best first. None unless there is a sentence at all."""
    chosen = _section_opening(query, sentences, most) or _best(
        rank_sentences(query, sentences, rarity, similarities), most
    )
    return tuple(Statement(s.text, s.labels, (s.text,)) for s in chosen)


def _section_opening(query: Query, sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    """For a question that is an identifier: the section of that number, from its beginning."""
    if not query.identifiers or len(query.content) > len(query.identifiers) + 1:
        return []
    for sentence in sentences:
        chunk = sentence.evidence.passage.chunk
        if any(defines(chunk, identifier) for identifier in query.identifiers):
            label = sentence.evidence.label
            same = [other for other in sentences if other.evidence.label == label]
            return sorted(same, key=lambda s: s.span)[:most]
    return []


def _best(ranked: Sequence[tuple[float, Sentence]], most: int) -> list[Sentence]:
    """The best sentence, then others that come near it, at most two from one passage."""
    if not ranked:
        return []
    top = ranked[0][0]
    chosen: list[Sentence] = []
    for score, sentence in ranked:
        if len(chosen) == most or (chosen and score < NEAR_THE_BEST * top):
            break
        if sum(s.evidence.label == sentence.evidence.label for s in chosen) < 2:
            chosen.append(sentence)
    return chosen


def _score(query: Query, sentence: Sentence, rarity: Mapping[str, float], near: float | None) -> float:
    own = frozenset(index_terms(sentence.text))
    above = frozenset(index_terms("\n".join([*sentence.evidence.passage.chunk.locator.headings, sentence.header])))
    covered = 0.5 * coverage(own, query.content, rarity) + 0.5 * coverage(own | above, query.content, rarity)
    score = covered + (near if near is not None else 0.0) - 0.02 * sentence.place
    if query.asks_number and not _NUMBER.search(_without_number_prefix(sentence.text)):
        score -= 0.2
    if any(defines(sentence.evidence.passage.chunk, identifier) for identifier in query.identifiers):
        score += 0.3
    if sentence.text.rstrip().endswith("?"):
        score -= 0.3
    if _ASIDE.match(sentence.text):
        score -= 0.1
    if sentence.row:
        return score
    if _is_label(sentence.text):
        score -= 0.3
    elif _is_cut(sentence.text):
        score -= 0.2
    return score


def _is_label(text: str) -> bool:
    """A caption or a label rather than a statement: few words and no full stop."""
    return not _ends(text) and len(text.split()) < 7 and not any(character > "\u0dff" for character in text)


def _is_cut(text: str) -> bool:
    """A half of a sentence that a page or a column break parted: half a rule can say the opposite of it."""
    first = text.lstrip("\"'“‘«([*_ ")[:1]
    return first.islower() or (not _ends(text) and not any(character > "\u0dff" for character in text))


def _ends(text: str) -> bool:
    return text.rstrip("\"'”’»)]*_0123456789 ").endswith((".", "!", "?", ":", ";", "。", "！", "？", "；", "।", "۔"))


def _without_number_prefix(text: str) -> str:
    """A sentence without the clause number that opens it, which is no quantity."""
    return re.sub(r"^\W*(?:§\s*)?[A-Z]?[0-9]+(?:\.[0-9]+)*\W*", "", text)


def _says_something(text: str) -> bool:
    if _SCRAP.search(text):
        return False
    letters = sum(character.isalpha() for character in text)
    wide = sum(character > "\u2e7f" for character in text)
    return letters >= 12 or wide >= 4


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(" .:").lower()
