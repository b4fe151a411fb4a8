"""A light English stemmer: inflections go, derivations stay.

Only the endings of plural, past, progressive and a few adverbs are taken off ("locks", "locked",
"locking" become "lock"; "location" stays), in the spirit of the first steps of M. F. Porter, "An algorithm
for suffix stripping" (1980). A heavier stemmer finds a little more and confuses a little more; ADR 0003
has the figures. Words of other languages written in the same letters lose the same endings on both sides,
index and query, and so still meet.
"""

from __future__ import annotations

import re
from functools import lru_cache

_VOWEL = re.compile(r"[aeiouy]")
_DOUBLE_KEPT = ("ll", "ss", "zz", "ff")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a lower-case word of ASCII letters; short words are left alone."""
    if len(word) < 4:
        return word
    word = _without_plural(word)
    if word.endswith("ly") and len(word) > 6:
        word = word[:-2]
    word = _without_participle(word)
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    if word.endswith("y") and len(word) > 3 and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    return word


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_participle(word: str) -> str:
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            base = word[: -len(ending)]
            if len(base) >= 2 and _VOWEL.search(base):
                return _repaired(base)
    return word


def _repaired(base: str) -> str:
    """Undo what the ending did to the word: "stopp" is stop, "creat" was create."""
    if len(base) > 2 and base[-1] == base[-2] and base[-1] not in "aeiou" and base[-2:] not in _DOUBLE_KEPT:
        return base[:-1]
    return base
