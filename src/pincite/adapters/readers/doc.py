"""Word 97 to 2003: the words of the document, piece by piece as its table of pieces lists them.

Layout of the file information block and of the piece table: Microsoft, [MS-DOC] 2.5 and 2.8.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

import olefile

from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.tables import add_table
from pincite.core.documents import BlockKind, OutcomeKind, Reading
from pincite.core.places import Place

_MAGIC = 0xA5EC
_ENCRYPTED, _TABLE_1 = 0x0100, 0x0200
_AT_FLAGS, _AT_LENGTHS, _AT_PIECES = 0x0A, 0x4C, 0x01A2
_COMPRESSED = 0x40000000
_CELL, _FIELD, _RESULT, _END = "\x07", "\x13", "\x14", "\x15"
_MARKS = str.maketrans({"\x0b": "\n", "\x0c": "\n", "\x0e": "\n", "\x1e": "-", "\x1f": "", "\xa0": " "})
_INVISIBLE = re.compile("[\x01-\x06\x08]")
_MOST_STREAM = 256 << 20


class DocReader:
    name = "doc/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        builder = Builder(self.name)
        main, table = _streams(content)
        try:
            text = "".join(_pieces(main, table))
        except struct.error as fault:
            raise _damaged("its tables end too soon") from fault
        count = struct.unpack_from("<i", main, _AT_LENGTHS)[0] if len(main) >= _AT_LENGTHS + 4 else 0
        if not 0 <= count <= len(text):
            raise _damaged("its lengths contradict each other")
        # The main text first; notes, comments and text boxes follow it, each one after the other.
        _add(builder, _plain(text[:count]), 0)
        _add(builder, _plain(text[count:]), 1)
        return builder.finish()


def _streams(content: Content) -> tuple[bytes, bytes]:
    """The main stream and the one that holds its tables. Raises Refused."""
    try:
        with content.open() as raw, olefile.OleFileIO(raw) as file:
            if not file.exists("WordDocument"):
                raise _damaged("it holds no text")
            main = file.openstream("WordDocument").read(_MOST_STREAM)
            magic, flags = struct.unpack_from("<H", main, 0)[0], struct.unpack_from("<H", main, _AT_FLAGS)[0]
            if magic != _MAGIC:
                hint = "Open it in a word processor and save it as DOCX."
                raise Refused(OutcomeKind.UNSUPPORTED, "The file is older than Word 97.", "old_word", hint)
            if flags & _ENCRYPTED:
                hint = "Save a copy without the password and ingest that."
                raise Refused(OutcomeKind.PASSWORD, "The document asks for a password.", "encrypted", hint)
            return main, file.openstream("1Table" if flags & _TABLE_1 else "0Table").read(_MOST_STREAM)
    except (OSError, struct.error, IndexError, ValueError, TypeError, AttributeError, KeyError) as fault:
        raise _damaged("its container cannot be opened") from fault


def _pieces(main: bytes, table: bytes) -> Iterator[str]:
    """The text of each piece in order. Raises struct.error where the tables are cut short."""
    at, length = struct.unpack_from("<II", main, _AT_PIECES)
    end = min(at + length, len(table))
    while at < end and table[at] == 1:
        at += 3 + struct.unpack_from("<H", table, at + 1)[0]
    if at >= end or table[at] != 2:
        raise _damaged("its table of pieces is missing")
    size = min(struct.unpack_from("<I", table, at + 1)[0], end - at - 5)
    count = max(0, (size - 4) // 12)
    first = at + 5
    positions = struct.unpack_from(f"<{count + 1}I", table, first)
    for index in range(count):
        begin = struct.unpack_from("<I", table, first + 4 * (count + 1) + 8 * index + 2)[0]
        characters = max(0, positions[index + 1] - positions[index])
        if begin & _COMPRESSED:
            start = (begin & ~_COMPRESSED) // 2
            yield main[start : start + characters].decode("cp1252", "replace")
        else:
            yield main[begin : begin + 2 * characters].decode("utf-16-le", "replace")


def _plain(text: str) -> str:
    """Without the instructions of fields, whose results stay, and without marks for objects."""
    kept: list[str] = []
    depth: list[bool] = []
    for part in re.split(f"([{_FIELD}{_RESULT}{_END}])", text):
        if part == _FIELD:
            depth.append(False)
        elif part == _RESULT and depth:
            depth[-1] = True
        elif part == _END and depth:
            depth.pop()
        elif all(depth) and part not in (_FIELD, _RESULT, _END):
            kept.append(part)
    joined = _INVISIBLE.sub("", "".join(kept))
    return joined.translate(_MARKS)


def _add(builder: Builder, text: str, notes: int) -> None:
    """Paragraphs end in a return; the cells of a row end in a mark, and the row in one more."""
    unit = "note" if notes else ""
    run: list[str] = []
    paragraph = table = 0
    for segment in [*text.split(_CELL), None]:
        inside = bool(run) and run[-1] != ""
        if segment is not None and (inside or "\r" not in segment):
            run.append(segment)
            continue
        # A row has ended and paragraphs follow, the last of which may be the first cell of another table.
        *before, first = (run.pop() if segment is None and run else segment or "").split("\r")
        if run:
            table += 1
            add_table(builder, _table_rows(run), unit=unit, table=table)
        if segment is None:
            before.append(first)
        for line in before:
            paragraph += 1
            builder.add(BlockKind.PARAGRAPH, line, place=Place(unit, paragraphs=(paragraph, paragraph)))
        run = [first]


def _table_rows(run: list[str]) -> list[list[str]]:
    """The cells of a table in rows. Where all rows are of one width every row ends at the same distance, so
    an empty cell is not mistaken for the end of its row."""
    cells = [" ".join(cell.split()) for cell in run]
    for width in range(1, 64):
        if len(cells) % (width + 1) == 0 and not any(cells[width :: width + 1]):
            return [cells[first : first + width] for first in range(0, len(cells), width + 1)]
    rows: list[list[str]] = [[]]
    for cell in cells:
        if cell or not rows[-1]:
            rows[-1].append(cell)
        else:
            rows.append([])
    return [row for row in rows if row]


def _damaged(why: str) -> Refused:
    return Refused(OutcomeKind.CORRUPT, f"The Word file is damaged: {why}.", "bad_doc", "Open and save it in Word.")
