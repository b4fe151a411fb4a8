"""Named stores."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from builders import ROOT, draft
from pincite.adapters.sqlite import open_for_reading, open_for_writing
from pincite.adapters.sqlite.registry import Registry
from pincite.core.errors import ConfigError, StoreError, StoreLocked, UnknownName, UsageError
from pincite.core.ports import Filter


def make(registry: Registry, name: str) -> None:
    open_for_writing(registry.path_for_new(name), name).close()


def test_the_first_store_is_called_default(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    assert registry.entries() == []
    assert registry.resolve("", must_exist=False) == ("default", tmp_path / "stores" / "default.db")
    with pytest.raises(UnknownName):
        registry.resolve("", must_exist=True)


def test_one_store_is_active(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    make(registry, "codes")
    make(registry, "runbooks")
    registry.use("codes")
    assert [(entry.name, entry.active) for entry in registry.entries()] == [("codes", True), ("runbooks", False)]
    assert registry.resolve("", must_exist=True)[0] == "codes"


def test_a_mistyped_name_gets_a_suggestion(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    make(registry, "runbooks")
    for call in (registry.use, lambda name: registry.resolve(name, must_exist=True)):
        with pytest.raises(UnknownName) as caught:
            call("runbook")
        assert "runbooks" in caught.value.hint


@pytest.mark.parametrize("name", ["", "../up", "a b", ".hidden", "x" * 80, "a/b"])
def test_a_bad_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        Registry(tmp_path).path_for_new(name)


def test_a_taken_name_is_refused(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    make(registry, "codes")
    with pytest.raises(UsageError):
        registry.path_for_new("codes")


def test_a_path_is_a_store_outside_the_home(tmp_path: Path) -> None:
    name, path = Registry(tmp_path).resolve(str(tmp_path / "mine.db"), must_exist=False)
    assert (name, path) == ("mine", tmp_path / "mine.db")
    with pytest.raises(UnknownName):
        Registry(tmp_path).resolve(str(tmp_path / "mine.db"), must_exist=True)


def empty(path: Path) -> None:
    open_for_writing(path, "s").close()


def names(registry: Registry) -> list[str]:
    return [entry.name for entry in registry.entries()]


def test_a_store_may_lie_anywhere(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "home")
    assert registry.create("codes", tmp_path / "disk" / "c.db", empty) == (tmp_path / "disk" / "c.db", True)
    assert registry.resolve("codes", must_exist=True) == ("codes", tmp_path / "disk" / "c.db")
    assert registry.resolve(str(tmp_path / "disk" / "c.db"), must_exist=True)[0] == "codes"
    registry.use("codes")
    assert [(entry.name, entry.active, entry.outside) for entry in registry.entries()] == [("codes", True, True)]
    with pytest.raises(UsageError, match="already"):
        registry.create("codes", None, empty)
    with pytest.raises(UsageError, match="the store codes already"):
        registry.create("again", tmp_path / "disk" / "c.db", empty)


def test_a_file_that_is_a_store_gets_a_name_and_stays_as_it_is(tmp_path: Path) -> None:
    store = open_for_writing(tmp_path / "old.db", "old")
    store.save(draft("/a/doors.md", "Doors shall be wide."))
    store.close()
    registry = Registry(tmp_path / "home")
    assert registry.create("codes", tmp_path / "old.db", empty) == (tmp_path / "old.db", False)
    (tmp_path / "text.db").write_text("no store " * 1000)
    with pytest.raises(StoreError, match="not a pincite store"):
        registry.create("text", tmp_path / "text.db", empty)
    assert names(registry) == ["codes"]
    reading = open_for_reading(tmp_path / "old.db", "codes")
    assert len(reading.documents(Filter())) == 1
    reading.close()


def test_a_file_that_is_gone_with_its_disk_is_said_and_not_made_anew(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "home")
    registry.create("codes", tmp_path / "disk" / "c.db", empty)
    (tmp_path / "disk" / "c.db").unlink()
    for must_exist in (True, False):
        with pytest.raises(UnknownName, match="is not there"):
            registry.resolve("codes", must_exist=must_exist)
    assert [entry.there for entry in registry.entries()] == [False]
    assert registry.drop("codes").path == tmp_path / "disk" / "c.db"
    assert names(registry) == []


def test_renaming_moves_a_file_of_ours_and_no_other(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    make(registry, "codes")
    registry.create("far", tmp_path / "far.db", empty)
    registry.use("codes")
    assert registry.rename("codes", "laws") == tmp_path / "stores" / "laws.db"
    assert registry.rename("far", "near") == tmp_path / "far.db"
    assert (names(registry), registry.active()) == (["laws", "near"], "laws")
    assert [file.name for file in (tmp_path / "stores").iterdir()] == ["laws.db"]
    for old, new, fault in (("codes", "x", UnknownName), ("laws", "near", UsageError), ("laws", "a b", UsageError)):
        with pytest.raises(fault):
            registry.rename(old, new)


def test_what_is_dropped_can_be_taken_back(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    store = open_for_writing(registry.path_for_new("codes"), "codes")
    store.save(draft("/a/doors.md", "Doors shall be wide."))
    store.close()
    make(registry, "runbooks")
    registry.use("codes")
    dropped = registry.drop("codes")
    assert (dropped.path.parent, dropped.purged, dropped.active) == (tmp_path / "dropped", False, "runbooks")
    assert (names(registry), registry.active()) == (["runbooks"], "runbooks")
    assert [file.name for file in (tmp_path / "stores").iterdir()] == ["runbooks.db"]
    registry.create("codes", dropped.path, empty)
    reading = open_for_reading(registry.resolve("codes", must_exist=True)[1], "codes")
    assert len(reading.documents(Filter())) == 1
    reading.close()
    assert registry.drop("runbooks").active == "codes"
    assert registry.drop("codes").active == "default"


def test_dropping_a_file_elsewhere_leaves_it_and_purging_does_not(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "home")
    registry.create("far", tmp_path / "far.db", empty)
    assert registry.drop("far").active == ""
    assert (tmp_path / "far.db").exists()
    registry.create("far", tmp_path / "far.db", empty)
    assert registry.drop("far", purge=True).purged
    assert list(tmp_path.glob("far.db*")) == []
    make(registry, "ours")
    registry.drop("ours", purge=True)
    assert list((tmp_path / "home" / "stores").iterdir()) == []
    with pytest.raises(UnknownName):
        registry.drop("ours")


@pytest.mark.parametrize("how", ["open_for_reading", "open_for_writing"])
def test_a_store_in_use_is_not_moved(tmp_path: Path, how: str) -> None:
    """Another process has it open, and does nothing at the moment."""
    registry = Registry(tmp_path)
    make(registry, "codes")
    program = f"""
import sys
sys.path[:0] = [{str(ROOT / "src")!r}]
from pathlib import Path
from pincite import adapters
from pincite.adapters.sqlite import {how}
store = {how}(Path(sys.argv[1]), "codes")
print(store.status().coverage.documents, flush=True)
sys.stdin.read()
"""
    command = [sys.executable, "-c", program, str(tmp_path / "stores" / "codes.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        other.stdout.readline()
        for act in (
            lambda: registry.rename("codes", "laws"),
            lambda: registry.drop("codes"),
            lambda: registry.drop("codes", purge=True),
        ):
            with pytest.raises(StoreLocked, match="in use"):
                act()
        other.communicate("")
    assert registry.rename("codes", "laws").exists()


def test_processes_do_not_lose_each_others_entries(tmp_path: Path) -> None:
    program = f"""
import sys
sys.path[:0] = [{str(ROOT / "src")!r}]
from pathlib import Path
from pincite.adapters.sqlite.registry import Registry
registry, me = Registry(Path(sys.argv[1])), sys.argv[2]
for turn in range(15):
    registry.create(f"s{{me}}-{{turn}}", Path(sys.argv[1]) / f"f{{me}}-{{turn}}.db", lambda path: path.touch())
for turn in range(0, 15, 2):
    registry.rename(f"s{{me}}-{{turn}}", f"t{{me}}-{{turn}}")
"""
    processes = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), str(me)]) for me in range(5)]
    assert [process.wait() for process in processes] == [0] * 5
    wanted = {f"{'st'[turn % 2 == 0]}{me}-{turn}" for me in range(5) for turn in range(15)}
    assert set(names(Registry(tmp_path))) == wanted


def test_a_list_that_cannot_be_read_stops_and_is_left_alone(tmp_path: Path) -> None:
    for text in ("{", "[]", '{"schema": 2, "stores": {}}'):
        (tmp_path / "registry.json").write_text(text)
        with pytest.raises(ConfigError):
            Registry(tmp_path).create("codes", tmp_path / "c.db", empty)
        assert (tmp_path / "registry.json").read_text() == text


def test_the_list_is_plain(tmp_path: Path) -> None:
    Registry(tmp_path).create("codes", tmp_path / "c.db", empty)
    assert json.loads((tmp_path / "registry.json").read_text()) == {
        "schema": 1,
        "stores": {"codes": str(tmp_path / "c.db")},
    }
