"""Settings: the order of the layers, where a value came from, and refusals that help."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.config import Config, load_config
from pincite.core.errors import ConfigError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder beside a working folder, both empty."""
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    monkeypatch.chdir(work)
    return home


def load(home: Path, flags: dict[str, object] | None = None, **environment: str) -> Config:
    return load_config(flags, {"PINCITE_HOME": str(home), **environment})


def test_without_settings_all_are_defaults(home: Path) -> None:
    config = load(home)
    assert (config.limit, config.embedder, config.store) == (5, "minilm", "")
    assert config.origin("limit") == "default"
    assert (config.home, config.origin("home")) == (home, "PINCITE_HOME")


def test_each_layer_wins_over_the_one_before(home: Path) -> None:
    (home / "config.toml").write_text("limit = 6\nclaims = 4\n", "utf-8")
    assert load(home).limit == 6
    Path("pincite.toml").write_text("limit = 7\n", "utf-8")
    assert load(home).limit == 7
    assert load(home, PINCITE_LIMIT="8").limit == 8
    final = load(home, {"limit": 9}, PINCITE_LIMIT="8")
    assert (final.limit, final.origin("limit")) == (9, "flag")
    assert (final.claims, final.origin("claims")) == (4, str(home / "config.toml"))


def test_a_flag_that_was_not_given_does_not_count(home: Path) -> None:
    config = load(home, {"limit": None, "store": ""}, PINCITE_STORE="codes")
    assert (config.limit, config.store, config.origin("store")) == (5, "codes", "environment")


def test_an_unknown_name_is_refused_with_the_near_one(home: Path) -> None:
    with pytest.raises(ConfigError, match="limt") as fault:
        load(home, PINCITE_LIMT="3")
    assert fault.value.hint == "Did you mean limit?"


def test_a_file_that_is_not_toml_is_named(home: Path) -> None:
    Path("pincite.toml").write_text("limit =", "utf-8")
    with pytest.raises(ConfigError, match=r"pincite\.toml"):
        load(home)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("limit = 0", "limit"),
        ("limit = 101", "limit"),
        ("limit = 2.5", "limit"),
        ("limit = true", "limit"),
        ('limit = "many"', "limit"),
        ("store = 3", "store"),
        ('embedder = "bert"', "embedder"),
        ('profile = "huge"', "profile"),
        ("home = '/'", "home"),
        ("[limit]\nx = 1", "limit"),
    ],
)
def test_values_out_of_range_are_refused(home: Path, line: str, name: str) -> None:
    Path("pincite.toml").write_text(line, "utf-8")
    with pytest.raises(ConfigError, match=name):
        load(home)


def test_settings_in_force_cannot_be_changed(home: Path) -> None:
    with pytest.raises(AttributeError):
        load(home).limit = 3  # type: ignore[misc]
