"""Is a store sound? Every page, every reference, every word, and every stored passage cut anew out of its text.

One revision is held at a time. What cannot even be looked at is a fault like any other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pincite.adapters.sqlite.database import Database, Row
from pincite.adapters.sqlite.lives import SELECT_LIFE, document_of_life
from pincite.adapters.sqlite.rows import failure_of
from pincite.adapters.sqlite.upkeep import integrity
from pincite.core.codec import blocks_of, locator_of, outcome_of, pages_of
from pincite.core.errors import StoreError
from pincite.core.history import Origin, Verb
from pincite.core.identity import EmbedderIdentity
from pincite.core.upkeep import CheckReport, Steps, in_silence

_MOST = 100
"""Faults that are told one by one."""


def check_file(database: Database, steps: Steps = in_silence) -> CheckReport:
    """Everything that can be known without asking a question, of one state of the file."""
    passages = _Passages(database, steps)
    with database.snapshot():
        steps("integrity", 0, 0)
        faults = _told(lambda: integrity(database))
        faults += _told(lambda: _references(database))
        faults += _told(lambda: _unreadable(database))
        faults += _told(lambda: _odd_vectors(database))
        faults += _told(passages.faults)
    found = list(dict.fromkeys(faults))
    if len(found) > _MOST:
        found = [*found[:_MOST], f"and {len(found) - _MOST} more faults"]
    return CheckReport(passages.revisions, passages.count, tuple(found))


def file_faults(database: Database) -> list[str]:
    """What is wrong with the pages and the references; works on a file of any schema step."""
    pages = _told(lambda: [str(row[0]) for row in database.rows("PRAGMA integrity_check(5)") if row[0] != "ok"])
    return pages or _told(lambda: _references(database))


def _told(look: Callable[[], Iterable[str]]) -> list[str]:
    """The faults that a look finds; that it could not look is one."""
    try:
        return list(look())
    except StoreError as fault:
        return [fault.message]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as fault:
        return [f"a row cannot be read: {type(fault).__name__}: {fault}"]


def _references(database: Database) -> list[str]:
    rows = database.rows('SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2')
    return [f"{count} rows of {table} point to {parent} that are not there" for table, parent, count in rows]


def _unreadable(database: Database) -> Iterator[str]:
    """Rows that hold what no noun can be made of: valid to SQLite, and an error for whoever asks for them."""
    for table, columns, read in _NOUNS:
        count, first = 0, ""
        for row in database.each(f"SELECT {columns} FROM {table} l"):
            if fault := _told(partial(_nothing_of, read, row)):
                count, first = count + 1, first or fault[0]
        if count:
            yield f"{count} rows of {table} cannot be read, such as: {first}"


def _nothing_of(read: Callable[[Row], object], row: Row) -> list[str]:
    read(row)
    return []


_NOUNS: tuple[tuple[str, str, Callable[[Row], object]], ...] = (
    ("lives", SELECT_LIFE, document_of_life),
    ("failures", "uri, name, media_type, sha256, size, reader, outcome, at", failure_of),
    ("changes", "verb", lambda row: Verb(row[0])),
    ("revisions", "outcome", lambda row: outcome_of(row[0])),
    ("revisions", "metadata", lambda row: dict(json.loads(row[0]))),
    ("revisions", "origin", lambda row: Origin(row[0])),
    ("generations", "identity", lambda row: EmbedderIdentity(**json.loads(row[0]))),
)


def _odd_vectors(database: Database) -> Iterator[str]:
    """A lane reads all vectors of a generation as one matrix."""
    sizes = "min(length(vector)), max(length(vector))"
    for generation, least, most in database.rows(f"SELECT generation, {sizes} FROM embeddings GROUP BY 1"):
        if least != most or least % 2:
            yield f"the vectors of generation {generation} are not all of one length"


class _Passages:
    """Goes through all revisions, live or not, and counts what it has seen."""

    def __init__(self, database: Database, steps: Steps) -> None:
        self._database = database
        self._steps = steps
        self.revisions = self.count = 0

    def faults(self) -> Iterator[str]:
        counted = self._database.row("SELECT count(*) FROM revisions")
        total = int(counted[0]) if counted else 0
        keys = "SELECT id, document, number FROM revisions ORDER BY id"
        for revision, document, number in self._database.each(keys):
            for fault in _told(partial(self._of, revision)):
                yield f"document {document}, revision {number} {fault}"
            self.revisions += 1
            self._steps("passages", self.revisions, total)

    def _of(self, revision: int) -> Iterator[str]:
        row = self._database.row("SELECT text, pages, blocks, chunk_count FROM revisions WHERE id = ?", (revision,))
        text, pages, blocks, count = row or ("", "[]", "[]", 0)
        blocks_of(blocks)
        indexed = astray = 0
        chunks = "SELECT text, locator, indexed FROM chunks WHERE revision = ?"
        for passage, locator, is_indexed in self._database.each(chunks, (revision,)):
            where = locator_of(locator)
            astray += text[where.start : where.end] != passage
            indexed += bool(is_indexed)
            self.count += 1
        if astray:
            yield f"has {astray} passages that are not in its text"
        if indexed != count:
            yield f"has {indexed} searchable passages instead of {count}"
        tiles = pages_of(pages)
        edges = [0, *(page.end for page in tiles)]
        if tiles and (edges[-1] != len(text) or edges[:-1] != [page.start for page in tiles]):
            yield "has pages that do not tile its text"
