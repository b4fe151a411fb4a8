"""`pincite config` and `pincite completion`"""

from __future__ import annotations

import click

from pincite.faces.cli.output import emit, json_option
from pincite.faces.json_form import SCHEMA


@click.command("config")
@json_option
def config_command(as_json: bool) -> None:
    """Show every setting, its value and where that comes from.

    Settings are read from config.toml in pincite's home, pincite.toml in the working folder, and variables
    such as PINCITE_LIMIT, the later ones winning.

    \b
    Examples:
      pincite config
      PINCITE_EMBEDDER=none pincite config --json
    """
    from pincite.config import NAMES, load_config

    config = load_config()
    rows = [("home", str(config.home)), *((name, getattr(config, name)) for name in NAMES)]
    text = "\n".join(f"{name:<16} {value!s:<28} {config.origin(name)}" for name, value in rows)
    value = {name: {"value": value, "origin": config.origin(name)} for name, value in rows}
    emit(text, {"schema": SCHEMA, "settings": value}, as_json=as_json)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
def completion_command(shell: str, as_json: bool) -> None:
    """Print a completion script for your shell.

    \b
    Examples:
      pincite completion bash >> ~/.bashrc
      pincite completion zsh > ~/.zfunc/_pincite
      pincite completion fish > ~/.config/fish/completions/pincite.fish
    """
    from click.shell_completion import get_completion_class

    from pincite.faces.cli import cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"There is no completion for {shell}.")
    script = kind(cli, {}, "pincite", "_PINCITE_COMPLETE").source()
    emit(script, {"schema": SCHEMA, "shell": shell, "script": script}, as_json=as_json)
