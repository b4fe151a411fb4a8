"""Named stores."""

from pathlib import Path

import pytest

from pincite.adapters.sqlite import open_for_writing
from pincite.adapters.sqlite.registry import Registry
from pincite.core.errors import UnknownName, UsageError


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
