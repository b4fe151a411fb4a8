"""Nouns as compact JSON and back, lossless save that box edges keep one decimal. A store keeps them so, and
the reader's worker process sends them so."""

from __future__ import annotations

import json
from typing import Any

from pincite.core.documents import Block, BlockKind, Box, Locator, Outcome, OutcomeKind, Page, Reading


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
    )


def _box_row(box: Box) -> list[float]:
    return [box.page, *(round(edge, 1) for edge in (box.left, box.top, box.right, box.bottom))]


def _pair(value: list[int] | None) -> tuple[int, int] | None:
    return (value[0], value[1]) if value else None
