"""Help: quick, complete, with examples, and the same as what the documentation lists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pincite.faces.cli import COMMANDS, cli

HEAVY = [
    "numpy",
    "onnxruntime",
    "pydantic",
    "httpx2",
    "fastapi",
    "mcp",
    "rich",
    "apsw",
    "pypdfium2",
    "selectolax",
    "tokenizers",
    "charset_normalizer",
    "markdown_it",
    "pincite.library",
    "pincite.wiring",
]
DOCS = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
LIST_IMPORTS = (
    "import sys, json\n"
    "from pincite.faces.cli import main\n"
    "try:\n    main({arguments!r})\n"
    "except SystemExit as end:\n    assert end.code == 0, end.code\n"
    "print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
)


def every_command() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            for inner, below in command.commands.items():
                yield f"{name} {inner}", below


ALL = dict(every_command())


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in COMMANDS)], ids=" ".join)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = LIST_IMPORTS.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert "Usage: pincite" in done.stdout
    assert set(HEAVY) & set(json.loads(done.stderr)) == set()


@pytest.mark.parametrize("name", ALL)
def test_help_teaches_by_example(name: str) -> None:
    assert f"pincite {name}" in (ALL[name].help or "").partition("Example")[2]


@pytest.mark.parametrize("name", [name for name, command in ALL.items() if not isinstance(command, click.Group)])
def test_every_option_is_explained_and_json_is_everywhere(name: str) -> None:
    options = [parameter for parameter in ALL[name].params if isinstance(parameter, click.Option)]
    assert [option.name for option in options if not option.help] == []
    assert "--json" in {text for option in options for text in option.opts}


def test_the_documentation_lists_every_command_and_no_other() -> None:
    listed = re.findall(r"^### `pincite ([a-z ]+?)(?: [A-Z].*)?`$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(name for name, command in ALL.items() if not isinstance(command, click.Group))


@pytest.mark.parametrize("name", [name for name, command in ALL.items() if not isinstance(command, click.Group)])
def test_the_documentation_lists_every_option(name: str) -> None:
    sections = re.split(r"^### `pincite ", DOCS.read_text("utf-8"), flags=re.MULTILINE)
    section = next(part for part in sections if re.match(rf"{name}( [A-Z].*)?`\n", part)).split("\n## ")[0]
    common = {"--json", "--store"}
    options = {opt for p in ALL[name].params for opt in p.opts if opt.startswith("--")} - common
    assert set(re.findall(r"`(--[a-z-]+)", section)) - common == options
