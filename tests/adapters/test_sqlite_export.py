"""A store as lines of JSON and back: equal rows, or nothing at all."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from builders import EMBEDDER, ROOT, draft, failure
from pincite.adapters.sqlite import Database, open_for_reading, open_for_writing
from pincite.adapters.sqlite.export import truth_tables
from pincite.adapters.sqlite.importing import import_store
from pincite.adapters.sqlite.maintenance import SqliteUpkeep
from pincite.adapters.sqlite.schema import STEPS
from pincite.core.errors import StoreCorrupt, StoreError, StoreTooNew, UsageError
from pincite.core.ports import Filter


@pytest.fixture
def live(tmp_path: Path) -> Path:
    store = open_for_writing(tmp_path / "live.db", "s")
    store.use_embedder(EMBEDDER.identity)
    for number in range(5):
        store.save(draft(f"/a/{number}.md", f"Door {number} is “wide”.\u2028Line\tand 🚪.", tags=["law", "a b"]))
    store.save(draft("/a/1.md", "Door 1 became a gate.", collection="codes"))
    store.save_failure(failure("/a/bad.pdf"))
    store.close()
    return tmp_path / "live.db"


def rows(path: Path) -> dict[str, list[Any]]:
    database = Database(path, write=False)
    held = {
        name: sorted(database.rows(f"SELECT {', '.join(columns)} FROM {name}"), key=repr)
        for name, columns in truth_tables(database).items()
    }
    database.close()
    return held


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def rewrite(path: Path, values: list[Any]) -> None:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")


@pytest.mark.parametrize("name", ["e.jsonl", "e.jsonl.gz"])
def test_there_and_back_gives_equal_rows_and_answers(live: Path, tmp_path: Path, name: str) -> None:
    report = SqliteUpkeep(live).export(tmp_path / name)
    assert import_store(tmp_path / name, tmp_path / "new.db").rows == report.rows
    assert rows(tmp_path / "new.db") == rows(live)
    assert sum(report.rows.values()) == sum(map(len, rows(live).values()))
    assert SqliteUpkeep(tmp_path / "new.db").check().ok
    old, new = open_for_reading(live, "s"), open_for_reading(tmp_path / "new.db", "s")
    for terms in (["door"], ["gate"], ["wide"]):
        assert old.lexical.search(terms, 9, Filter()) == new.lexical.search(terms, 9, Filter()) != []
    asked = EMBEDDER.embed_queries(["a wide door"]).row(0)
    assert old.vectors.search(asked, 9, Filter()) == new.vectors.search(asked, 9, Filter()) != []
    old.close()
    new.close()


def test_equal_stores_give_equal_files(live: Path, tmp_path: Path) -> None:
    SqliteUpkeep(live).export(tmp_path / "a.jsonl.gz")
    import_store(tmp_path / "a.jsonl.gz", tmp_path / "new.db")
    SqliteUpkeep(tmp_path / "new.db").export(tmp_path / "b.jsonl")
    first = gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()).split(b"\n")
    assert (tmp_path / "b.jsonl").read_bytes().split(b"\n")[1:] == first[1:]


def test_without_vectors_the_words_still_answer(live: Path, tmp_path: Path) -> None:
    SqliteUpkeep(live).export(tmp_path / "e.jsonl", vectors=False)
    assert "base64" not in (tmp_path / "e.jsonl").read_text("utf-8")
    import_store(tmp_path / "e.jsonl", tmp_path / "new.db")
    new = open_for_reading(tmp_path / "new.db", "s")
    assert (new.vectors.size(), new.lexical.size()) == (0, 5)
    new.close()


def test_an_export_of_an_earlier_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    old.write_bytes(lzma.decompress((ROOT / "tests" / "fixtures" / "store-1.db.xz").read_bytes()))
    database = Database(old, write=False)
    held, schema = database.row("SELECT count(*) FROM chunks"), int(database.pragma("user_version"))
    database.close()
    SqliteUpkeep(old).export(tmp_path / "e.jsonl")
    assert lines(tmp_path / "e.jsonl")[0]["schema"] == schema
    import_store(tmp_path / "e.jsonl", tmp_path / "new.db")
    assert held == (len(rows(tmp_path / "new.db")["chunks"]),)
    assert SqliteUpkeep(tmp_path / "new.db").check().ok


def test_nothing_is_imported_into_a_store_that_is_there(live: Path, tmp_path: Path) -> None:
    SqliteUpkeep(live).export(tmp_path / "e.jsonl")
    before = live.read_bytes()
    with pytest.raises(UsageError, match="already"):
        import_store(tmp_path / "e.jsonl", live)
    with pytest.raises(UsageError, match="already"):
        SqliteUpkeep(live).export(tmp_path / "e.jsonl")
    assert live.read_bytes() == before


def harm(values: list[Any], how: str) -> int:
    """Spoil an export. Returns the number of the line that should be named."""
    place = next(index for index, value in enumerate(values) if value.get("kind") == "chunks")
    row = values[place]["row"]
    if how == "unknown column":
        row["colour"] = "red"
    elif how == "unknown table":
        values[place]["kind"] = "sqlite_schema"
    elif how == "twice":
        values.insert(place + 1, values[place])
        return place + 2
    elif how == "value":
        row["text"] = {"base64": "***"}
    elif how == "too large":
        row["key"] = 1 << 70
    elif how == "missing":
        values[place]["row"] = {}
    elif how == "cut":
        values.pop()
        return len(values) + 1
    elif how == "lost":
        del values[place]
        return len(values)
    return place + 1


HARMS = ["unknown column", "unknown table", "twice", "value", "too large", "missing", "cut", "lost"]


@pytest.mark.parametrize("how", HARMS)
def test_a_damaged_line_is_named_and_nothing_is_left(live: Path, tmp_path: Path, how: str) -> None:
    SqliteUpkeep(live).export(tmp_path / "e.jsonl")
    values = lines(tmp_path / "e.jsonl")
    number = harm(values, how)
    rewrite(tmp_path / "e.jsonl", values)
    (tmp_path / "to").mkdir()
    with pytest.raises(StoreCorrupt, match=f"Line {number} of the export"):
        import_store(tmp_path / "e.jsonl", tmp_path / "to" / "new.db")
    assert list((tmp_path / "to").iterdir()) == []


@pytest.mark.parametrize("text", ["{not json", "[1, 2]", "\x00", "[" * 100_000])
def test_a_line_that_is_no_row_is_named(live: Path, tmp_path: Path, text: str) -> None:
    SqliteUpkeep(live).export(tmp_path / "e.jsonl")
    good = (tmp_path / "e.jsonl").read_text("utf-8").split("\n")
    (tmp_path / "e.jsonl").write_text("\n".join([*good[:3], text, *good[3:]]), "utf-8")
    with pytest.raises(StoreCorrupt, match="Line 4 of"):
        import_store(tmp_path / "e.jsonl", tmp_path / "new.db")


def test_a_packed_file_that_is_cut_is_told(live: Path, tmp_path: Path) -> None:
    SqliteUpkeep(live).export(tmp_path / "e.jsonl.gz")
    content = (tmp_path / "e.jsonl.gz").read_bytes()
    (tmp_path / "e.jsonl.gz").write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreCorrupt, match="is damaged"):
        import_store(tmp_path / "e.jsonl.gz", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_rows_that_do_not_fit_each_other_are_refused(live: Path, tmp_path: Path) -> None:
    """Every line is well formed, and the whole is not a store."""
    SqliteUpkeep(live).export(tmp_path / "e.jsonl")
    values = lines(tmp_path / "e.jsonl")
    next(value for value in values if value.get("kind") == "chunks")["row"]["text"] = "Words of another text."
    rewrite(tmp_path / "e.jsonl", values)
    with pytest.raises(StoreCorrupt, match="not in its text"):
        import_store(tmp_path / "e.jsonl", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize(
    ("header", "fault"),
    [
        ({"schema": len(STEPS) + 1}, StoreTooNew),
        ({"format": 2}, StoreTooNew),
        ({"schema": "one"}, StoreCorrupt),
        ({"pincite": "something else"}, StoreError),
    ],
)
def test_what_cannot_be_understood_is_refused(
    live: Path, tmp_path: Path, header: dict[str, Any], fault: type[StoreError]
) -> None:
    SqliteUpkeep(live).export(tmp_path / "e.jsonl")
    values = lines(tmp_path / "e.jsonl")
    values[0] |= header
    rewrite(tmp_path / "e.jsonl", values)
    with pytest.raises(fault):
        import_store(tmp_path / "e.jsonl", tmp_path / "new.db")
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(StoreError, match="not an export"):
        import_store(tmp_path / "empty.jsonl", tmp_path / "new.db")
