"""Text in a UTF-8 font that PDFium read as code points, put right.

Some writers (libharu's UTF-8 encoders among them) set text in fonts whose codes are the bytes of UTF-8 and say so in
a CMap of their own. PDFium takes the two bytes of a letter for its code point: Cyrillic, Greek or Hebrew comes out as
Korean. Korean text proper has such syllables too, but only one in eight, so a page of nothing else gives it away.
"""

from __future__ import annotations

import re
import unicodedata

_SYLLABLE = re.compile("[\uac00-\ud7ff]")
_LEAST = 6
"""Syllables of a page from which chance is ruled out: one in eight to the sixth."""


def put_right(text: str) -> str:
    """The text of a page, place by place, with letters where they were taken for Korean syllables."""
    if text.isascii() or not _SYLLABLE.search(text):
        return text
    found = _SYLLABLE.findall(text)
    letters = {syllable: _decoded(syllable) for syllable in set(found)}
    if len(found) < _LEAST or "" in letters.values() or len({_script(letter) for letter in letters.values()}) > 1:
        return text
    return _SYLLABLE.sub(lambda match: letters[match[0]], text)


def _decoded(syllable: str) -> str:
    """The letter whose two bytes in UTF-8 are those of the code point; empty when there is none."""
    try:
        letter = syllable.encode("utf-16-be").decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return letter if len(letter) == 1 and letter.isalpha() else ""


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]
