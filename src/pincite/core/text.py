"""One tokeniser for index and query, with the folding that both need.

A word becomes one term, or several when people may look for it in several ways: `KubePodCrashLooping` is
found by its whole name and by its parts, `X-200` as written, as `x200` and by its parts. Numbers with inner
points (`404.2.3`, `D103.4`) and article numbers (`第61條`) stay whole: half an identifier is another
identifier. Scripts written without spaces give overlapping pairs of characters, Thai and its neighbours
pairs and triples.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pincite.core.stemming import stem

_INVISIBLE = dict.fromkeys(
    [0x00AD, 0x0640, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_MARK = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u064b-\u0652\u0670"
_MARKS = re.compile(f"[{_MARK}]")
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
        "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ک": "ك", "ی": "ي",
        "’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "–": "-", "—": " ", "−": "-",
    }
)  # fmt: skip

HAN_ORDINAL = "第[0-9〇零一二三四五六七八九十百千]+[條条章節节編编款項项]"
KOREAN_ORDINAL = "제[0-9]+[조항장절호]"
"""Article numbers: what a token, an identifier and a section number have to agree on."""

_PAIRED = (
    "\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3"
    "々〇\U00020000-\U0003ffff"
)
_TRIPLED = "\u0e01-\u0e4e\u0e80-\u0edf\u1000-\u109f\u1780-\u17dd"
_PLAIN = rf"[^\W_{_PAIRED}{_TRIPLED}]|[{_MARK}\u0900-\u0963\u0966-\u0dff\u0f00-\u0fbc]"
_JOINT = r"[.\-_'/:,&@]"
_TOKEN = re.compile(
    rf"(?P<ordinal>{HAN_ORDINAL}|{KOREAN_ORDINAL})"
    rf"|(?P<paired>[{_PAIRED}]+)|(?P<tripled>[{_TRIPLED}]+)"
    rf"|(?P<word>(?:{_PLAIN})+(?:{_JOINT}(?:{_PLAIN})+|_+(?:{_PLAIN})+)*(?:\+\+?|\#)?)"
)
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_ASCII_WORD = re.compile(r"[a-z]+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_JOINTS = re.compile(r"[.\-_'/:,&@]+")
_LONGEST_TERM = 64


def index_terms(text: str) -> list[str]:
    """The terms of a text, in order, as the lexical index stores them and as a query asks for them.

    A term holds no white space, no control character and no `"`; ASCII letters in it are lower case.
    """
    terms: list[str] = []
    for match in _TOKEN.finditer(_prepared(text)):
        if match.lastgroup == "word":
            terms.extend(_word_terms(match.group()))
        elif match.lastgroup == "paired":
            terms.extend(_grams(match.group(), 2))
        elif match.lastgroup == "ordinal":
            terms.append(match.group())
            terms.extend(_grams(match.group(), 2))
        else:
            terms.extend(_grams(match.group(), 2))
            terms.extend(_grams(match.group(), 3)[:-1])
    return terms


def fold(text: str) -> str:
    """Compatibility forms, case, accents and letter variants folded away; for comparing, not for showing."""
    return _fold_word(_prepared(text))


def script_of(text: str) -> str:
    """The writing system that most letters of a text belong to: "Latin", "Han", "Kana", "Hangul", "Thai",
    "Arabic", "Cyrillic" …; "Common" when it has no letters. Han with some kana in it is "Kana"."""
    counts: dict[str, int] = {}
    for character in text:
        if character.isalpha():
            name = _script(character)
            counts[name] = counts.get(name, 0) + 1
    if not counts:
        return "Common"
    if counts.get("Kana", 0) * 10 > counts.get("Han", 0) > 0:
        counts["Kana"] = counts["Kana"] + counts.pop("Han")
    return max(counts, key=lambda name: (counts[name], name))


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    first = unicodedata.name(letter, "UNKNOWN").split(" ")[0].capitalize()
    return {
        "Cjk": "Han",
        "Hiragana": "Kana",
        "Katakana": "Kana",
        "Feminine": "Latin",
        "Masculine": "Latin",
    }.get(first, first)


def _prepared(text: str) -> str:
    """Ligatures and full-width forms in their plain shape, invisible characters gone; case kept."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).translate(_LETTERS)


def _fold_word(word: str) -> str:
    if word.isascii():
        return word.lower()
    spread = unicodedata.normalize("NFD", word.casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", spread)).translate(_LETTERS)


def _grams(run: str, size: int) -> list[str]:
    if len(run) <= size:
        return [run]
    return [run[i : i + size] for i in range(len(run) - size + 1)]


@lru_cache(maxsize=200_000)
def _word_terms(word: str) -> tuple[str, ...]:
    folded = _fold_word(word)
    if _ASCII_WORD.fullmatch(folded):
        return _camel_terms(word, folded) if _CAMEL.search(word) else (stem(folded),)
    folded = folded.strip(".-_'/:,&@")
    if _THOUSANDS.fullmatch(folded):
        return (folded.replace(",", ""),)
    parts = [part for part in _JOINTS.split(folded) if part]
    if len(parts) < 2:
        return _camel_terms(word, folded) if _CAMEL.search(word) else _cut((folded,))
    return _compound_terms(folded, parts)


def _camel_terms(word: str, folded: str) -> tuple[str, ...]:
    humps = [hump.lower() for hump in _HUMPS.findall(word)]
    return _cut((folded, *(_simple(hump) for hump in humps if hump != folded)))


def _compound_terms(folded: str, parts: list[str]) -> tuple[str, ...]:
    """A word with joints: 404.2.3, X-200, foo_bar, don't, state-of-the-art, and/or, l'eau."""
    if "'" in folded and len(parts) == 2:
        return _apostrophe_terms(parts)
    digits = any(character.isdigit() for character in folded)
    dotted = "." in folded and digits and not set(folded) & set("/:,&@")
    if dotted and "-" not in folded and "_" not in folded:
        return _cut((folded,))
    pieces = tuple(_simple(part) for part in parts)
    if "_" in folded:
        return _cut((folded, *pieces))
    if digits and "-" in folded:
        return _cut((folded, folded.replace("-", ""), *pieces))
    if digits and "/" in folded:
        return _cut((folded, *pieces))
    return _cut(pieces)


def _apostrophe_terms(parts: list[str]) -> tuple[str, ...]:
    before, after = parts
    if after == "s":
        return _cut((_simple(before),))
    if len(before) <= 2:
        return _cut((_simple(before), _simple(after)))
    return _cut((before + after,))


def _simple(part: str) -> str:
    return stem(part) if _ASCII_WORD.fullmatch(part) else part


def _cut(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Terms of a sane length: a line of base64 is nobody's search word."""
    return tuple(term[:_LONGEST_TERM] for term in terms if term)
