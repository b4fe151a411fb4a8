"""Nouns to columns and back. JSON is compact and lossless; empty fields are left out."""

from __future__ import annotations

import json
import struct
from typing import Any

from pincite.adapters.sqlite.database import Row
from pincite.core.answers import DocumentRef, Passage
from pincite.core.documents import (
    Block,
    BlockKind,
    Box,
    Chunk,
    Corpus,
    Document,
    Failure,
    Locator,
    Outcome,
    OutcomeKind,
    Page,
    Reading,
    Revision,
)


def pack(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def outcome_text(outcome: Outcome) -> str:
    return pack([outcome.kind.value, outcome.code, outcome.message, outcome.hint, list(outcome.pages)])


def outcome_of(text: str) -> Outcome:
    kind, code, message, hint, pages = json.loads(text)
    return Outcome(OutcomeKind(kind), code, message, hint, tuple(pages))


def locator_text(locator: Locator) -> str:
    plain = {
        "s": locator.start,
        "e": locator.end,
        "p": [locator.first_page, locator.last_page] if locator.first_page else None,
        "l": [locator.first_label, locator.last_label] if locator.first_label or locator.last_label else None,
        "h": list(locator.headings),
        "n": list(locator.lines) if locator.lines else None,
        "b": [_box_row(box) for box in locator.boxes],
        "a": locator.anchor,
    }
    return pack({key: value for key, value in plain.items() if value or key in "se"})


def locator_of(text: str) -> Locator:
    plain = json.loads(text)
    first_page, last_page = plain.get("p", (None, None))
    first_label, last_label = plain.get("l", ("", ""))
    return Locator(
        start=plain["s"],
        end=plain["e"],
        first_page=first_page,
        last_page=last_page,
        first_label=first_label,
        last_label=last_label,
        headings=tuple(plain.get("h", ())),
        lines=_pair(plain.get("n")),
        boxes=tuple(Box(*row) for row in plain.get("b", ())),
        anchor=plain.get("a", ""),
    )


def pages_text(pages: tuple[Page, ...]) -> str:
    return pack([[p.number, p.start, p.end, p.label, p.outcome.value, p.width, p.height] for p in pages])


def pages_of(text: str) -> tuple[Page, ...]:
    return tuple(
        Page(number, start, end, label, OutcomeKind(outcome), width, height)
        for number, start, end, label, outcome, width, height in json.loads(text)
    )


def blocks_text(blocks: tuple[Block, ...]) -> str:
    return pack(
        [
            [
                block.kind.value,
                block.start,
                block.end,
                block.page,
                block.level,
                block.title_end,
                [_box_row(box) for box in block.boxes],
                list(block.lines) if block.lines else None,
                block.anchor,
            ]
            for block in blocks
        ]
    )


def blocks_of(text: str) -> tuple[Block, ...]:
    return tuple(
        Block(
            BlockKind(kind),
            start,
            end,
            page,
            level,
            title_end,
            tuple(Box(*b) for b in boxes),
            _pair(lines),
            anchor,
        )
        for kind, start, end, page, level, title_end, boxes, lines, anchor in json.loads(text)
    )


def chunk_of(row: Row) -> Chunk:
    """From (id, text, locator, ordinal, parent, indexed)."""
    return Chunk(row[0], row[1], locator_of(row[2]), row[3], row[4], bool(row[5]))


def passage_of(row: Row) -> Passage:
    """From (key, chunk columns …, document id, uri, name, title, revision number, sha256)."""
    return Passage(row[0], chunk_of(row[1:7]), DocumentRef(*row[7:13]))


def document_of(row: Row, tags: tuple[str, ...]) -> Document:
    return Document(
        id=row[0],
        uri=row[1],
        name=row[2],
        media_type=row[3],
        title=row[4],
        collection=row[5],
        corpus=Corpus(row[6]),
        tags=tags,
        revision=row[7],
        sha256=row[8],
        size=row[9],
        pages=row[10],
        chunks=row[11],
        outcome=outcome_of(row[12]),
        created=row[13],
        updated=row[14],
        trashed=row[15],
    )


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


def _box_row(box: Box) -> list[float]:
    return [box.page, *(round(edge, 1) for edge in (box.left, box.top, box.right, box.bottom))]


def _pair(value: list[int] | None) -> tuple[int, int] | None:
    return (value[0], value[1]) if value else None
