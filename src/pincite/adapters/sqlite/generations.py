"""Vectors of one embedder and of the next: built beside the old, switched in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.rows import chunk_of, to_half
from pincite.core.codec import pack
from pincite.core.errors import UnknownName, UsageError
from pincite.core.history import Generation
from pincite.core.ports import Clock, EmbedderIdentity

_WITHOUT = (
    "FROM chunks c WHERE c.indexed AND NOT EXISTS"
    " (SELECT 1 FROM embeddings e WHERE e.generation = ? AND e.digest = c.digest)"
)


def all_generations(database: Database) -> list[Generation]:
    """The live one first, then the newest."""
    with database.snapshot():
        rows = database.rows(
            "SELECT g.id, json_extract(g.identity, '$.name'), g.key, g.state,"
            " (SELECT count(*) FROM embeddings WHERE generation = g.id), g.created"
            " FROM generations g ORDER BY g.state <> 'live', g.id DESC"
        )
        return [
            Generation(number, name, key, state, held, _missing(database, number), created)
            for number, name, key, state, held, created in rows
        ]


def _missing(database: Database, generation: int) -> int:
    row = database.row(f"SELECT count(DISTINCT c.digest) {_WITHOUT}", (generation,))
    return int(row[0]) if row else 0


def missing_texts(database: Database, generation: int, limit: int) -> dict[str, str]:
    """What has to be embedded yet. Also the texts of earlier revisions and of the trash: they can come back, and
    a question about the past wants their vectors."""
    rows = database.rows(
        "SELECT c.digest, min(c.key), c.id, c.text, c.locator, c.ordinal, c.parent, c.indexed"
        f" {_WITHOUT} GROUP BY c.digest ORDER BY 2 LIMIT ?",
        (generation, limit),
    )
    return {row[0]: chunk_of(row[2:]).searchable for row in rows}


def begin_generation(database: Database, identity: EmbedderIdentity, now: Clock) -> Generation:
    with database.transaction():
        database.rows(
            "INSERT OR IGNORE INTO generations (key, identity, state, created) VALUES (?, ?, 'building', ?)",
            (identity.key, pack(asdict(identity)), now()),
        )
        return next(known for known in all_generations(database) if known.key == identity.key)


def add_vectors(database: Database, generation: int, vectors: Mapping[str, bytes]) -> None:
    """Only for texts that still stand in the store: one that was purged meanwhile must not leave its vector."""
    with database.transaction():
        _known(database, generation)
        database.many(
            "INSERT OR IGNORE INTO embeddings (generation, digest, vector)"
            " SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM chunks WHERE digest = ?2)",
            [(generation, digest, to_half(row)) for digest, row in vectors.items()],
        )


def switch_generation(database: Database, generation: int) -> bool:
    with database.transaction():
        if _known(database, generation) == "live":
            return True
        if _missing(database, generation):
            return False
        database.rows("UPDATE generations SET state = 'retired' WHERE state = 'live'")
        database.rows("UPDATE generations SET state = 'live' WHERE id = ?", (generation,))
    return True


def drop_generation(database: Database, generation: int) -> None:
    with database.transaction():
        if _known(database, generation) == "live":
            raise UsageError(
                "These vectors are the ones that searches use.", "Switch to others first: pincite reindex --embedder X"
            )
        database.rows("DELETE FROM generations WHERE id = ?", (generation,))


def _known(database: Database, generation: int) -> str:
    row = database.row("SELECT state FROM generations WHERE id = ?", (generation,))
    if row is None:
        raise UnknownName(f"There is no generation {generation} of vectors.", "See: pincite reindex --list")
    return str(row[0])
