"""Small makers that several test rooms share."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.core.chunking import PROFILES, chunk_reading
from pincite.core.documents import Failure, Outcome, OutcomeKind, Source
from pincite.core.ports import DocumentDraft, Embedder
from pincite.testing import FakeEmbedder, reading_of

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("PINCITE_SHARED", ROOT.parent / "shared")).resolve()
needs_shared = pytest.mark.skipif(
    not (SHARED / "corpus" / "manifest.jsonl").exists(), reason=f"no shared collections at PINCITE_SHARED ({SHARED})"
)
EMBEDDER = FakeEmbedder()


def source(uri: str, text: str) -> Source:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Source(uri, uri.rsplit("/", 1)[-1], "text/markdown", digest, len(text), uri)


def draft(
    uri: str,
    text: str,
    *,
    embedder: Embedder | None = EMBEDDER,
    collection: str = "",
    tags: Sequence[str] = (),
    profile: str = "sections",
) -> DocumentDraft:
    """A document of Markdown-like text, ready to be saved."""
    made, reading = source(uri, text), reading_of(text)
    chunks = chunk_reading(reading, made.sha256, PROFILES[profile])
    vectors: list[bytes | None] = [None] * len(chunks)
    if embedder is not None:
        rows = embedder.embed_passages([chunk.searchable for chunk in chunks])
        vectors = [rows.row(index) if chunk.indexed else None for index, chunk in enumerate(chunks)]
    return DocumentDraft(made, reading, chunks, tuple(vectors), collection, tags=tuple(tags))


def failure(uri: str, sha256: str = "f" * 64) -> Failure:
    outcome = Outcome(OutcomeKind.CORRUPT, "not_a_pdf", "The file is not a readable PDF.", "Fetch it anew.")
    return Failure(uri, uri.rsplit("/", 1)[-1], "application/pdf", sha256, 9, "pdf/1", outcome, "2026-01-01T00:00:00")
