"""`pincite store …`"""

from __future__ import annotations

from typing import Any

import click

from pincite.faces.cli.output import emit, json_option
from pincite.faces.json_form import SCHEMA, status_json
from pincite.faces.text_form import status_text


@click.group("store")
def store_group() -> None:
    """Make, list, show and choose named stores. Each is one file.

    \b
    Examples:
      pincite store new codes
      pincite store use codes
      pincite store list
    """


@store_group.command("new")
@click.argument("name")
@json_option
def new_command(name: str, as_json: bool) -> None:
    """Make an empty store.

    \b
    Example:
      pincite store new codes
    """
    from pincite.config import load_config
    from pincite.wiring import create_store

    path = create_store(name, load_config())
    text = f"Made the store {name}: {path}\nUse it with -s {name}, or make it the active one: pincite store use {name}"
    emit(text, {"schema": SCHEMA, "name": name, "path": str(path)}, as_json=as_json)


@store_group.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the named stores; * marks the active one.

    \b
    Example:
      pincite store list
    """
    from pincite.config import load_config
    from pincite.wiring import registry

    entries = registry(load_config()).entries()
    lines = [f"{'*' if entry.active else ' '} {entry.name:<20} {entry.path}" for entry in entries]
    rows: list[dict[str, Any]] = [
        {"name": entry.name, "path": str(entry.path), "active": entry.active, "bytes": entry.bytes} for entry in entries
    ]
    text = "\n".join(lines) or "No stores yet. The first ingest makes one: pincite ingest PATH"
    emit(text, {"schema": SCHEMA, "stores": rows}, as_json=as_json)


@store_group.command("use")
@click.argument("name")
@json_option
def use_command(name: str, as_json: bool) -> None:
    """Make a store the active one: the one that commands use when no --store is given.

    \b
    Example:
      pincite store use codes
    """
    from pincite.config import load_config
    from pincite.wiring import registry

    registry(load_config()).use(name)
    emit(f"The active store is {name}.", {"schema": SCHEMA, "active": name}, as_json=as_json)


@store_group.command("show")
@click.argument("name", default="")
@json_option
def show_command(name: str, as_json: bool) -> None:
    """Show a store, the active one if no name is given.

    \b
    Example:
      pincite store show codes
    """
    from pincite.wiring import open_library

    with open_library(name) as library:
        status = library.status()
        emit(status_text(status), status_json(status), as_json=as_json)
