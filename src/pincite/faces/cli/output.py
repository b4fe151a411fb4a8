"""What all commands share: options, output, and the way a fault is told."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pincite.core.errors import PinciteError, UsageError
from pincite.core.ports import Filter
from pincite.faces.json_form import error_json

if TYPE_CHECKING:
    from pincite.library import Library

F = TypeVar("F", bound=Callable[..., Any])
NOT_FOUND = 3
SOME_FAILED = 4


def store_option(command: F) -> F:
    """--store NAME|FILE, the same on every command."""
    return click.option(
        "--store", "-s", default="", metavar="NAME|FILE", help="The store to use; the active one if not given."
    )(command)


def json_option(command: F) -> F:
    """--json: exactly one JSON document on standard output."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")(command)


def as_of_option(command: F) -> F:
    """--as-of WHEN, the same on every command that reads."""
    return click.option(
        "--as-of",
        default="",
        metavar="WHEN",
        help="What was live then: a date, a time, or the number of a change (pincite history).",
    )(command)


@contextmanager
def librarian(store: str) -> Iterator[Library]:
    """The store for writing; unlike an ingest, this makes none that is not there."""
    from pincite.config import load_config
    from pincite.wiring import open_library, registry

    config = load_config()
    registry(config).resolve(store or config.store, must_exist=True)
    with open_library(store, write=True, config=config) as library:
        yield library


def filter_options(command: F) -> F:
    """The options that narrow down which documents count."""
    for option in (
        click.option("--glob", default="", metavar="PATTERN", help="Only paths that match, such as '*/codes/*'."),
        click.option("--document", "-d", "documents", multiple=True, metavar="DOC", help="Only this document."),
        click.option("--tag", "tags", multiple=True, help="Only documents with this tag; all of them if several."),
        click.option("--collection", default="", help="Only this collection."),
    ):
        command = option(command)
    return command


def filter_of(
    library: Library, collection: str, tags: tuple[str, ...], documents: tuple[str, ...], glob: str, as_of: str = ""
) -> Filter:
    """The filter that the options describe. Raises UnknownName for a document that is not there."""
    numbers = tuple(library.inspect(document, as_of=as_of).document.id for document in documents)
    return Filter(documents=numbers, collection=collection, tags=tags, glob=glob)


def text_of(words: tuple[str, ...]) -> str:
    """The text of a question: the arguments, or standard input for a single -."""
    if words == ("-",):
        return sys.stdin.read()
    text = " ".join(words)
    if not text.strip():
        raise UsageError("There is no question.", 'Example: pincite ask "How wide must a door be?"')
    return text


def emit(text: str, value: dict[str, Any], *, as_json: bool) -> None:
    """Print the one form or the other on standard output."""
    if as_json:
        click.echo(_printable(json.dumps(value, ensure_ascii=False, indent=2)))
    elif text:
        click.echo(_printable(text))


def note(text: str) -> None:
    """Talk to the person: on standard error, so that standard output stays clean."""
    click.echo(_printable(text), err=True)


def highlighted(text: str, query: str) -> str:
    """The text of a search with the query's words in bold where a person looks at it: on a terminal, unless
    NO_COLOR is set. Only passages are marked (the indented lines), not the lines that say where they stand."""
    words = sorted({word for word in re.findall(r"\w+", query) if len(word) > 1}, key=len, reverse=True)
    if not words or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    return "\n".join(
        pattern.sub(lambda found: click.style(found[0], bold=True), line) if line.startswith("   ") else line
        for line in text.split("\n")
    )


def _printable(text: str) -> str:
    """Halves of characters, which come from arguments and file names that are not UTF-8, as escapes: as they
    are they cannot be written. The escapes are valid JSON too."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def fail(fault: PinciteError, *, as_json: bool) -> int:
    """Tell a fault and give the exit code that goes with it."""
    if as_json:
        click.echo(_printable(json.dumps(error_json(fault), ensure_ascii=False, indent=2)))
    else:
        note(f"Error: {fault.message}")
        if fault.hint:
            note(f"       {fault.hint}")
    return fault.exit_code
