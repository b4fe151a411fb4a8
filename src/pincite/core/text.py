"""One tokeniser for index and query, folding, scripts and sentences."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+(?:[.\-_/+#]\w+)*[+#]*")


def index_terms(text: str) -> list[str]:
    """The terms of a text, in order, as the lexical index stores them and as a query asks for them.

    A term holds no white space, no control character and no `"`; ASCII letters in it are lower case.
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())
