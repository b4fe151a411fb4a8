"""Documents made from a number, for the benchmarks of the store: the same number always gives the same text."""

from __future__ import annotations

import hashlib
import random

from pincite.core.chunking import PROFILES, chunk_reading
from pincite.core.documents import Source
from pincite.core.ports import DocumentDraft, Embedder
from pincite.testing import reading_of

_WORDS = [f"{head}{tail}" for head in "bcdfghklmnprstvw" for tail in ("ara", "elin", "ito", "omber", "und", "ayel")]


def text_of(number: int, version: int, sections: int = 6) -> str:
    """Sections of some sixty words; the version stands in each of them."""
    dice = random.Random(number)
    parts = []
    for section in range(sections):
        words = " ".join(dice.choices(_WORDS, k=60))
        parts.append(f"# Part {section}\n\nDocument{number} version{version} {words}.")
    return "\n\n".join(parts)


def made_document(number: int, version: int, embedder: Embedder | None, sections: int = 6) -> DocumentDraft:
    text = text_of(number, version, sections)
    reading = reading_of(text)
    source = Source(
        f"/made/{number:06}.md",
        f"{number:06}.md",
        "text/markdown",
        hashlib.sha256(text.encode()).hexdigest(),
        len(text),
        "",
    )
    chunks = chunk_reading(reading, source.sha256, PROFILES["sections"])
    vectors: list[bytes | None] = [None] * len(chunks)
    if embedder is not None:
        rows = embedder.embed_passages([chunk.searchable for chunk in chunks])
        vectors = [rows.row(place) if chunk.indexed else None for place, chunk in enumerate(chunks)]
    return DocumentDraft(source, reading, chunks, tuple(vectors))
