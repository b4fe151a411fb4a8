"""Every test has a home folder of its own and no settings from outside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Time limits belong into benchmarks; in CI the same examples are drawn each time, so that a red run is a change.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True, scope="session")
def not_the_home_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """For fixtures that live longer than one test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(tmp_path_factory.mktemp("session-home")))
        yield


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith("PINCITE_") and name != "PINCITE_SHARED":
            monkeypatch.delenv(name)
    monkeypatch.setenv("PINCITE_HOME", str(home))
    return home
