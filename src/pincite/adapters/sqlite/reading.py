"""What can be read of a store: documents, revisions, chunks, failures, and how it stands."""

from __future__ import annotations

import difflib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import LIVE, conditions
from pincite.adapters.sqlite.lexical import SqliteLexicalIndex
from pincite.adapters.sqlite.rows import chunk_of, document_of, failure_of, passage_of, revision_of
from pincite.adapters.sqlite.schema import check_version
from pincite.adapters.sqlite.upkeep import integrity
from pincite.adapters.sqlite.vectors import SqliteVectorIndex
from pincite.core.answers import Coverage, Passage
from pincite.core.documents import Chunk, Document, Failure, Revision
from pincite.core.errors import UnknownName
from pincite.core.ports import Filter
from pincite.core.reports import StoreStatus

_CHUNK = "c.id, c.text, c.locator, c.ordinal, c.parent, c.indexed"
_REF = "d.id, d.uri, d.name, d.title, r.number, r.sha256"
_LIVE_CHUNKS = f"FROM chunks c JOIN revisions r ON r.id = c.revision JOIN documents d ON d.live = r.id AND {LIVE}"
_DOCUMENTS = (
    "SELECT d.id, d.uri, d.name, d.media_type, d.title, d.collection, d.corpus, r.number, r.sha256, r.size,"
    " r.page_count, r.chunk_count, r.outcome, d.created, d.updated, d.trashed"
    " FROM documents d JOIN revisions r ON r.id = d.live"
)
_ID = re.compile(r"[0-9]{1,18}")
"""What may be the id of a document: any number that SQLite holds."""
_MOST_KEYS = 500
"""Keys in one statement, well under SQLite's limit of bound values."""


class SqliteReading:
    """The reading half of a store, over a connection that may be read-only. Implements
    `pincite.core.ports.Store`."""

    def __init__(self, database: Database, name: str) -> None:
        check_version(database)
        self._database = database
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def path(self) -> Path:
        return self._database.path

    @cached_property
    def lexical(self) -> SqliteLexicalIndex:
        return SqliteLexicalIndex(self._database)

    @cached_property
    def vectors(self) -> SqliteVectorIndex:
        return SqliteVectorIndex(self._database)

    def documents(self, where: Filter) -> list[Document]:
        condition, values = conditions(where)
        return self._documents(condition, values)

    def find(self, reference: str) -> Document:
        wanted = unicodedata.normalize("NFC", reference.replace("\\", "/")).encode("utf-8", "replace").decode("utf-8")
        if _ID.fullmatch(reference) and (found := self._documents(f"{LIVE} AND d.id = ?", [int(reference)])):
            return found[0]
        if found := self._documents(f"{LIVE} AND d.uri = ?", [wanted]):
            return found[0]
        documents = self.documents(Filter())
        found = [document for document in documents if document.uri.endswith("/" + wanted.lstrip("/"))]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"{document.id} ({document.uri})" for document in found[:5])
            raise UnknownName(f'"{reference}" means several documents: {names}.', "Give the number of one.")
        near = difflib.get_close_matches(reference, [document.name for document in documents], n=3, cutoff=0.5)
        hint = f"Did you mean {', '.join(near)}?" if near else "See what is there with: pincite list"
        raise UnknownName(f'There is no document "{reference}".', hint)

    def _documents(self, condition: str, values: list[Any]) -> list[Document]:
        tags: dict[int, list[str]] = {}
        with self._database.snapshot():
            rows = self._database.rows(f"{_DOCUMENTS} WHERE {condition} ORDER BY d.uri", values)
            if rows:
                several = "" if len(rows) > 1 else f" WHERE document = {int(rows[0][0])}"
                for document, tag in self._database.rows(f"SELECT document, tag FROM tags{several} ORDER BY 1, 2"):
                    tags.setdefault(document, []).append(tag)
        return [document_of(row, tuple(tags.get(row[0], ()))) for row in rows]

    def revision(self, document: int, number: int | None = None) -> Revision:
        columns = (
            "r.number, r.sha256, r.size, r.reader, r.outcome, r.title, r.metadata, r.text, r.pages, r.blocks,"
            " r.created, r.reason"
        )
        row = self._database.row(
            f"SELECT {columns} FROM revisions r WHERE r.id = {self._which(number)}",
            {"document": document, "number": number},
        )
        if row is None:
            raise UnknownName(f"Document {document} has no revision {number or ''}".rstrip() + ".", "pincite list")
        return revision_of(row)

    def chunks(self, document: int, number: int | None = None) -> list[Chunk]:
        rows = self._database.rows(
            f"SELECT {_CHUNK} FROM chunks c WHERE c.revision = {self._which(number)} ORDER BY c.ordinal",
            {"document": document, "number": number},
        )
        if not rows:
            self.revision(document, number)
        return [chunk_of(row) for row in rows]

    @staticmethod
    def _which(number: int | None) -> str:
        """The id of a revision, as a subquery over :document and :number."""
        if number is None:
            return "(SELECT live FROM documents WHERE id = :document AND (:number IS NULL))"
        return "(SELECT id FROM revisions WHERE document = :document AND number = :number)"

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        found = {}
        for first in range(0, len(keys), _MOST_KEYS):
            some = keys[first : first + _MOST_KEYS]
            marks = ",".join("?" * len(some))
            sql = f"SELECT c.key, {_CHUNK}, {_REF} {_LIVE_CHUNKS} WHERE c.key IN ({marks})"
            for row in self._database.rows(sql, some):
                found[row[0]] = passage_of(row)
        return [found[key] for key in keys if key in found]

    def parents(self, keys: Sequence[int]) -> Mapping[int, Passage]:
        found = {}
        for first in range(0, len(keys), _MOST_KEYS):
            some = keys[first : first + _MOST_KEYS]
            marks = ",".join("?" * len(some))
            rows = self._database.rows(
                f"SELECT child.key, c.key, {_CHUNK}, {_REF} {_LIVE_CHUNKS}"
                " JOIN chunks child ON child.revision = c.revision AND child.parent = c.id"
                f" WHERE child.key IN ({marks})",
                some,
            )
            found.update({row[0]: passage_of(row[1:]) for row in rows})
        return found

    def failures(self) -> list[Failure]:
        rows = self._database.rows(
            "SELECT uri, name, media_type, sha256, size, reader, outcome, at FROM failures ORDER BY uri"
        )
        return [failure_of(row) for row in rows]

    def coverage(self) -> Coverage:
        row = self._database.row(
            "SELECT count(*), coalesce(sum(r.partial), 0), (SELECT count(*) FROM failures)"
            f" FROM documents d JOIN revisions r ON r.id = d.live WHERE {LIVE}"
        )
        documents, partial, failed = row or (0, 0, 0)
        return Coverage(documents, self.lexical.size(), partial, failed)

    def status(self) -> StoreStatus:
        database = self._database
        with database.snapshot():
            collections: dict[str, int] = dict(
                database.rows(f"SELECT d.collection, count(*) FROM documents d WHERE {LIVE} GROUP BY 1 ORDER BY 1")
            )
            last = database.row("SELECT max(ended) FROM runs")
            identity = database.row("SELECT identity FROM generations WHERE state = 'live'")
            return StoreStatus(
                name=self.name,
                path=str(database.path),
                bytes=_bytes_of(database),
                schema=int(database.pragma("user_version")),
                coverage=self.coverage(),
                collections=collections,
                embedder=json.loads(identity[0])["name"] if identity else "",
                vectors=self.vectors.size(),
                last_run=(last[0] if last else None) or "",
            )

    def integrity(self) -> list[str]:
        """What is wrong with the file, a sentence each; empty when all is well."""
        return integrity(self._database)

    def close(self) -> None:
        self._database.close()


def _bytes_of(database: Database) -> int:
    """The file and its write-ahead log."""
    sizes = []
    for suffix in ("", "-wal"):
        path = database.path.with_name(database.path.name + suffix)
        if path.exists():
            sizes.append(path.stat().st_size)
    return sum(sizes)
