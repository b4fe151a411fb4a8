"""`pincite ingest`"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from pincite.core.reports import Change, IngestProgress
from pincite.faces.cli.output import SOME_FAILED, emit, json_option, note, store_option
from pincite.faces.json_form import ingest_json
from pincite.faces.text_form import clean, ingest_text

Progress = Callable[[IngestProgress], None]


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--collection", default="", help="Put the documents into this collection.")
@click.option("--tag", "tags", multiple=True, help="Give the documents this tag; may be repeated.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@store_option
@json_option
def ingest_command(
    paths: tuple[str, ...], collection: str, tags: tuple[str, ...], quiet: bool, store: str, as_json: bool
) -> int:
    """Read files and folders into a store.

    Folders are read with everything in them. A file that cannot be read is recorded with its reason and the
    run goes on (exit code 4). Unchanged files are passed over; changed ones replace their old text at once.

    \b
    Examples:
      pincite ingest fire-code.pdf
      pincite ingest ~/runbooks --collection runbooks --tag ops
      pincite ingest -s codes ~/codes --json
    """
    from pincite.wiring import open_library

    with open_library(store, write=True) as library, progress_shown(quiet or as_json) as progress:
        report = library.ingest(paths, collection=collection, tags=tags, progress=progress)
    emit(ingest_text(report), ingest_json(report), as_json=as_json)
    return SOME_FAILED if report.count(Change.FAILED) else 0


@click.command("reingest")
@click.option("--failed", is_flag=True, help="Try again what could not be read, or only in part.")
@click.option("--collection", default="", help="Collection of what becomes a document only now.")
@click.option("--tag", "tags", multiple=True, help="Tag of what becomes a document only now; may be repeated.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@store_option
@json_option
def reingest_command(
    failed: bool, collection: str, tags: tuple[str, ...], quiet: bool, store: str, as_json: bool
) -> int:
    """Try again the files that could not be read.

    A file that failed is remembered by its content and not tried again until it changes, or its reader does,
    or you say so. Documents that were read whole stay as they are.

    \b
    Examples:
      pincite reingest --failed
      pip install 'pincite[ocr]' && pincite reingest --failed
    """
    from pincite.wiring import open_library

    if not failed:
        raise click.UsageError("Say what to read again: --failed.")
    with open_library(store, write=True) as library, progress_shown(quiet or as_json) as progress:
        report = library.reingest(collection=collection, tags=tags, progress=progress)
    emit(ingest_text(report), ingest_json(report), as_json=as_json)
    return SOME_FAILED if report.count(Change.FAILED) else 0


@contextmanager
def progress_shown(silent: bool) -> Iterator[Progress | None]:
    """A bar on a terminal, a line now and then elsewhere, nothing when silent."""
    if silent:
        yield None
    elif sys.stderr.isatty():
        with _bar() as progress:
            yield progress
    else:
        yield _lines


def _lines(step: IngestProgress) -> None:
    if step.pages[0]:
        if step.pages[0] % 100 == 0:
            note(f"files {step.done}/{step.total}, {clean(step.name)[:60]}: {_pages(step)}")
    elif step.done == step.total or step.done % 100 == 0:
        note(f"files {step.done}/{step.total}, passages {step.passages}")


def _pages(step: IngestProgress) -> str:
    done, total = step.pages
    return f"{done} of {total}" if total else str(done)


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[detail]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("ingest", total=None, detail="")

        def show(step: IngestProgress) -> None:
            pages = f" ({_pages(step)})" if step.pages[0] else ""
            detail = f"{step.passages} passages  {clean(step.name)[:40]}{pages}"
            bar.update(task, completed=step.done, total=step.total, detail=detail)

        yield show
