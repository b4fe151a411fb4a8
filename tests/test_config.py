"""Settings: the later layer wins, unknown names stop, each value knows where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.config import Config, load_config
from pincite.core.errors import ConfigError


def load(home: Path, flags: dict[str, object] | None = None, **environment: str) -> Config:
    return load_config(flags, {"PINCITE_HOME": str(home), **environment})


def test_layers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    assert (load(home).limit, load(home).origin("limit")) == (5, "default")
    (home / "config.toml").write_text('limit = 6\nembedder = "none"\n')
    assert (load(home).limit, load(home).origin("limit")) == (6, str(home / "config.toml"))
    (tmp_path / "pincite.toml").write_text("limit = 7\n")
    assert (load(home).limit, load(home).origin("limit")) == (7, "pincite.toml")
    assert load(home, PINCITE_LIMIT="8").limit == 8
    assert load(home, {"limit": 9}, PINCITE_LIMIT="8").origin("limit") == "flag"
    assert load(home).embedder == "none"


@pytest.mark.parametrize(
    ("environment", "word"),
    [
        ({"PINCITE_LIMTI": "3"}, "limit"),
        ({"PINCITE_LIMIT": "many"}, "whole number"),
        ({"PINCITE_LIMIT": "0"}, "from 1 to 100"),
        ({"PINCITE_EMBEDDER": "mimilm"}, "minilm"),
        ({"PINCITE_PROFILE": "huge"}, "sections"),
    ],
)
def test_what_is_wrong_stops_and_tells_how(tmp_path: Path, environment: dict[str, str], word: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, **environment)
    assert word in caught.value.message + caught.value.hint


def test_a_file_that_is_not_toml_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("limit = = 3")
    with pytest.raises(ConfigError, match=r"config\.toml"):
        load(tmp_path)


def test_a_setting_of_the_wrong_kind_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("limit = true\n")
    with pytest.raises(ConfigError):
        load(tmp_path)
    (tmp_path / "config.toml").write_text("store = 3\n")
    with pytest.raises(ConfigError):
        load(tmp_path)


def test_the_frozen_settings_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(AttributeError):
        load(tmp_path).limit = 3  # type: ignore[misc]
