"""Nouns as compact JSON and back, lossless save that box edges keep one decimal. A store keeps them so, and
the reader's worker process sends them so."""

from __future__ import annotations

import json
from typing import Any

from pincite.core.documents import Attachment, Block, BlockKind, Box, Locator, Outcome, OutcomeKind, Page, Reading
from pincite.core.places import Place, TableHeader


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
        "w": _place_row(locator.place),
        "t": [locator.header.start, locator.header.end, locator.header.text] if locator.header else None,
        "o": locator.ocr,
    }
    return pack({key: value for key, value in plain.items() if value or key in "se" or value == 0.0})


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
        place=_place_of(plain.get("w")),
        header=TableHeader(*plain["t"]) if "t" in plain else None,
        ocr=plain.get("o"),
    )


def pages_text(pages: tuple[Page, ...]) -> str:
    return pack([[p.number, p.start, p.end, p.label, p.outcome.value, p.width, p.height, p.ocr] for p in pages])


def pages_of(text: str) -> tuple[Page, ...]:
    return tuple(
        Page(number, start, end, label, OutcomeKind(outcome), width, height, *ocr)
        for number, start, end, label, outcome, width, height, *ocr in json.loads(text)
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
                _place_row(block.place),
                list(block.header) if block.header else None,
            ]
            for block in blocks
        ]
    )


def blocks_of(text: str) -> tuple[Block, ...]:
    return tuple(_block_of(*row) for row in json.loads(text))


def _block_of(
    kind: str,
    start: int,
    end: int,
    page: int | None,
    level: int,
    title_end: int,
    boxes: list[list[float]],
    lines: list[int] | None,
    anchor: str,
    place: list[Any] | None = None,
    header: list[int] | None = None,
) -> Block:
    """A block from its row. What a store of an earlier version lacks has its default."""
    return Block(
        kind=BlockKind(kind),
        start=start,
        end=end,
        page=page,
        level=level,
        title_end=title_end,
        boxes=tuple(Box(int(number), *edges) for number, *edges in boxes),
        lines=_pair(lines),
        anchor=anchor,
        place=_place_of(place),
        header=_pair(header),
    )


def reading_text(reading: Reading) -> str:
    return pack(
        {
            "outcome": outcome_text(reading.outcome),
            "reader": reading.reader,
            "text": reading.text,
            "pages": pages_text(reading.pages),
            "blocks": blocks_text(reading.blocks),
            "title": reading.title,
            "metadata": dict(reading.metadata),
            "attachments": [[a.key, a.name, a.media_type, a.sha256, a.size] for a in reading.attachments],
        }
    )


def reading_of(text: str) -> Reading:
    plain = json.loads(text)
    return Reading(
        outcome=outcome_of(plain["outcome"]),
        reader=plain["reader"],
        text=plain["text"],
        pages=pages_of(plain["pages"]),
        blocks=blocks_of(plain["blocks"]),
        title=plain["title"],
        metadata=plain["metadata"],
        attachments=tuple(Attachment(*row) for row in plain.get("attachments", ())),
    )


def _box_row(box: Box) -> list[float]:
    return [box.page, *(round(edge, 1) for edge in (box.left, box.top, box.right, box.bottom))]


def _place_row(place: Place | None) -> list[Any] | None:
    """Without what is empty at the end, since most places have few parts."""
    if place is None:
        return None
    row = [place.unit, place.name, place.paragraphs, place.table, place.rows, place.columns, place.field]
    while row and not row[-1]:
        row.pop()
    return row


def _place_of(row: list[Any] | None) -> Place | None:
    if row is None:
        return None
    empty: list[Any] = ["", "", None, 0, None, None, ""]
    unit, name, paragraphs, table, rows, columns, name_of_field = row + empty[len(row) :]
    letters = (columns[0], columns[1]) if columns else None
    return Place(unit, name, _pair(paragraphs), table, _pair(rows), letters, name_of_field)


def _pair(value: list[int] | None) -> tuple[int, int] | None:
    return (value[0], value[1]) if value else None
