"""Whether a quote stands where the corpus says, in the words that it says it with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.common import letters
from pincite.core.documents import CELL_MARK, Block, Reading

_CELL = re.compile(r'sheet "(?P<sheet>[^"]+)" cell (?P<column>[A-Z]+)(?P<row>[0-9]+)')
_ROW = re.compile(r'sheet "(?P<sheet>[^"]+)" row (?P<row>[0-9]+)')
_FLOAT = re.compile(r"(?<=[0-9])\.0\b")
_PICTURE = re.compile(r"\[pic\]")
"""What one of the tools that the quotes were taken with writes for a picture; no word of the file."""


def stands_at(reading: Reading, where: str, quote: str) -> bool:
    """Raises KeyError for a place of an unknown form: a place that is not understood must not count as right."""
    wanted = _plain(quote)
    return any(wanted in _plain(text) for text in _texts(reading, where))


def _plain(text: str) -> str:
    """Numbers compare as numbers: 192000.0 is 192000."""
    return letters(_FLOAT.sub("", _PICTURE.sub("", text)))


def _texts(reading: Reading, where: str) -> Iterator[str]:
    """The stretches of text that a place may mean."""
    cell, row = _CELL.match(where), _ROW.match(where)
    kind, _, rest = where.partition(" ")
    if cell or row:
        yield from _cells(reading, cell["sheet"], int(cell["row"]), cell["column"]) if cell else ()
        yield from _cells(reading, row["sheet"], int(row["row"]), "") if row else ()
    elif kind == "slide":
        yield _joined(reading, lambda block: _part(block) == ("slide", rest))
    elif kind == "message":
        which, _, field = rest.partition(" ")
        yield _joined(reading, lambda b: _part(b) == ("message", which) and bool(b.place) and b.place.field == field)
    elif kind == "table":
        number = int(rest.split()[0])
        yield _joined(reading, lambda block: bool(block.place) and block.place.table == number)
    elif kind in ("line", "row"):
        yield from _line(reading, kind, int(rest))
    elif where == "Subject":
        yield _joined(reading, lambda block: bool(block.place) and block.place.field == "Subject")
    elif where == "body" and any(block.place and block.place.field == "body" for block in reading.blocks):
        yield _joined(reading, lambda block: bool(block.place) and block.place.field == "body")
    elif where in ("body", "text", "content", "body paragraph"):
        yield _joined(reading, lambda block: _part(block)[0] not in ("footnote", "endnote", "comment"))
    elif "/" in where:
        yield _joined(reading, lambda block: _part(block) == ("chapter", where))
    else:
        raise KeyError(where)


def _part(block: Block) -> tuple[str, str]:
    return block.place.part if block.place else ("", "")


def _joined(reading: Reading, wanted: object) -> str:
    assert callable(wanted)
    return "\n".join(reading.text[block.start : block.end] for block in reading.blocks if wanted(block))


def _cells(reading: Reading, sheet: str, row: int, column: str) -> Iterator[str]:
    """The cell, or the whole row when no column is asked for."""
    for block in reading.blocks:
        place = block.place
        if not place or place.part != ("sheet", sheet) or not place.rows or not place.columns:
            continue
        if not place.rows[0] <= row <= place.rows[1]:
            continue
        line = reading.text[block.start : block.end].split("\n")[row - place.rows[0]]
        offset = _number(column) - _number(place.columns[0]) if column else 0
        cells = line.split(CELL_MARK)
        if not column:
            yield line
        elif 0 <= offset < len(cells):
            yield cells[offset]
        elif place.columns[0] == place.columns[1] == column:
            yield reading.text[block.start : block.end]


def _number(column: str) -> int:
    number = 0
    for letter in column:
        number = number * 26 + ord(letter) - 64
    return number


def _line(reading: Reading, kind: str, number: int) -> Iterator[str]:
    for block in reading.blocks:
        span = block.lines if kind == "line" else (block.place.rows if block.place else None)
        lines = reading.text[block.start : block.end].split("\n")
        if span and span[0] <= number <= span[1] and span[1] - span[0] + 1 == len(lines):
            yield lines[number - span[0]]
