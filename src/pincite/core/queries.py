"""A question, read once: the terms that the lexical lane asks for, and what the evidence must hold.

User text is data. Nothing in it is syntax, whatever its punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.core.errors import UsageError
from pincite.core.stopwords import EAST_ASIAN_STOPS, META_WORDS, stop_words_for
from pincite.core.text import HAN_ORDINAL, KOREAN_ORDINAL, index_terms, script_of

LONGEST_QUESTION = 8_000
"""Characters of a question that are looked at; what is beyond is a pasted document, not a question."""
MOST_TERMS = 256

_IDENTIFIER = re.compile(
    rf"{HAN_ORDINAL}|{KOREAN_ORDINAL}"
    r"|(?<![\w.])(?P<dotted>[A-Za-z]{0,4}[0-9]+(?:\.[0-9]+)+[a-z]?)(?![\w])"
    r"|(?<![\w.])[A-Za-z]{1,6}[-_]?[0-9][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)+(?![\w])"
    r"|(?<![\w.])[A-Za-z]{1,4}-[0-9]{2,}(?![\w.])"
)
_UNIT = re.compile(
    r"\s*(?:%|‰|°|mm\b|cm\b|m\b|km\b|in\b|inch|ft\b|feet|foot|yards?|miles?|kg\b|g\b|lbs?\b|percent|million"
    r"|billion|met(?:er|re)s?|hours?|days?|minutes?|seconds?|degrees?|euros?|dollars?|gb\b|mb\b|kb\b|公尺|米)",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"[\w][\w.'’\-]*[\w]|\w")
_MONEY = re.compile(r"[$€£¥]\s*$")
_NEXT_IS_NAME = re.compile(r"\b(?:version|release|level|wcag|python|tls|http|usb|v)\s*$", re.IGNORECASE)
_ASKS_PAGE = re.compile(
    r"\b(?:which|what|cite (?:the|a)|give (?:me )?(?:the|a)|on what|on which|the) page(?:s| number)?\b"
    r"|第?(?:哪|幾|几)(?:一)?[頁页]|何ページ|welcher Seite|quelle page|qu[eé] p[aá]gina",
    re.IGNORECASE,
)
_ASKS_NUMBER = re.compile(
    r"\bhow (?:many|much|high|wide|tall|long|far|deep|large|big|close|often|fast|old|late|soon|thick|heavy)\b"
    r"|\b(?:maximum|minimum|max|min|height|width|length|depth|distance|ratio|share|percentage|number|limit|range"
    r"|date|deadline|rate|fee|fine|cost|price|size|radius|slope|load|when)\b"
    r"|多少|幾|几|多[高寬宽長长陡大遠远]|最[多少高低大小]|いくつ|何[mメ]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the lanes and the evidence gate see it."""

    text: str
    terms: tuple[str, ...]
    """For the lexical lane, in order; a term asked twice stands twice and weighs double. Stop words are left
    out unless there is nothing else."""
    content: tuple[str, ...]
    """The distinct terms that carry meaning, in order; may be empty."""
    identifiers: tuple[str, ...]
    """Clause, article, part and ticket numbers: what must be in the evidence to the letter."""
    script: str
    asks_page: bool = False
    asks_number: bool = False


def read_query(text: str) -> Query:
    """Raises UsageError when there is no text at all."""
    cleaned = " ".join(text.replace("\x00", " ").split())[:LONGEST_QUESTION]
    if not cleaned:
        raise UsageError("The question is empty.", 'Ask something, for example: pincite ask "clear width of doors"')
    cleaned = cleaned.encode("utf-8", "replace").decode("utf-8")
    terms = index_terms(cleaned)
    asks_page = bool(_ASKS_PAGE.search(cleaned))
    identifiers = identifiers_in(cleaned)
    script = script_of(cleaned)
    stops = stop_words_for(terms, script)
    if identifiers or asks_page:
        stops |= META_WORDS
    content = [term for term in terms if term not in stops]
    return Query(
        text=cleaned,
        terms=tuple((content or terms)[:MOST_TERMS]),
        content=tuple(dict.fromkeys(_meaningful(cleaned, script, content, identifiers))),
        identifiers=identifiers,
        script=script,
        asks_page=asks_page,
        asks_number=bool(_ASKS_NUMBER.search(cleaned)),
    )


def as_asked(text: str, terms: Sequence[str]) -> list[str]:
    """Index terms as the words of the text that they were made of, for showing to people."""
    words = {term: word for word in reversed(_SHOWN.findall(text)) for term in index_terms(word)}
    return list(
        dict.fromkeys(term if len(words.get(term, "")) > 3 * len(term) else words.get(term, term) for term in terms)
    )


def _meaningful(text: str, script: str, content: list[str], identifiers: tuple[str, ...]) -> list[str]:
    """The content terms, without the East Asian pairs that hold a function word."""
    if script not in ("Han", "Kana", "Hangul"):
        return content
    parted = set(index_terms(EAST_ASIAN_STOPS.sub(" ", text))) | set(identifiers)
    return [term for term in content if term in parted] or content


def identifiers_in(text: str) -> tuple[str, ...]:
    """The identifiers of a text as index terms. A decimal with a unit, a price, or the number of a version
    is a quantity, not an identifier."""
    found: list[str] = []
    for match in _IDENTIFIER.finditer(text):
        if match["dotted"] and _is_quantity(text, match):
            continue
        terms = index_terms(match.group())
        if terms:
            found.append(terms[0])
    return tuple(dict.fromkeys(found))


def _is_quantity(text: str, match: re.Match[str]) -> bool:
    if match["dotted"].count(".") > 1 or match["dotted"][0].isalpha():
        return False
    before, after = text[: match.start()], text[match.end() :]
    return bool(_UNIT.match(after) or _MONEY.search(before) or _NEXT_IS_NAME.search(before))
