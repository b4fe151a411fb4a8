"""`pincite store new`, `list`, `use`, `show`, `rename` and `drop`"""

from __future__ import annotations

import click

from pincite.faces.cli.long_work import confirmed, content_of
from pincite.faces.cli.output import emit, json_option
from pincite.faces.json_form import SCHEMA, status_json
from pincite.faces.store_forms import dropped_text, stores_json, stores_text
from pincite.faces.text_form import status_text


@click.command("new")
@click.argument("name")
@click.option("--file", default="", metavar="PATH", help="Where the file is to be, or is: a store there gets the name.")
@json_option
def new_command(name: str, file: str, as_json: bool) -> None:
    """Make an empty store, in pincite's home folder or in a file anywhere, or give a store file a name.

    \b
    Examples:
      pincite store new codes
      pincite store new archive --file /media/disk/archive.db
    """
    from pincite.config import load_config
    from pincite.wiring import create_store

    path, made = create_store(name, load_config(), file)
    text = f"{'Made' if made else 'Added'} the store {name}: {path}\n"
    text += f"Use it with -s {name}, or make it the active one: pincite store use {name}"
    emit(text, {"schema": SCHEMA, "name": name, "path": str(path), "made": made}, as_json=as_json)


@click.command("list")
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
    emit(stores_text(entries), stores_json(entries), as_json=as_json)


@click.command("use")
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


@click.command("show")
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


@click.command("rename")
@click.argument("old")
@click.argument("new")
@json_option
def rename_command(old: str, new: str, as_json: bool) -> None:
    """Give a store another name. The file of one in pincite's home is renamed too, so nobody may have it open.

    \b
    Example:
      pincite store rename codes codes-2025
    """
    from pincite.config import load_config
    from pincite.wiring import registry

    path = registry(load_config()).rename(old, new)
    value = {"schema": SCHEMA, "old": old, "name": new, "path": str(path)}
    emit(f"The store {old} is called {new} now: {path}", value, as_json=as_json)


@click.command("drop")
@click.argument("name")
@click.option("--purge", is_flag=True, help="Delete the file as well. Asks for the name of the store.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def drop_command(name: str, purge: bool, yes: bool, as_json: bool) -> int:
    """Take a store out of the list. Its file is kept, and it is said how to take it back; --purge deletes it.

    \b
    Examples:
      pincite store drop codes
      pincite store drop codes --purge
      pincite store drop codes --purge --yes
    """
    from pincite.config import load_config
    from pincite.wiring import registry

    stores = registry(load_config())
    entry = stores.entry(name)
    if purge:
        preview = f"This deletes the store {name}{content_of(name)} for good: {entry.path}"
        if not confirmed(preview, yes=yes, as_json=as_json, word=name):
            return 1
    dropped = stores.drop(name, purge=purge)
    value = {
        "schema": SCHEMA,
        "name": name,
        "path": str(dropped.path),
        "purged": purge,
        "active": dropped.active or None,
    }
    text = dropped_text(
        name, dropped.path, purged=purge, kept_in_home=not entry.outside and not purge, active=dropped.active
    )
    emit(text, value, as_json=as_json)
    return 0


COMMANDS = (new_command, list_command, use_command, show_command, rename_command, drop_command)
