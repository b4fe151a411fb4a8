"""What can be written. Every verb is one transaction, and none is open while anything is read or embedded."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.lexical import fulltext_row
from pincite.adapters.sqlite.reading import SqliteReading
from pincite.adapters.sqlite.rows import failure_of, to_half, to_single
from pincite.adapters.sqlite.schema import migrate
from pincite.core.codec import blocks_text, locator_text, outcome_of, outcome_text, pack, pages_text
from pincite.core.documents import Document, Failure, OutcomeKind, text_digest
from pincite.core.errors import IndexMismatch
from pincite.core.ports import DocumentDraft, EmbedderIdentity, Known
from pincite.core.reports import Change, IngestReport

_MOST_DIGESTS = 500


class SqliteStore(SqliteReading):
    """A store open for writing. Implements `pincite.core.ports.WritableStore`."""

    def __init__(self, database: Database, name: str) -> None:
        migrate(database)
        super().__init__(database, name)

    def known(self, uri: str) -> Known | None:
        live = self._database.row(
            "SELECT d.id, r.number, r.sha256, r.reader, r.outcome FROM documents d JOIN revisions r ON r.id = d.live"
            " WHERE d.uri = ? AND d.trashed = ''",
            (uri,),
        )
        failure = self._database.row(
            "SELECT uri, name, media_type, sha256, size, reader, outcome, at FROM failures WHERE uri = ?",
            (uri,),
        )
        if live is None and failure is None:
            return None
        known = failure_of(failure) if failure else None
        if live is None:
            return Known(None, 0, "", "", known)
        document, number, sha256, reader, outcome = live
        return Known(document, number, sha256, reader, known, outcome_of(outcome))

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        with self._database.transaction():
            row = self._database.row("SELECT key FROM generations WHERE state = 'live'")
            if row is None:
                self._database.rows(
                    "INSERT INTO generations (key, identity, state, created) VALUES (?, ?, 'live', ?)",
                    (identity.key, pack(asdict(identity)), _now()),
                )
            elif row[0] != identity.key:
                there = row[0].split("|")[0]
                other = f"another version of {there}" if there == identity.name else identity.name
                raise IndexMismatch(
                    f"The store {self.name} was embedded with {there}; vectors of {other} cannot be compared "
                    "with those.",
                    "Use the same embedder, or ingest into a new store: pincite store new NAME",
                )

    def stored_vectors(self, digests: Sequence[str]) -> Mapping[str, bytes]:
        found = {}
        for first in range(0, len(digests), _MOST_DIGESTS):
            some = digests[first : first + _MOST_DIGESTS]
            rows = self._database.rows(
                "SELECT e.digest, e.vector FROM embeddings e JOIN generations g ON g.id = e.generation"
                f" WHERE g.state = 'live' AND e.digest IN ({','.join('?' * len(some))})",
                some,
            )
            found.update({digest: to_single(vector) for digest, vector in rows})
        return found

    def save(self, draft: DocumentDraft) -> Document:
        words = [fulltext_row(chunk) if chunk.indexed else None for chunk in draft.chunks]
        with self._database.transaction():
            document, before = self._document(draft)
            revision = self._revision(document, draft)
            if before is not None:
                self._database.rows(
                    "DELETE FROM fulltext WHERE rowid IN (SELECT key FROM chunks WHERE revision = ? AND indexed)",
                    (before,),
                )
            self._chunks(revision, draft, words)
            self._vectors(draft)
            self._labels(document, draft)
            self._database.rows(
                "UPDATE documents SET live = ?, trashed = '', updated = ? WHERE id = ?",
                (revision, _now(), document),
            )
            self._database.rows("DELETE FROM failures WHERE uri = ?", (draft.source.uri,))
        return self.find(str(document))

    def save_failure(self, failure: Failure) -> None:
        with self._database.transaction():
            self._database.rows(
                "INSERT OR REPLACE INTO failures (uri, name, media_type, sha256, size, reader, outcome, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    failure.uri,
                    failure.name,
                    failure.media_type,
                    failure.sha256,
                    failure.size,
                    failure.reader,
                    outcome_text(failure.outcome),
                    failure.when,
                ),
            )

    def save_run(self, report: IngestReport, started: str, ended: str) -> None:
        counts: dict[str, object] = {change.value: report.count(change) for change in Change}
        counts |= {"embedded": report.embedded, "reused": report.reused, "reasons": dict(report.reasons())}
        with self._database.transaction():
            self._database.rows(
                "INSERT INTO runs (started, ended, counts) VALUES (?, ?, ?)", (started, ended, pack(counts))
            )

    def _document(self, draft: DocumentDraft) -> tuple[int, int | None]:
        """The id of the document, made if it is new, and the revision that was live."""
        source, title = draft.source, draft.reading.title
        row = self._database.row("SELECT id, live, trashed FROM documents WHERE uri = ?", (source.uri,))
        if row is not None:
            self._database.rows(
                "UPDATE documents SET name = ?, media_type = ?, title = ? WHERE id = ?",
                (source.name, source.media_type, title, row[0]),
            )
            return row[0], row[1]
        self._database.rows(
            "INSERT INTO documents (uri, uri_key, name, media_type, title, collection, corpus, created, updated)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                source.uri,
                unicodedata.normalize("NFC", source.uri).casefold(),
                source.name,
                source.media_type,
                title,
                draft.collection,
                draft.corpus.value,
                _now(),
                _now(),
            ),
        )
        return self._database.last_key, None

    def _revision(self, document: int, draft: DocumentDraft) -> int:
        reading = draft.reading
        self._database.rows(
            "INSERT INTO revisions (document, number, sha256, size, reader, outcome, partial, title, metadata,"
            " text, pages, blocks, page_count, chunk_count, created, reason) VALUES (?,"
            " (SELECT coalesce(max(number), 0) + 1 FROM revisions WHERE document = ?),"
            " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document,
                document,
                draft.source.sha256,
                draft.source.size,
                reading.reader,
                outcome_text(reading.outcome),
                reading.outcome.kind is OutcomeKind.PARTIAL,
                reading.title,
                pack(dict(reading.metadata)),
                reading.text,
                pages_text(reading.pages),
                blocks_text(reading.blocks),
                len(reading.pages),
                sum(chunk.indexed for chunk in draft.chunks),
                _now(),
                draft.reason,
            ),
        )
        return self._database.last_key

    def _chunks(self, revision: int, draft: DocumentDraft, words: Sequence[tuple[str, str] | None]) -> None:
        """The chunks of a revision, and their words where they are indexed."""
        row = self._database.row("SELECT coalesce(max(key), 0) + 1 FROM chunks")
        first = int(row[0]) if row else 1
        keyed = list(enumerate(draft.chunks, start=first))
        self._database.many(
            "INSERT INTO chunks (key, id, revision, ordinal, locator, parent, indexed, digest, text)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    key,
                    chunk.id,
                    revision,
                    chunk.ordinal,
                    locator_text(chunk.locator),
                    chunk.parent,
                    chunk.indexed,
                    text_digest(chunk.searchable),
                    chunk.text,
                )
                for key, chunk in keyed
            ],
        )
        self._database.many(
            "INSERT INTO fulltext (rowid, heading, body) VALUES (?, ?, ?)",
            [(key, *held) for (key, _), held in zip(keyed, words, strict=True) if held is not None],
        )

    def _vectors(self, draft: DocumentDraft) -> None:
        rows = {
            text_digest(chunk.searchable): vector
            for chunk, vector in zip(draft.chunks, draft.vectors, strict=True)
            if vector is not None
        }
        self._database.many(
            "INSERT OR IGNORE INTO embeddings (generation, digest, vector)"
            " SELECT id, ?, ? FROM generations WHERE state = 'live'",
            [(digest, to_half(vector)) for digest, vector in rows.items()],
        )

    def _labels(self, document: int, draft: DocumentDraft) -> None:
        self._database.rows("DELETE FROM tags WHERE document = ?", (document,))
        self._database.many(
            "INSERT INTO tags (document, tag) VALUES (?, ?)",
            [(document, tag) for tag in sorted(set(draft.tags))],
        )
        self._database.rows(
            "UPDATE documents SET collection = ?, corpus = ? WHERE id = ?",
            (draft.collection, draft.corpus.value, document),
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
