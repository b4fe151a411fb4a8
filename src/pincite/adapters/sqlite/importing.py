"""A store from an export: all of it or nothing. Built beside its place, derived data made anew, checked, then named.

The file may come from anywhere: names in it are looked up among ours, values are bound, nothing of it is run.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.adapters.sqlite.beside import beside, bytes_of, publish, refuse_taken
from pincite.adapters.sqlite.checking import check_file
from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.export import FORMAT, truth_tables
from pincite.adapters.sqlite.rebuilding import rebuild_fulltext
from pincite.adapters.sqlite.schema import STEPS, lay_out, migrate
from pincite.core.errors import StoreCorrupt, StoreError, StoreTooNew, UsageError
from pincite.core.upkeep import CopyReport, Steps, in_silence

_EVERY = 500
_LONGEST = 1 << 30
"""Bytes in a line; SQLite holds no larger row."""
Line = tuple[int, dict[str, Any]]


def import_store(source: Path, to: Path, steps: Steps = in_silence) -> CopyReport:
    """Make a new store of an export. Raises UsageError when `to` is there, StoreTooNew for a newer schema,
    StoreCorrupt with the number of the line that is damaged."""
    refuse_taken(to, force=False)
    if not source.is_file():
        raise UsageError(f"There is no file {source}.", "Check the spelling.")
    with beside(to) as made:
        with closing(_lines(source)) as lines:
            schema = _header(lines)
            with closing(Database(made, write=True)) as database:
                database.pragma("synchronous", 0)
                lay_out(database, schema)
                database.pragma("foreign_keys", False)
                with database.transaction():
                    rows = _Rows(database, steps).take(lines)
        _finish(made, steps)
        publish(made, to, force=False)
    return CopyReport(str(to), bytes_of(to), rows)


def _finish(made: Path, steps: Steps) -> None:
    """Bring the rows up to date, make what is derived from them, and look at the whole."""
    with closing(Database(made, write=True)) as database:
        migrate(database)
        rebuild_fulltext(database, steps)
        faults = check_file(database, steps).faults
        if faults:
            raise StoreCorrupt(f"The export does not make a sound store: {faults[0]}", "Export it anew.")
        database.pragma("journal_mode", "delete")


def _header(lines: Iterator[Line]) -> int:
    """The schema of the export, from its first line."""
    _, header = next(lines, (0, {}))
    if header.get("pincite") != "export":
        raise StoreError("This is not an export of pincite.", "Make one with: pincite store export FILE")
    form, schema = header.get("format"), header.get("schema")
    if not isinstance(form, int) or not isinstance(schema, int) or form < 1 or schema < 1:
        raise StoreCorrupt("Line 1 of the export is damaged.", "Export it anew.")
    if form > FORMAT or schema > len(STEPS):
        raise StoreTooNew("The export was written by a newer pincite.", "Update pincite.")
    return schema


def _lines(source: Path) -> Generator[Line, None, None]:
    """The lines with their numbers, unpacked if they are packed. Raises StoreCorrupt for one that is no JSON object."""
    number = 0
    try:
        with source.open("rb") as look:
            packed = look.read(2) == b"\x1f\x8b"
        with gzip.open(source, "rb") if packed else source.open("rb") as file:
            while line := file.readline(_LONGEST):
                number += 1
                value = json.loads(line)
                if not isinstance(value, dict):
                    raise _damaged(number, "it is no object")
                yield number, value
    except (ValueError, RecursionError, EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise _damaged(max(1, number), "it is not valid JSON" if number else str(fault)) from fault
    except OSError as fault:
        raise StoreError(f"{source} cannot be read: {fault.strerror}.", "Check its permissions.") from fault


def _damaged(number: int, why: str) -> StoreCorrupt:
    return StoreCorrupt(f"Line {number} of the export is damaged: {why}.", "Nothing was imported. Export it anew.")


@dataclass
class _Rows:
    """Puts rows into their tables."""

    database: Database
    steps: Steps

    def take(self, lines: Iterator[Line]) -> dict[str, int]:
        """All rows up to the last line, which says how many there are. Returns them by table."""
        tables = truth_tables(self.database)
        statements: dict[tuple[str, ...], str] = {}
        counts: Counter[str] = Counter()
        number = 1
        for number, line in lines:
            kind, row = line.get("kind"), line.get("row")
            if kind == "end":
                return _all_there(number, line, counts, next(lines, None))
            if not isinstance(kind, str) or not isinstance(row, dict) or kind not in tables:
                raise _damaged(number, "it is no row of a table that a store has")
            columns = (kind, *row)
            if columns not in statements:
                statements[columns] = _statement(number, kind, tuple(row), tables[kind])
            self._insert(number, statements[columns], row)
            counts[kind] += 1
            if number % _EVERY == 0:
                self.steps("rows", number, 0)
        raise _damaged(number + 1, "the file ends before its last line")

    def _insert(self, number: int, statement: str, row: dict[str, Any]) -> None:
        try:
            self.database.rows(statement, [_value(number, value) for value in row.values()])
        except StoreError as fault:
            raise _damaged(number, fault.message) from fault


def _statement(number: int, table: str, given: tuple[str, ...], columns: tuple[str, ...]) -> str:
    """An INSERT for these columns, each of which the table has."""
    if not given or not set(given) <= set(columns):
        raise _damaged(number, f"it is not a row of {table}")
    names = ", ".join(f'"{name}"' for name in given)
    return f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(given))})"


def _value(number: int, value: Any) -> Any:
    if value is None or (isinstance(value, (str, int, float)) and not isinstance(value, bool)):
        return value
    try:
        (name, text) = next(iter(value.items()))
        if name == "base64" and len(value) == 1:
            return base64.b64decode(text, validate=True)
    except (AttributeError, StopIteration, TypeError, ValueError, binascii.Error):
        pass
    raise _damaged(number, "it holds a value that a store cannot")


def _all_there(number: int, end: dict[str, Any], counts: Counter[str], after: Line | None) -> dict[str, int]:
    said = end.get("rows")
    if after is not None:
        raise _damaged(after[0], "it comes after the last line")
    if not isinstance(said, dict) or {name: count for name, count in said.items() if count} != counts:
        raise _damaged(number, "rows are missing from the file")
    return {str(name): int(count) for name, count in said.items()}
