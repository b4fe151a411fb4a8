"""README tells what really happens: its transcript is typed again, its Python is run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from builders import ROOT

README = (ROOT / "README.md").read_text("utf-8")
CODES = {
    "fire-lanes.md": """# Local provisions

The village adopts these provisions for the safety of all who live in it.

## 1503.02 Fire lanes

A gate across a fire lane shall be at least twenty feet wide. It may not be locked in any manner.

## 1503.11 Key boxes

Key boxes shall be installed on all commercial and educational occupancies.
""",
    "ramps.md": """# Ramps

## 405.2 Slope

Ramp runs shall have a running slope not steeper than 1:12.

## 405.6 Rise

The rise for any ramp run shall be 30 inches maximum.
""",
    "lighting.txt": "Outdoor lights shall be shielded so that no glare falls on a neighbouring lot.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "codes").mkdir()
    for name, text in CODES.items():
        (tmp_path / "codes" / name).write_text(text)
    return tmp_path


def block(marker: str, language: str) -> str:
    match = re.search(rf"{re.escape(marker)}.*?```{language}\n(.*?)```", README, re.DOTALL)
    assert match, marker
    return match[1]


def test_the_transcript(folder: Path) -> None:
    typed = re.split(r"^\$ pincite ", block("<!-- transcript -->", "console"), flags=re.MULTILINE)[1:]
    assert len(typed) == 4
    for piece in typed:
        command, _, shown = piece.partition("\n")
        done = subprocess.run(
            [sys.executable, "-m", "pincite", *shlex.split(command)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        said = re.sub(r"in [0-9.]+ s", "in … s", done.stdout.strip())
        assert said == re.sub(r"in [0-9.]+ s", "in … s", shown.strip()), command


def test_the_python_example(folder: Path) -> None:
    example = block("From Python:", "python")
    done = subprocess.run([sys.executable, "-c", example], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ("fire-lanes.md None A gate across a fire lane shall be at least twenty feet wide.")


@pytest.mark.parametrize("marker", ["first-command", "second-command"])
def test_ci_finds_the_commands(marker: str) -> None:
    assert ".venv/bin/pip install" in block(f"<!-- {marker} -->", "bash")
    assert marker in (ROOT / ".ci" / "run").read_text("utf-8")
