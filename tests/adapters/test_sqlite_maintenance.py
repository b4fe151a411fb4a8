"""Check, rebuild and compact: what they find, what they mend, what they leave alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import EMBEDDER, draft
from pincite.adapters.sqlite import Database, SqliteStore, open_for_reading, open_for_writing, rebuild_fulltext
from pincite.adapters.sqlite.compaction import compact
from pincite.adapters.sqlite.maintenance import SqliteUpkeep
from pincite.core.codec import pages_text
from pincite.core.documents import Page
from pincite.core.errors import StoreError, StoreLocked
from pincite.core.ports import Filter

TORN = pages_text((Page(1, 0, 4), Page(2, 5, 6)))
"""Pages with a hole between them."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_for_writing(tmp_path / "s.db", "s")
    opened.use_embedder(EMBEDDER.identity)
    opened.save(draft("/a/doors.md", "Doors shall be narrow."))
    opened.save(draft("/a/doors.md", "Doors shall be wide."))
    opened.save(draft("/a/gates.md", "Gates shall be open."))
    yield opened
    opened.close()


@pytest.fixture
def upkeep(store: SqliteStore, tmp_path: Path) -> SqliteUpkeep:
    return SqliteUpkeep(tmp_path / "s.db")


def test_a_sound_store_is_looked_at_as_a_whole(upkeep: SqliteUpkeep) -> None:
    told: list[tuple[str, int, int]] = []
    report = upkeep.check(lambda *step: told.append(step))
    assert (report.faults, report.revisions, report.passages) == ((), 3, 3)
    assert told[-1] == ("passages", 3, 3)


@pytest.mark.parametrize(
    ("harm", "fault"),
    [
        ("UPDATE chunks SET text = 'Doors!' WHERE key = 1", "document 1, revision 1 has 1 passages that are not in"),
        (f"UPDATE revisions SET pages = '{TORN}' WHERE id = 1", "document 1, revision 1 has pages that do not"),
        ("DELETE FROM chunks WHERE key = 1", "document 1, revision 1 has 0 searchable passages instead of 1"),
        ("UPDATE chunks SET locator = 'none' WHERE key = 1", "document 1, revision 1 a row cannot be read"),
        ("UPDATE revisions SET pages = '[[' WHERE id = 3", "document 2, revision 1 a row cannot be read"),
        ("UPDATE chunks SET revision = 99 WHERE key = 1", "1 rows of chunks point to revisions that are not there"),
        ("DELETE FROM fulltext WHERE rowid = 3", "1 passages are missing from the full-text index"),
        ("UPDATE lives SET outcome = '[]'", "3 rows of lives cannot be read"),
        ("UPDATE lives SET corpus = 'knowledge', tags = '{' WHERE id = 1", "1 rows of lives cannot be read"),
        ("UPDATE changes SET verb = 'eaten' WHERE number = 1", "1 rows of changes cannot be read"),
        ("UPDATE revisions SET metadata = '[3]' WHERE id = 1", "1 rows of revisions cannot be read"),
        ("UPDATE revisions SET blocks = '[[]]' WHERE id = 1", "document 1, revision 1 a row cannot be read"),
        ("UPDATE embeddings SET vector = x'00' WHERE digest IN (SELECT digest FROM chunks WHERE key = 1)", "length"),
        ("DROP TABLE terms; DROP TABLE fulltext", "no such table: fulltext_docsize"),
    ],
)
def test_every_harm_is_a_sentence(store: SqliteStore, upkeep: SqliteUpkeep, harm: str, fault: str) -> None:
    """Of any revision, live or not."""
    store._database.pragma("foreign_keys", False)
    store._database.rows(harm)
    assert fault in "; ".join(upkeep.check().faults)


def test_torn_pages_are_faults_and_no_exception(store: SqliteStore, upkeep: SqliteUpkeep, tmp_path: Path) -> None:
    store._database.pragma("wal_checkpoint(TRUNCATE)")
    content = bytearray((tmp_path / "s.db").read_bytes())
    content[16384 * 3 : 16384 * 9] = b"\xff" * 16384 * 6
    (tmp_path / "torn.db").write_bytes(content)
    assert SqliteUpkeep(tmp_path / "torn.db").check().faults


def test_what_is_derived_comes_back_whatever_happened_to_it(store: SqliteStore, upkeep: SqliteUpkeep) -> None:
    before = store.lexical.search(["door", "gate"], 9, Filter()), store.lexical.frequencies(["wide"])
    assert (len(before[0]), before[1]) == (2, {"wide": 1})
    for harm in ("DELETE FROM fulltext WHERE rowid = 3", "DROP TABLE terms; DROP TABLE fulltext"):
        store._database.rows(harm)
        assert not upkeep.check().ok
        assert upkeep.rebuild() == 2
        assert upkeep.check().ok
        assert (store.lexical.search(["door", "gate"], 9, Filter()), store.lexical.frequencies(["wide"])) == before


def test_readers_have_the_old_index_until_the_new_one_is_whole(store: SqliteStore, tmp_path: Path) -> None:
    reading = open_for_reading(tmp_path / "s.db", "s")
    seen = []

    def look(what: str, done: int, total: int) -> None:
        seen.append(len(reading.lexical.search(["door", "gate"], 9, Filter())))

    assert rebuild_fulltext(store._database, look) == 2
    assert seen
    assert set(seen) == {2}
    assert len(reading.lexical.search(["door", "gate"], 9, Filter())) == 2
    reading.close()


def test_compaction_gives_space_back_while_a_reader_looks_on(store: SqliteStore, upkeep: SqliteUpkeep) -> None:
    for number in range(40):
        store.save(draft("/a/gates.md", f"Gates of turn {number}. " * 500))
    store._database.pragma("foreign_keys", False)
    store._database.rows("DELETE FROM lives WHERE until IS NOT NULL")
    store._database.rows("DELETE FROM chunks WHERE revision NOT IN (SELECT live FROM documents)")
    store._database.rows("DELETE FROM revisions WHERE id NOT IN (SELECT live FROM documents)")
    rebuild_fulltext(store._database)
    reading = open_for_reading(store._database.path, "s")
    assert reading.lexical.size() == store.lexical.size()
    report = upkeep.compact()
    assert report.after < report.before / 2
    assert reading.lexical.size() == store.lexical.size()
    assert upkeep.check().ok
    reading.close()


def test_compaction_waits_for_nobody_for_ever(store: SqliteStore, upkeep: SqliteUpkeep) -> None:
    """A reader in the middle of something keeps the log; that is said, and no error."""
    reading = open_for_reading(store._database.path, "s")
    with reading._database.snapshot():
        assert len(reading.documents(Filter())) == 2
        assert upkeep.compact().waiting
        assert len(reading.documents(Filter())) == 2
    reading.close()
    assert not upkeep.compact().waiting


def test_maintenance_asks_for_room_first(store: SqliteStore) -> None:
    before = store._database.version
    with pytest.raises(StoreError, match="MiB are free"):
        compact(store._database, free=lambda folder: 0)
    assert store._database.version == before


def test_a_writer_in_the_middle_is_told_to_be_waited_for(store: SqliteStore, tmp_path: Path) -> None:
    upkeep = SqliteUpkeep(tmp_path / "s.db", busy_ms=50)
    with store._database.transaction():
        for verb in (upkeep.rebuild, upkeep.compact):
            with pytest.raises(StoreLocked):
                verb()
        assert upkeep.check().ok


def test_maintenance_makes_no_store_where_there_is_none(tmp_path: Path) -> None:
    upkeep = SqliteUpkeep(tmp_path / "none.db")
    for verb in (upkeep.check, upkeep.rebuild, upkeep.compact, lambda: upkeep.export(tmp_path / "e")):
        with pytest.raises(StoreError):
            verb()
    Database(tmp_path / "blank.db", write=True, create=True).close()
    with pytest.raises(StoreError, match="not a pincite store"):
        SqliteUpkeep(tmp_path / "blank.db").rebuild()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["blank.db"]
