"""Rows to nouns, and vectors to their stored form."""

from __future__ import annotations

import json
import struct

from pincite.adapters.sqlite.database import Row
from pincite.core.answers import DocumentRef, Passage
from pincite.core.codec import blocks_of, locator_of, outcome_of, pages_of
from pincite.core.documents import Chunk, Failure, Reading, Revision


def chunk_of(row: Row) -> Chunk:
    """From (id, text, locator, ordinal, parent, indexed)."""
    return Chunk(row[0], row[1], locator_of(row[2]), row[3], row[4], bool(row[5]))


def passage_of(row: Row) -> Passage:
    """From (key, chunk columns …, document id, uri, name, title, revision number, sha256)."""
    return Passage(row[0], chunk_of(row[1:7]), DocumentRef(*row[7:13]))


def revision_of(row: Row) -> Revision:
    number, sha256, size, reader, outcome, title, metadata, text, pages, blocks, created, reason = row
    reading = Reading(
        outcome=outcome_of(outcome),
        reader=reader,
        text=text,
        pages=pages_of(pages),
        blocks=blocks_of(blocks),
        title=title,
        metadata=json.loads(metadata),
    )
    return Revision(number, sha256, size, reading, created, reason)


def failure_of(row: Row) -> Failure:
    uri, name, media_type, sha256, size, reader, outcome, at = row
    return Failure(uri, name, media_type, sha256, size, reader, outcome_of(outcome), at)


def to_half(row: bytes) -> bytes:
    """A row of 32-bit floats as 16-bit ones: half the file, and no difference in any ranking measured."""
    count = len(row) // 4
    return struct.pack(f"<{count}e", *struct.unpack(f"<{count}f", row))


def to_single(row: bytes) -> bytes:
    count = len(row) // 2
    return struct.pack(f"<{count}f", *struct.unpack(f"<{count}e", row))
