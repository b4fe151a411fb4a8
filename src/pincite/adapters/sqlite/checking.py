"""Is a store sound? Every page, every reference, every word, and every stored passage cut anew out of its text.

One revision is held at a time. What cannot even be looked at is a fault like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.upkeep import integrity
from pincite.core.codec import locator_of, pages_of
from pincite.core.errors import StoreError
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
        row = self._database.row("SELECT text, pages, chunk_count FROM revisions WHERE id = ?", (revision,))
        text, pages, count = row or ("", "[]", 0)
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
