"""CSV and TSV: rows as rows, each with its number and its line in the file."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from pincite.adapters.readers.builder import Builder, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.adapters.readers.plaintext import TextReader
from pincite.adapters.readers.tables import ROWS_IN_BLOCK, header_rows, row_text
from pincite.core.documents import Outcome, OutcomeKind, Reading
from pincite.core.places import Place

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50
_LONGEST_FIELD = 1 << 20
MOST_COLUMNS = 1_024
_STEP_ROWS = 10_000
Row = tuple[int, int, list[str]]
"""First and last line, and the cells."""


class DelimitedReader:
    name = "delimited/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        decoded = decode(content.read())
        builder = Builder(self.name)
        builder.metadata.update(decoded.metadata)
        text = decoded.text.replace("\x00", "")
        lines = text.splitlines(keepends=True)[: _SAMPLE_ROWS * 4]
        if any(len(line) > _LONGEST_FIELD for line in lines):
            return TextReader(self.name).read(content)
        delimiter = _delimiter(lines)
        builder.metadata["delimiter"] = {"\t": "tab"}.get(delimiter, delimiter)
        broken = _add_rows(builder, _rows(text, delimiter, _quoting(text, delimiter)), content)
        if broken:
            message = f"The file could be read only up to line {broken}."
            return builder.finish(Outcome(OutcomeKind.PARTIAL, "bad_row", message, "Mend the line and ingest again."))
        return builder.finish()


def _delimiter(lines: list[str]) -> str:
    """The mark that parts the lines into the most even number of cells; a comma when none does."""
    best, chosen = 0.0, ","
    for mark in _DELIMITERS:
        try:
            widths = Counter(len(row) for row in islice(csv.reader(lines, delimiter=mark), _SAMPLE_ROWS) if row)
        except csv.Error:
            continue
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        evenness = count / max(1, widths.total())
        if width > 1 and evenness + 0.001 * min(width, 50) > best:
            best, chosen = evenness + 0.001 * min(width, 50), mark
    return chosen


def _quoting(text: str, delimiter: str) -> int:
    """Whether quotation marks enclose cells. Where they do not pair up, they are just characters."""
    if '"' not in text:
        return csv.QUOTE_NONE
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        return csv.QUOTE_NONE
    return csv.QUOTE_MINIMAL


def _rows(text: str, delimiter: str, quoting: int) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST_FIELD)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
    before = 0
    for cells in rows:
        yield before + 1, rows.line_num, cells[:MOST_COLUMNS]
        before = rows.line_num


def _add_rows(builder: Builder, rows: Iterator[Row], content: Content) -> int:
    """Blocks of rows under one header. Returns the line that could not be read, 0 for none."""
    number, last_line = 1, 0
    header: tuple[int, int] | None = None
    while True:
        some: list[Row] = []
        fault = False
        try:
            some.extend(islice(rows, ROWS_IN_BLOCK))
        except csv.Error:
            fault = True
        if some:
            heads = header_rows([cells for *_, cells in some]) if number == 1 else 0
            header = builder.add_rows(
                [row_text(cells) or "|" for *_, cells in some],
                header=header,
                heads=heads if header is None else 0,
                lines=(some[0][0], some[-1][1]),
                place=Place(rows=(number, number + len(some) - 1)),
            )
            number, last_line = number + len(some), some[-1][1]
        if fault or not some:
            return last_line + 1 if fault else 0
        if number % _STEP_ROWS < ROWS_IN_BLOCK:
            content.step(number, 0)
