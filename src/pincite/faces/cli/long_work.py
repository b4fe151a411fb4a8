"""What long work tells a person: how far it is, and a question before anything is lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from pincite.core.errors import PinciteError, UsageError
from pincite.core.upkeep import Steps, in_silence
from pincite.faces.cli.output import note

_EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def steps_shown(silent: bool) -> Iterator[Steps]:
    """A bar on a terminal, a line now and then elsewhere, nothing when silent."""
    if silent:
        yield in_silence
    elif sys.stderr.isatty():
        with _bar() as steps:
            yield steps
    else:
        yield _lines()


def _lines() -> Steps:
    last = time.monotonic()

    def show(what: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            note(f"{what} {done}/{total}" if total else what)

    return show


@contextmanager
def _bar() -> Iterator[Steps]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total or None)


def content_of(store: str) -> str:
    """What a store holds, in brackets; empty where that cannot be known, as of one that is damaged."""
    from pincite.faces.store_forms import size_text
    from pincite.wiring import open_library

    try:
        with open_library(store) as library:
            status = library.status()
            return f" ({status.coverage.documents:,} documents, {size_text(status.bytes)})"
    except PinciteError:
        return ""


def confirmed(preview: str, *, yes: bool, as_json: bool, word: str = "yes") -> bool:
    """Show what would be lost and ask for a word. With `yes` nobody is asked; where nobody can answer it is refused,
    with UsageError."""
    if yes:
        return True
    if as_json or not sys.stdin.isatty():
        raise UsageError(preview, "Nothing was done. Say --yes to go on.")
    note(preview)
    if click.prompt(f"Type {word} to go on", default="", show_default=False, err=True).strip() == word:
        return True
    note("Nothing was done.")
    return False
