"""`pincite store export` and `pincite store import`"""

from __future__ import annotations

from pathlib import Path

import click

from pincite.core.errors import UsageError
from pincite.faces.cli.long_work import steps_shown
from pincite.faces.cli.output import emit, json_option, note, store_option
from pincite.faces.store_forms import copy_json, rows_text, size_text


@click.command("export")
@click.argument("destination", type=click.Path(), metavar="FILE")
@click.option("--no-vectors", is_flag=True, help="Leave the vectors out; they can be made anew.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@store_option
@json_option
def export_command(destination: str, no_vectors: bool, force: bool, quiet: bool, store: str, as_json: bool) -> None:
    """Write everything that a store holds as lines of JSON, for other programs or for good.

    The file is packed if its name ends in .gz; - is standard output. What is derived is left out.

    \b
    Examples:
      pincite store export codes.jsonl.gz -s codes
      pincite store export - --no-vectors | jq -r 'select(.kind == "documents").row.uri'
    """
    from pincite.wiring import upkeep

    if destination == "-" and as_json:
        raise UsageError("With - the export itself is the output.", "Give a file, or leave out --json.")
    name, file = upkeep(store)
    to = None if destination == "-" else Path(destination)
    with steps_shown(quiet or as_json or to is None) as steps:
        report = file.export(to, vectors=not no_vectors, force=force, steps=steps)
    if to is None:
        note(f"Exported the store {name}: {rows_text(report.rows)}.")
        return
    text = f"Exported the store {name}: {report.path} ({size_text(report.bytes)}; {rows_text(report.rows)})."
    emit(text, copy_json(name, report), as_json=as_json)


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path), metavar="FILE")
@click.argument("name")
@click.option("--file", default="", metavar="PATH", help="Where the file of the new store is to be.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@json_option
def import_command(source: Path, name: str, file: str, quiet: bool, as_json: bool) -> None:
    """Make a new store from an export: all of it, checked, or nothing. A damaged line says its number.

    \b
    Examples:
      pincite store import codes.jsonl.gz codes-again
      pincite store import codes.jsonl archive --file /media/disk/archive.db
    """
    from pincite.config import load_config
    from pincite.wiring import import_store

    with steps_shown(quiet or as_json) as steps:
        report = import_store(source, name, load_config(), file, steps)
    text = f"Made the store {name}: {report.path} ({rows_text(report.rows)}).\nUse it with -s {name}."
    emit(text, copy_json(name, report), as_json=as_json)


COMMANDS = (export_command, import_command)
