"""Every earlier format of a store is brought up to date with all that it holds."""

from __future__ import annotations

import lzma
from pathlib import Path

import apsw
import pytest

from builders import EMBEDDER, ROOT, draft
from pincite.adapters.sqlite import open_for_reading, open_for_writing
from pincite.adapters.sqlite.schema import STEPS
from pincite.core.errors import StoreError
from pincite.core.history import Verb
from pincite.core.ports import Filter
from pincite.core.text import index_terms

FIXTURES = ROOT / "tests" / "fixtures"
ALL = Filter()


def unpacked(step: int, folder: Path) -> Path:
    path = folder / f"store-{step}.db"
    path.write_bytes(lzma.decompress((FIXTURES / f"store-{step}.db.xz").read_bytes()))
    return path


@pytest.mark.parametrize("step", range(1, len(STEPS)))
def test_a_store_of_every_earlier_step_is_brought_up_to_date(step: int, tmp_path: Path) -> None:
    path = unpacked(step, tmp_path)
    with pytest.raises(StoreError, match="needs an update"):
        open_for_reading(path, "old")
    store = open_for_writing(path, "old")
    assert store.integrity() == []
    assert apsw.Connection(str(path)).pragma("user_version") == len(STEPS)
    assert [(d.id, d.uri, d.revision, d.tags, d.collection) for d in store.documents(ALL)] == [
        (1, "/a/code.md", 2, ("a", "b"), "codes"),
        (3, "/a/kyoto.md", 1, (), ""),
        (4, "/a/plain.md", 1, (), ""),
        (2, "/a/zoo.md", 1, (), ""),
    ]
    for query, wanted in (
        ("green doors", "Doors shall be green."),
        ("京都", "京都の寺は古い。"),
        ("strasse", "Straße"),
    ):
        keys = [key for key, _ in store.lexical.search(index_terms(query), 1, ALL)]
        assert wanted in store.passages(keys)[0].chunk.text
    assert (store.lexical.size(), store.vectors.size()) == (5, 4)
    assert [failure.uri for failure in store.failures()] == ["/a/b.pdf"]
    assert store.status().last_run == "2026-01-01T00:00:01+00:00"
    store.close()


def test_what_step_1_knew_of_the_past_can_be_asked(tmp_path: Path) -> None:
    store = open_for_writing(unpacked(1, tmp_path), "old")
    revisions, changes = store.history(1)
    assert [revision.number for revision in revisions] == [1, 2]
    assert [change.verb for change in changes] == [Verb.ADDED, Verb.UPDATED]
    past = store.as_of("1")
    [(key, score)] = past.lexical.search(index_terms("red doors"), 5, ALL)[:1]
    assert past.passages([key])[0].chunk.text == "Doors\n\nDoors shall be red."
    assert score > 0
    assert past.vectors.search(EMBEDDER.embed_queries(["red doors"]).row(0), 1, ALL)[0][0] == key
    assert store.save(draft("/a/code.md", "Doors shall be blue.")).revision == 3
    store.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = unpacked(1, tmp_path)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA foreign_keys = OFF; DELETE FROM revisions WHERE id = 1")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot be brought up to date"):
        open_for_writing(path, "old")
    connection = apsw.Connection(str(path))
    assert connection.pragma("user_version") == 1
    assert list(connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'lives'")) == [(0,)]
    connection.close()
    assert len(path.read_bytes()) == len(before)
