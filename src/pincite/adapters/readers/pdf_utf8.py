"""Text in a UTF-8 font that PDFium read as code points, put right.

Some writers (libharu's UTF-8 encoders among them) set text in fonts whose codes are the bytes of UTF-8 and say so in
a CMap of their own. PDFium takes the two bytes of a letter for its code point: Cyrillic, Greek or Hebrew comes out as
Korean, Arabic as halves of pairs. Korean text proper has such syllables too, but those of one other script are one in
fifty, so a few and nothing else give it away. Three bytes are no code point at all, which is proof.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_SUSPECT = re.compile("[\u8080-\udbff]")
"""Few pages have any of these, and one range is quick to look for."""
_TWO = re.compile("[\uac00-\ud7ff]|[\ud800-\udbff](?![\udc00-\udfff])")
_THREE = re.compile("[\u8080-\ubfbf]")
"""What PDFium's text keeps of three bytes: the last two."""
_LAST = 0x10FFFF
_LEAST = 3
"""Letters of a page from which chance is ruled out."""


def put_right(text: str, code_at: Callable[[int], int]) -> str:
    """The text of a page, place by place, with the letters that the bytes stand for. `code_at` asks PDFium for the
    whole code of a place."""
    if text.isascii() or not _SUSPECT.search(text):
        return text
    first = _THREE.search(text)
    if first and code_at(first.start()) > _LAST:
        text = _THREE.sub(lambda match: _letter(code_at(match.start()), 3) or match[0], text)
    found = _TWO.findall(text)
    if len(found) < _LEAST:
        return text
    letters = {wrong: _letter(ord(wrong), 2) for wrong in set(found)}
    if "" in letters.values() or len({_script(letter) for letter in letters.values()}) > 1:
        return text
    return _TWO.sub(lambda match: letters[match[0]], text)


def _letter(code: int, length: int) -> str:
    """The character whose bytes in UTF-8 are those of the code; empty when there is none."""
    try:
        character = code.to_bytes(length, "big").decode("utf-8")
    except (UnicodeDecodeError, OverflowError):
        return ""
    return character if len(character) == 1 and (length > 2 or character.isalpha()) else ""


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]
