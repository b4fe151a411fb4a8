"""`pincite list`, `pincite inspect` and `pincite status`"""

from __future__ import annotations

import click

from pincite.core.ports import Filter
from pincite.faces.cli.output import as_of_option, emit, json_option, store_option
from pincite.faces.history_forms import trash_text
from pincite.faces.json_form import SCHEMA, document_json, failure_json, inspection_json, status_json
from pincite.faces.text_form import documents_text, failures_text, inspection_text, status_text


@click.command("list")
@click.option("--failed", is_flag=True, help="The files that could not be read, with their reasons.")
@click.option("--trash", is_flag=True, help="The documents in the trash.")
@click.option("--collection", default="", help="Only this collection.")
@click.option("--tag", "tags", multiple=True, help="Only documents with this tag.")
@click.option("--glob", default="", metavar="PATTERN", help="Only paths that match.")
@as_of_option
@store_option
@json_option
def list_command(
    failed: bool,
    trash: bool,
    collection: str,
    tags: tuple[str, ...],
    glob: str,
    as_of: str,
    store: str,
    as_json: bool,
) -> None:
    """List documents, those in the trash, or the files that could not be read.

    \b
    Examples:
      pincite list
      pincite list --collection runbooks --tag ops
      pincite list --failed
      pincite list --trash
      pincite list --as-of 2026-03-31
    """
    from pincite.wiring import open_library

    if sum([failed, trash, bool(as_of)]) > 1:
        raise click.UsageError("--failed, --trash and --as-of exclude each other.")

    with open_library(store) as library:
        if failed:
            failures = library.failures()
            value = {"schema": SCHEMA, "failures": [failure_json(failure) for failure in failures]}
            emit(failures_text(failures), value, as_json=as_json)
            return
        where = Filter(collection=collection, tags=tags, glob=glob)
        documents = library.trash(where) if trash else library.documents(where, as_of=as_of)
        value = {"schema": SCHEMA, "documents": [document_json(document) for document in documents]}
        emit(trash_text(documents) if trash else documents_text(documents), value, as_json=as_json)


@click.command("inspect")
@click.argument("document", metavar="DOC")
@click.option("--page", type=click.IntRange(1), help="Show the text of this page, as the file counts pages.")
@click.option("--chunks", is_flag=True, help="Show the passages with their places.")
@click.option("--revision", type=click.IntRange(1), help="An earlier revision instead of the live one.")
@as_of_option
@store_option
@json_option
def inspect_command(
    document: str, page: int | None, chunks: bool, revision: int | None, as_of: str, store: str, as_json: bool
) -> None:
    """Open a document up: what was read, its pages, its passages.

    DOC is a number from `pincite list`, a path, or the end of a path.

    \b
    Examples:
      pincite inspect 3
      pincite inspect fire-code.pdf --page 41
      pincite inspect fire-code.pdf --chunks --json
      pincite inspect fire-code.pdf --as-of 2026-03-31
    """
    from pincite.wiring import open_library

    with open_library(store) as library:
        inspection = library.inspect(document, revision=revision, as_of=as_of)
        text = inspection_text(inspection, page=page, chunks=chunks)
        emit(text, inspection_json(inspection, page), as_json=as_json)


@click.command("status")
@store_option
@json_option
def status_command(store: str, as_json: bool) -> None:
    """Say what a store holds: documents, passages, vectors, what could not be read.

    \b
    Examples:
      pincite status
      pincite status -s codes --json
    """
    from pincite.wiring import open_library

    with open_library(store) as library:
        status = library.status()
        emit(status_text(status), status_json(status), as_json=as_json)
