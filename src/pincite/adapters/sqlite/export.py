"""A store as lines of JSON: a header, a line a row of everything that is not derived, and a last line that counts.

The format belongs to everybody: names of tables and columns as in docs/store-format.md, bytes as {"base64": …}.
"""

from __future__ import annotations

import base64
import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO, cast

from pincite.adapters.sqlite.beside import beside, publish, refuse_taken, stamp
from pincite.adapters.sqlite.database import Database
from pincite.core.codec import pack
from pincite.core.upkeep import CopyReport, Steps, in_silence

FORMAT = 1
VECTOR_TABLES = frozenset({"embeddings", "generations"})
_EVERY = 500
"""Rows between two reports of progress."""


def truth_tables(database: Database) -> dict[str, tuple[str, ...]]:
    """Tables that hold what cannot be made anew, with their columns: all but virtual ones and what belongs to them."""
    names = [
        str(row[0])
        for row in database.rows(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
    ]
    return {
        name: tuple(str(row[0]) for row in database.rows("SELECT name FROM pragma_table_info(?)", (name,)))
        for name in names
    }


def export_store(
    database: Database, to: Path | None, *, vectors: bool = True, force: bool = False, steps: Steps = in_silence
) -> CopyReport:
    """One state of the store, streamed. The file has its name only when it is whole; `.gz` is packed. None is
    standard output. Raises UsageError when the file is there and not `force`."""
    if to is None:
        return CopyReport("-", 0, _write(database, sys.stdout.buffer, vectors, steps))
    refuse_taken(to, force=force)
    with beside(to) as made:
        with made.open("wb") as raw, _packed(raw, to.suffix == ".gz") as file:
            rows = _write(database, file, vectors, steps)
        publish(made, to, force=force)
    return CopyReport(str(to), to.stat().st_size, rows)


@contextmanager
def _packed(raw: BinaryIO, pack_it: bool) -> Iterator[BinaryIO]:
    """Packed without name and time, so that equal stores give equal files."""
    if not pack_it:
        yield raw
        return
    with gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed, io.BufferedWriter(packed) as file:
        yield cast(BinaryIO, file)


def _write(database: Database, file: BinaryIO, vectors: bool, steps: Steps) -> dict[str, int]:
    with database.snapshot():
        tables = {
            name: columns for name, columns in truth_tables(database).items() if vectors or name not in VECTOR_TABLES
        }
        header: dict[str, Any] = {
            "pincite": "export",
            "format": FORMAT,
            "schema": int(database.pragma("user_version")),
            "version": _version(),
            "exported": stamp(),
            "vectors": vectors,
            "tables": tables,
        }
        _line(file, header)
        counts = {name: _rows(database, file, name, columns, steps) for name, columns in tables.items()}
        _line(file, {"kind": "end", "rows": counts})
    return counts


def _version() -> str:
    """Of the program, for people who wonder later; empty when it runs without being installed."""
    try:
        return metadata.version("pincite")
    except metadata.PackageNotFoundError:
        return ""


def _rows(database: Database, file: BinaryIO, table: str, columns: tuple[str, ...], steps: Steps) -> int:
    """The rows of a table in the order of its key, which is the same in every copy of a store."""
    counted = database.row(f"SELECT count(*) FROM {table}")
    total = int(counted[0]) if counted else 0
    names = ", ".join(f'"{column}"' for column in columns)
    done = 0
    for row in database.each(f"SELECT {names} FROM {table} ORDER BY {_key(database, table)}"):
        _line(file, {"kind": table, "row": dict(zip(columns, map(_plain, row), strict=True))})
        done += 1
        if done % _EVERY == 0 or done == total:
            steps(table, done, total)
    return done


def _key(database: Database, table: str) -> str:
    rows = database.rows("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", (table,))
    return ", ".join(f'"{row[0]}"' for row in rows) or "rowid"


def _plain(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes) else value


def _line(file: BinaryIO, value: dict[str, Any]) -> None:
    file.write(pack(value).encode("utf-8") + b"\n")
