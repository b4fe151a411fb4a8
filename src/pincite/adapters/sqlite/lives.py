"""Lives: from which change to which a revision was live, and what the document was called meanwhile.

A document has at most one open life. It ends, and another begins, whenever the document is read anew, edited,
renamed, relabelled or taken out of the trash; so any moment of the past can be read like the present.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from pincite.adapters.sqlite.database import Database, Row
from pincite.adapters.sqlite.scope import last_change
from pincite.core.codec import outcome_of
from pincite.core.documents import Corpus, Document, OutcomeKind
from pincite.core.history import Verb
from pincite.core.ports import Clock


@dataclass(frozen=True, slots=True)
class Life:
    """A row of `lives`, without its two ends."""

    document: int
    revision: int
    """The id of the row in `revisions`, not its number."""
    number: int
    uri: str
    name: str
    media_type: str
    title: str
    collection: str
    corpus: str
    tags: str
    sha256: str
    size: int
    pages: int
    chunks: int
    outcome: str
    created: str
    updated: str
    file_sha256: str
    """Of the file that was last read for the document, whatever a person made of the text since."""
    file_reader: str
    file_outcome: str


COLUMNS = tuple(entry.name for entry in fields(Life))
SELECT_LIFE = ", ".join(f"l.{name}" for name in COLUMNS)
PARTIAL = f"json_extract(l.outcome, '$[0]') = '{OutcomeKind.PARTIAL.value}'"


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def document_of_life(row: Row, trashed: str = "") -> Document:
    """From the columns of SELECT_LIFE."""
    life = Life(*row)
    return Document(
        id=life.document,
        uri=life.uri,
        name=life.name,
        media_type=life.media_type,
        title=life.title,
        collection=life.collection,
        corpus=Corpus(life.corpus),
        tags=tuple(json.loads(life.tags)),
        revision=life.number,
        sha256=life.sha256,
        size=life.size,
        pages=life.pages,
        chunks=life.chunks,
        outcome=outcome_of(life.outcome),
        created=life.created,
        updated=life.updated,
        trashed=trashed,
    )


def tags_text(tags: Sequence[str]) -> str:
    return json.dumps(sorted(set(tags)), ensure_ascii=False)


def current_life(database: Database, document: int) -> Life | None:
    """The open life of a document; None when it is in the trash or not there."""
    row = database.row(f"SELECT {SELECT_LIFE} FROM lives l WHERE l.document = ? AND l.until IS NULL", (document,))
    return Life(*row) if row else None


def last_life(database: Database, document: int) -> Life | None:
    """The open life of a document, or the last that it had."""
    row = database.row(
        f"SELECT {SELECT_LIFE} FROM lives l WHERE l.document = ? ORDER BY l.id DESC LIMIT 1", (document,)
    )
    return Life(*row) if row else None


class Ledger:
    """Writes changes and lives. Every verb belongs inside a transaction of the caller."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    def moment(self) -> str:
        """The time, never before that of the last change: a clock that is set back must not reorder history."""
        row = self._database.row("SELECT at FROM changes WHERE number = ?", (last_change(self._database),))
        return max(self._now(), row[0]) if row else self._now()

    def record(self, verb: Verb, document: int, revision: int, reason: str = "") -> int:
        """A new change. Returns its number. Numbers are never used twice: a purge keeps its lines."""
        self._database.rows(
            "INSERT INTO changes (at, verb, document, revision, reason) VALUES (?, ?, ?, ?, ?)",
            (self.moment(), verb.value, document, revision, reason),
        )
        return self._database.last_key

    def end(self, document: int, change: int) -> None:
        self._database.rows("UPDATE lives SET until = ? WHERE document = ? AND until IS NULL", (change, document))

    def begin(self, life: Life, change: int) -> None:
        marks = ", ".join("?" * (len(COLUMNS) + 1))
        self._database.rows(
            f"INSERT INTO lives (since, {', '.join(COLUMNS)}) VALUES ({marks})",
            (change, *(getattr(life, name) for name in COLUMNS)),
        )
        self._database.rows(
            "UPDATE documents SET live = ?, uri = ?, trashed = '', why_trashed = '' WHERE id = ?",
            (life.revision, life.uri, life.document),
        )

    def alter(self, life: Life, verb: Verb) -> None:
        """From now on the document is called and labelled as in this life; its revision stays."""
        change = self.record(verb, life.document, life.number)
        self.end(life.document, change)
        self.begin(life, change)
