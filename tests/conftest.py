"""Every test has a home folder of its own and no settings from outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith("PINCITE_") and name != "PINCITE_SHARED":
            monkeypatch.delenv(name)
    monkeypatch.setenv("PINCITE_HOME", str(home))
    return home
