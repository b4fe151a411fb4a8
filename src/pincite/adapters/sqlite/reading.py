"""What can be read of a store: documents, revisions, chunks, failures, and how it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import conditions
from pincite.adapters.sqlite.generations import all_generations, missing_texts
from pincite.adapters.sqlite.lexical import SqliteLexicalIndex
from pincite.adapters.sqlite.lives import PARTIAL, SELECT_LIFE, document_of_life
from pincite.adapters.sqlite.remembering import (
    history_of,
    last_changes,
    stats_under,
    trash_size,
    trashed_documents,
)
from pincite.adapters.sqlite.rows import chunk_of, failure_of, passage_of, revision_of
from pincite.adapters.sqlite.schema import check_version
from pincite.adapters.sqlite.scope import NOW, Scope, last_change, scope_of
from pincite.adapters.sqlite.upkeep import integrity
from pincite.adapters.sqlite.vectors import SqliteVectorIndex
from pincite.core.answers import Coverage, Passage
from pincite.core.documents import Chunk, Document, Failure, Revision
from pincite.core.errors import UnknownName
from pincite.core.finding import find_document
from pincite.core.history import Generation, RevisionNote, StoreChange
from pincite.core.ports import FileStat, Filter
from pincite.core.reports import StoreStatus

_CHUNK = "c.id, c.text, c.locator, c.ordinal, c.parent, c.indexed"
_REF = "l.document, l.uri, l.name, l.title, l.number, l.sha256"
_MOST_KEYS = 500
"""Keys in one statement, well under SQLite's limit of bound values."""


class SqliteReading:
    """The reading half of a store, over a connection that may be read-only. Implements
    `pincite.core.ports.Store`."""

    def __init__(self, database: Database, name: str, scope: Scope = NOW) -> None:
        check_version(database)
        self._database = database
        self._name = name
        self._scope = scope

    @property
    def name(self) -> str:
        return self._name

    @property
    def path(self) -> Path:
        return self._database.path

    def snapshot(self) -> AbstractContextManager[None]:
        """While it is held all reads see one state of the file: a swap may give the same key to another passage."""
        return self._database.snapshot()

    @cached_property
    def lexical(self) -> SqliteLexicalIndex:
        return SqliteLexicalIndex(self._database, self._scope)

    @cached_property
    def vectors(self) -> SqliteVectorIndex:
        return SqliteVectorIndex(self._database, self._scope)

    def as_of(self, when: str) -> SqliteReading:
        return SqliteReading(self._database, self._name, scope_of(self._database, when))

    @property
    def moment(self) -> int:
        return last_change(self._database) if self._scope.number is None else self._scope.number

    def documents(self, where: Filter) -> list[Document]:
        condition, values = conditions(where)
        rows = self._database.rows(
            f"SELECT {SELECT_LIFE} FROM lives l WHERE {self._scope.condition} AND {condition} ORDER BY l.uri", values
        )
        return [document_of_life(row) for row in rows]

    def find(self, reference: str) -> Document:
        return find_document(reference, self.documents)

    def find_in_trash(self, reference: str) -> Document:
        return find_document(reference, self.trash, where="in the trash", hint="See: pincite list --trash")

    def trash(self, where: Filter) -> list[Document]:
        return trashed_documents(self._database, where)

    def history(self, document: int) -> tuple[list[RevisionNote], list[StoreChange]]:
        return history_of(self._database, document)

    def changes(self, limit: int) -> list[StoreChange]:
        return last_changes(self._database, limit)

    def stats(self, under: str) -> dict[str, FileStat]:
        return stats_under(self._database, under)

    def generations(self) -> list[Generation]:
        return all_generations(self._database)

    def texts_without_vector(self, generation: int, limit: int) -> dict[str, str]:
        return missing_texts(self._database, generation, limit)

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

    def _which(self, number: int | None) -> str:
        """The id of a revision, as a subquery over :document and :number."""
        if number is not None:
            return "(SELECT id FROM revisions WHERE document = :document AND number = :number)"
        return (
            "(SELECT l.revision FROM lives l WHERE l.document = :document AND :number IS NULL"
            f" AND {self._scope.condition})"
        )

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        found = {}
        for first in range(0, len(keys), _MOST_KEYS):
            some = keys[first : first + _MOST_KEYS]
            marks = ",".join("?" * len(some))
            sql = f"SELECT c.key, {_CHUNK}, {_REF} {self._scope.chunks} WHERE c.key IN ({marks})"
            for row in self._database.rows(sql, some):
                found[row[0]] = passage_of(row)
        return [found[key] for key in keys if key in found]

    def parents(self, keys: Sequence[int]) -> Mapping[int, Passage]:
        found = {}
        for first in range(0, len(keys), _MOST_KEYS):
            some = keys[first : first + _MOST_KEYS]
            marks = ",".join("?" * len(some))
            rows = self._database.rows(
                f"SELECT child.key, c.key, {_CHUNK}, {_REF} {self._scope.chunks}"
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
            f"SELECT count(*), coalesce(sum({PARTIAL}), 0), (SELECT count(*) FROM failures)"
            f" FROM lives l WHERE {self._scope.condition}"
        )
        documents, partial, failed = row or (0, 0, 0)
        return Coverage(documents, self.lexical.size(), partial, failed)

    def status(self) -> StoreStatus:
        database = self._database
        with database.snapshot():
            collections: dict[str, int] = dict(
                database.rows(
                    f"SELECT l.collection, count(*) FROM lives l WHERE {self._scope.condition} GROUP BY 1 ORDER BY 1"
                )
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
                moment=self.moment,
                trashed=trash_size(database),
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
