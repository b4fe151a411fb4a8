"""Sentences as spans. Nothing is lost: the spans hold every character that is not white space."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_CLOSERS = "\"'”’»)\\]）】」』〉》"
_END = re.compile(
    rf"(?P<latin>[.!?…]+[{_CLOSERS}]*)(?=\s)"
    rf"|(?P<noted>(?<=[a-zA-Z{_CLOSERS}])[.!?]+[{_CLOSERS}]*[0-9]{{1,3}})(?=\s+[A-Z“\"])"
    rf"|(?P<wide>[。！？；｡]+[{_CLOSERS}]*)"
    rf"|(?P<other>[।॥؟۔։።]+[{_CLOSERS}]*)(?=\s|$)"
    r"|(?P<gap>\n[ \t\r]*\n)"
)
_OPENS_SENTENCE = re.compile(r"\s+[\"'“‘«(\[]*(?:[A-ZÀ-ÞĀ-ŽΑ-ΩА-Я0-9§•\-–—]|[^\x00-\u024f])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:e\.g|i\.e|cf|etc|vs|viz|approx|ca|al|figs?|nos?|arts?|secs?|sects?|chs?|chap|paras?"
    r"|pp?|vols?|eds?|edn|eq|ref|refs|tab|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|corp|co|dept|gov|gen|rev|hon"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|u\.k|u\.s\.c|c\.f\.r|ord|bzw|z\.b|d\.h|abs|nr|bd"
    r"|[a-z])\.$",
    re.IGNORECASE,
)
_ENUMERATOR = re.compile(r"\s*[(\[]?(?:[0-9]{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6}|[0-9]+(?:\.[0-9]+)+)[.)\]]*$")
_NOTHING_MORE = re.compile(r"\s*\Z")
_THAI_GAP = re.compile(r"(?<=[\u0e01-\u0e4e])[ \u00a0]+(?=[\u0e01-\u0e4e])")
_THAI = re.compile(r"[\u0e01-\u0e4e]")
_THAI_LEAST = 60
"""Thai marks no sentence ends; its spaces stand between clauses. A piece grows to this many characters
before a space may end it."""


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of `text[start:end]` as half-open spans, without surrounding white space, in order."""
    end = len(text) if end is None else end
    spans: list[Span] = []
    for first, last in _pieces(text, start, end):
        spans.extend(_thai_pieces(text, first, last) if _THAI.search(text, first, last) else [(first, last)])
    return spans


def line_spans(text: str, start: int, end: int) -> list[Span]:
    """The non-blank lines of `text[start:end]`: what stands for sentences in tables and code."""
    spans = []
    for match in re.compile(r"[^\n]+").finditer(text, start, end):
        trimmed = _trim(text, *match.span())
        if trimmed:
            spans.append(trimmed)
    return spans


def cut_span(text: str, start: int, end: int, cap: int) -> Iterator[Span]:
    """A span in pieces of at most `cap` characters, at a clause mark or a space where there is one."""
    while end - start > cap:
        at = _breakpoint(text, start + cap // 2, start + cap)
        yield (start, _back(text, at, start))
        start = _skip(text, at, end)
    if start < end:
        yield (start, end)


def _breakpoint(text: str, low: int, high: int) -> int:
    for marks in ("\n", ";；:：，,、", " \u00a0\t"):
        best = max(text.rfind(mark, low, high) for mark in marks)
        if best >= 0:
            return best + 1
    return high


def _back(text: str, at: int, start: int) -> int:
    while at > start + 1 and text[at - 1].isspace():
        at -= 1
    return at


def _skip(text: str, at: int, end: int) -> int:
    while at < end and text[at].isspace():
        at += 1
    return at


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    begun = start
    for match in _END.finditer(text, start, end):
        if match.lastgroup == "latin" and not _ends_here(text, begun, match, end):
            continue
        piece = _trim(text, begun, match.end())
        if piece:
            yield piece
        begun = match.end()
    piece = _trim(text, begun, end)
    if piece:
        yield piece


def _ends_here(text: str, begun: int, match: re.Match[str], end: int) -> bool:
    """Whether a full stop ends a sentence: not after an abbreviation or a bare number that opens the line,
    and only before something that can open a sentence."""
    if not _OPENS_SENTENCE.match(text, match.end(), end):
        return _NOTHING_MORE.match(text, match.end(), end) is not None
    before = text[begun : match.end()]
    if _ENUMERATOR.fullmatch(before.rstrip(_CLOSERS)):
        return False
    return not (match.group().startswith(".") and _ABBREVIATION.search(before[-12:]))


def _thai_pieces(text: str, start: int, end: int) -> Iterator[Span]:
    begun = start
    for match in _THAI_GAP.finditer(text, start, end):
        if match.start() - begun >= _THAI_LEAST:
            yield (begun, match.start())
            begun = match.end()
    yield (begun, end)


def _trim(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
