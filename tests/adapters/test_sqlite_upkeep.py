"""What the integrity check of the SQLite store notices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import draft
from pincite.adapters.sqlite import SqliteStore, open_for_writing


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_for_writing(tmp_path / "s.db", "s")
    opened.save(draft("/a/doors.md", "Doors shall be wide."))
    opened.save(draft("/a/gates.md", "Gates shall be open."))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("harm", "fault"),
    [
        ("UPDATE documents SET live = 2 WHERE id = 1", "document 1 has no open life"),
        ("UPDATE revisions SET chunk_count = 2 WHERE id = 2", "document 2 has lost passages"),
        (
            "UPDATE chunks SET indexed = 0 WHERE key = 1",
            "the full-text index holds 1 passages that do not belong there",
        ),
        ("DELETE FROM fulltext WHERE rowid = 2", "1 passages are missing from the full-text index"),
        ("UPDATE documents SET trashed = 'now' WHERE id = 1", "document 1 is in the trash and live at once"),
        ("UPDATE lives SET until = 9 WHERE id = 1", "document 1 has no open life"),
        ("UPDATE lives SET revision = 2 WHERE document = 1", "document 1 has no text of its own"),
        (
            "UPDATE lives SET until = 9 WHERE id = 1",
            "1 passages are missing from the full-text index of the past",
        ),
    ],
)
def test_each_harm_is_named(store: SqliteStore, harm: str, fault: str) -> None:
    assert store.integrity() == []
    store._database.rows(harm)
    assert fault in store.integrity()
