"""What an ingest writes. Every verb is one transaction, and none is open while anything is read or embedded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from functools import cached_property

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.fulltext import LIVE, PAST, fulltext_row, insert_words, move_words, words_in
from pincite.adapters.sqlite.keeping import SqliteKeeper
from pincite.adapters.sqlite.lives import Ledger, Life, current_life, last_life, tags_text, utc_now
from pincite.adapters.sqlite.reading import SqliteReading
from pincite.adapters.sqlite.rows import failure_of, to_half, to_single
from pincite.adapters.sqlite.schema import migrate
from pincite.core.codec import blocks_text, locator_text, outcome_of, outcome_text, pack, pages_text
from pincite.core.documents import Document, Failure, OutcomeKind, text_digest
from pincite.core.errors import EditConflict, IndexMismatch
from pincite.core.history import Origin, TrashReason, Verb
from pincite.core.ports import Clock, DocumentDraft, EmbedderIdentity, FileStat, Known
from pincite.core.reports import Change, IngestReport

_MOST_DIGESTS = 500
_VERBS = {Origin.FILE: Verb.UPDATED, Origin.EDIT: Verb.EDITED, Origin.RESTORED: Verb.RESTORED}


class SqliteStore(SqliteReading):
    """A store open for writing. Implements `pincite.core.ports.WritableStore`."""

    def __init__(self, database: Database, name: str, now: Clock = utc_now) -> None:
        migrate(database)
        super().__init__(database, name)
        self._now = now
        self._ledger = Ledger(database, now)

    @cached_property
    def keeper(self) -> SqliteKeeper:
        return SqliteKeeper(self._database, self._ledger, self._now)

    def known(self, uri: str) -> Known | None:
        with self._database.snapshot():
            live = self._database.row(
                "SELECT l.document, l.number, l.file_sha256, l.file_reader, l.file_outcome FROM lives l"
                " WHERE l.uri = ? AND l.until IS NULL",
                (uri,),
            )
            failure = self._database.row(
                "SELECT uri, name, media_type, sha256, size, reader, outcome, at FROM failures WHERE uri = ?",
                (uri,),
            )
            trashed = None if live else self._in_trash(uri)
        known = failure_of(failure) if failure else None
        if live is not None:
            document, number, sha256, reader, outcome = live
            return Known(document, number, sha256, reader, known, outcome_of(outcome))
        if trashed is None:
            return Known(None, 0, "", "", known) if known else None
        document, why, life = trashed
        return Known(
            None,
            life.number,
            life.file_sha256,
            life.file_reader,
            known,
            outcome_of(life.file_outcome),
            document,
            TrashReason(why),
        )

    def _in_trash(self, uri: str) -> tuple[int, str, Life] | None:
        """The document of this uri that went to the trash last."""
        row = self._database.row(
            "SELECT id, why_trashed FROM documents WHERE uri = ? AND trashed <> '' ORDER BY trashed DESC, id DESC",
            (uri,),
        )
        life = last_life(self._database, row[0]) if row else None
        return (row[0], row[1], life) if row and life else None

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        with self._database.transaction():
            row = self._database.row("SELECT key FROM generations WHERE state = 'live'")
            if row is None:
                self._database.rows(
                    "INSERT INTO generations (key, identity, state, created) VALUES (?, ?, 'live', ?)"
                    " ON CONFLICT (key) DO UPDATE SET state = 'live'",
                    (identity.key, pack(asdict(identity)), self._now()),
                )
            elif row[0] != identity.key:
                there = row[0].split("|")[0]
                other = f"another version of {there}" if there == identity.name else identity.name
                raise IndexMismatch(
                    f"The store {self.name} was embedded with {there}; vectors of {other} cannot be compared "
                    "with those.",
                    "Use the same embedder, or embed the store anew: pincite reindex",
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
        words = [fulltext_row(chunk) if chunk.indexed else ("", "") for chunk in draft.chunks]
        with self._database.transaction():
            document = self._document(draft.source.uri)
            before, earlier = current_life(self._database, document), last_life(self._database, document)
            self._check_expected(draft, before)
            revision, number = self._revision(document, draft)
            verb = Verb.ADDED if number == 1 else _VERBS[draft.origin]
            change = self._ledger.record(verb, document, number, draft.reason)
            if before is not None:
                move_words(self._database, before.revision, source=LIVE, target=PAST)
            self._ledger.end(document, change)
            self._chunks(revision, draft, words)
            self._vectors(draft)
            self._ledger.begin(self._life(document, revision, number, draft, earlier), change)
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

    def keep_stats(self, stats: Sequence[FileStat], gone: Sequence[str] = ()) -> None:
        with self._database.transaction():
            self._database.many("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", [astuple(s) for s in stats])
            self._database.many("DELETE FROM files WHERE uri = ?", [(uri,) for uri in gone])

    @staticmethod
    def _check_expected(draft: DocumentDraft, before: Life | None) -> None:
        number = before.number if before else 0
        if draft.expects is not None and draft.expects != number:
            raise EditConflict(
                f"{draft.source.name} is at revision {number}, not at {draft.expects}: somebody changed it meanwhile.",
                "Look at what is there now and make the change again.",
            )

    def _document(self, uri: str) -> int:
        """The id of the document, made if it is new; the one in the trash goes on where it was."""
        row = self._database.row(
            "SELECT id FROM documents WHERE uri = ? ORDER BY trashed <> '', trashed DESC, id DESC", (uri,)
        )
        if row is not None:
            return int(row[0])
        # An id is never given twice, so that what stands in old logs and changes means one document for ever.
        self._database.rows(
            "INSERT INTO documents (id, uri, created) SELECT max("
            "  coalesce((SELECT max(id) FROM documents), 0), coalesce((SELECT max(document) FROM changes), 0)"
            ") + 1, ?, ?",
            (uri, self._now()),
        )
        return self._database.last_key

    def _life(self, document: int, revision: int, number: int, draft: DocumentDraft, earlier: Life | None) -> Life:
        source, reading = draft.source, draft.reading
        row = self._database.row(
            "SELECT d.created, r.created FROM documents d, revisions r WHERE d.id = ? AND r.id = ?",
            (document, revision),
        )
        created, updated = row or ("", "")
        outcome = outcome_text(reading.outcome)
        from_file = (source.sha256, reading.reader, outcome)
        if draft.origin is not Origin.FILE and earlier is not None:
            from_file = (earlier.file_sha256, earlier.file_reader, earlier.file_outcome)
        return Life(
            document=document,
            revision=revision,
            number=number,
            uri=source.uri,
            name=source.name,
            media_type=source.media_type,
            title=reading.title,
            collection=draft.collection,
            corpus=draft.corpus.value,
            tags=tags_text(draft.tags),
            sha256=source.sha256,
            size=source.size,
            pages=len(reading.pages),
            chunks=sum(chunk.indexed for chunk in draft.chunks),
            outcome=outcome,
            created=created,
            updated=updated,
            file_sha256=from_file[0],
            file_reader=from_file[1],
            file_outcome=from_file[2],
        )

    def _revision(self, document: int, draft: DocumentDraft) -> tuple[int, int]:
        """The id and the number of a new revision."""
        reading = draft.reading
        row = self._database.row("SELECT coalesce(max(number), 0) + 1 FROM revisions WHERE document = ?", (document,))
        number = int(row[0]) if row else 1
        self._database.rows(
            "INSERT INTO revisions (document, number, sha256, size, reader, outcome, partial, title, metadata,"
            " text, pages, blocks, page_count, chunk_count, created, reason, origin)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document,
                number,
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
                self._ledger.moment(),
                draft.reason,
                draft.origin.value,
            ),
        )
        return self._database.last_key, number

    def _chunks(self, revision: int, draft: DocumentDraft, words: Sequence[tuple[str, str]]) -> None:
        """The chunks of a revision, and their words where they are indexed."""
        row = self._database.row("SELECT coalesce(max(key), 0) + 1 FROM chunks")
        first = int(row[0]) if row else 1
        keyed = list(enumerate(draft.chunks, start=first))
        self._database.many(
            "INSERT INTO chunks (key, id, revision, ordinal, locator, parent, indexed, digest, text, words)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
                    words_in(held),
                )
                for (key, chunk), held in zip(keyed, words, strict=True)
            ],
        )
        fresh = zip(keyed, words, strict=True)
        insert_words(self._database, LIVE, [(key, held) for (key, chunk), held in fresh if chunk.indexed])

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
