"""`pincite store backup`, `restore-backup`, `check`, `rebuild` and `compact`"""

from __future__ import annotations

from pathlib import Path

import click

from pincite.core.errors import StoreCorrupt
from pincite.core.reports import Change
from pincite.core.upkeep import CheckReport, Steps
from pincite.faces.cli.ingest import progress_shown
from pincite.faces.cli.long_work import confirmed, content_of, steps_shown
from pincite.faces.cli.output import SOME_FAILED, emit, json_option, store_option
from pincite.faces.json_form import SCHEMA
from pincite.faces.store_forms import (
    check_text,
    compact_json,
    compact_text,
    copy_json,
    corpus_json,
    corpus_text,
    size_text,
    store_check_json,
)

DAMAGED = 7
_QUIET = click.option("--quiet", "-q", is_flag=True, help="No progress.")


@click.command("backup")
@click.argument("destination", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@_QUIET
@store_option
@json_option
def backup_command(destination: Path, force: bool, quiet: bool, store: str, as_json: bool) -> None:
    """Copy a store as it is now into one file, checked. Others may go on reading and writing meanwhile.

    \b
    Examples:
      pincite store backup ~/backups/codes.db -s codes
      pincite store backup nightly.db --force --quiet
    """
    from pincite.wiring import upkeep

    name, file = upkeep(store)
    with steps_shown(quiet or as_json) as steps:
        report = file.backup(destination, force=force, steps=steps)
    text = f"Backed up the store {name}: {report.path} ({size_text(report.bytes)})\n"
    text += f"Bring it back with: pincite store restore-backup '{report.path}' -s {name}"
    emit(text, copy_json(name, report), as_json=as_json)


@click.command("restore-backup")
@click.argument("source", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--no-copy", is_flag=True, help="Do not keep a copy of the store as it is now.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_QUIET
@store_option
@json_option
def restore_backup_command(source: Path, no_copy: bool, yes: bool, quiet: bool, store: str, as_json: bool) -> int:
    """Make a store what a backup is. The backup is checked first, and the store as it is now is kept beside it.

    Programs that have the store open see the old content or the new, never a mix. (`pincite restore DOC` is another
    thing: it brings back one document.)

    \b
    Examples:
      pincite store restore-backup ~/backups/codes.db -s codes
      pincite store restore-backup nightly.db --yes --json
    """
    from pincite.wiring import upkeep

    name, file = upkeep(store, must_exist=False)
    kept = "Nothing of the store as it is now is kept." if no_copy else "The store as it is now is kept beside it."
    preview = (
        f"This replaces the store {name}{content_of(store)} with {source}{content_of(str(source.absolute()))}. {kept}"
    )
    if not confirmed(preview, yes=yes, as_json=as_json):
        return 1
    with steps_shown(quiet or as_json) as steps:
        report = file.restore(source, keep=not no_copy, steps=steps)
    text = f"The store {name} is now what the backup is ({size_text(report.bytes)})."
    if report.kept:
        text += f"\nAs it was before: {report.kept}"
    emit(text, copy_json(name, report), as_json=as_json)
    return 0


@click.command("check")
@_QUIET
@store_option
@json_option
def check_command(quiet: bool, store: str, as_json: bool) -> int:
    """Look at all of a store: every page of the file, every index, every passage of every revision cut anew out of
    its text, and a real question to each lane.

    Exit code 7 when anything is wrong, each fault a sentence. `pincite doctor` takes a quicker look.

    \b
    Examples:
      pincite store check
      pincite store check -s codes --json
    """
    from pincite.wiring import upkeep

    with steps_shown(quiet or as_json) as steps:
        report = _checked(store, steps)
    emit(check_text(report), store_check_json(upkeep(store)[0], report), as_json=as_json)
    return 0 if report.ok else DAMAGED


def _checked(store: str, steps: Steps) -> CheckReport:
    """With the lanes, if the file can be opened at all."""
    from pincite.wiring import open_library, upkeep

    try:
        with open_library(store) as library:
            return library.check(steps)
    except StoreCorrupt:
        return upkeep(store)[1].check(steps)


@click.command("rebuild")
@click.option("--corpus", is_flag=True, help="Read all files again as well, beside the store.")
@_QUIET
@store_option
@json_option
def rebuild_command(corpus: bool, quiet: bool, store: str, as_json: bool) -> int:
    """Make the full-text index anew from the stored text; with --corpus, read every file again.

    Readers have the old until the new is whole. With --corpus a copy of the store is read anew beside it and then
    takes its place: do it after an update that reads better, or to cut passages by another profile. Files that are
    gone keep their last good revision. If anybody changes the store meanwhile, nothing is replaced (exit code 5).

    \b
    Examples:
      pincite store rebuild
      PINCITE_PROFILE=long-sections pincite store rebuild --corpus -s codes
    """
    from pincite.wiring import rebuild_corpus, upkeep

    name, file = upkeep(store)
    if corpus:
        with progress_shown(quiet or as_json) as progress:
            report = rebuild_corpus(store, progress=progress)
        emit(corpus_text(report), corpus_json(name, report), as_json=as_json)
        return SOME_FAILED if report.ingest.count(Change.FAILED) else 0
    with steps_shown(quiet or as_json) as steps:
        passages = file.rebuild(steps)
    text = f"The full-text index of {name} is made anew: {passages:,} passages."
    emit(text, {"schema": SCHEMA, "store": name, "passages": passages}, as_json=as_json)
    return 0


@click.command("compact")
@_QUIET
@store_option
@json_option
def compact_command(quiet: bool, store: str, as_json: bool) -> None:
    """Give back space that a store does not use any more, and merge its full-text index.

    For a while this needs twice the size of the data on the disk; that is asked for before anything begins.

    \b
    Example:
      pincite store compact -s codes
    """
    from pincite.wiring import upkeep

    name, file = upkeep(store)
    with steps_shown(quiet or as_json) as steps:
        report = file.compact(steps)
    emit(compact_text(report), compact_json(name, report), as_json=as_json)


COMMANDS = (backup_command, restore_backup_command, check_command, rebuild_command, compact_command)
