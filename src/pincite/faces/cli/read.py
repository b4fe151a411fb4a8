"""`pincite read`"""

from __future__ import annotations

import click

from pincite.faces.cli.output import as_of_option, emit, json_option, note, store_option
from pincite.faces.reading_forms import extract_json, extract_text, more_hint, parse_address


@click.command("read")
@click.argument("document", metavar="DOC|ADDRESS")
@click.option("--page", type=click.IntRange(1), help="Only this page, as the file counts pages.")
@click.option("--section", default="", metavar="TEXT", help="Only the section with this number or title.")
@click.option("--from", "start", type=click.IntRange(0), help="From this character on.")
@click.option("--to", "end", type=click.IntRange(0), help="Up to this character.")
@click.option("--limit", "-n", type=click.IntRange(1), help="Characters at most. [default: 20000]")
@click.option("--revision", type=click.IntRange(1), help="An earlier revision instead of the live one.")
@as_of_option
@store_option
@json_option
def read_command(
    document: str,
    page: int | None,
    section: str,
    start: int | None,
    end: int | None,
    limit: int | None,
    revision: int | None,
    as_of: str,
    store: str,
    as_json: bool,
) -> None:
    """Print the exact text of a document, a page or a section of it, with a line where each page begins.

    DOC is a number from `pincite list`, a path, or the end of a path; or the address of a passage, as --json
    shows it. What is past --limit is told on standard error, with the command that goes on.

    \b
    Examples:
      pincite read fire-code.pdf --page 41
      pincite read fire-code.pdf --section 503.2.1
      pincite read policy.md --as-of 2026-03-31
      pincite read "pincite://codes/3?rev=2&start=120&end=260"
    """
    from pincite.pipelines.extracting import LIMIT, Part
    from pincite.wiring import open_library

    named = parse_address(document)
    if named is not None:
        store, document, revision = store or named.store, named.document, revision or named.revision
        if page is None and not section and start is None and end is None:
            start, end = named.start, named.end
    with open_library(store) as library:
        part = Part(page, section, start, end)
        extract = library.read(document, part, revision=revision, as_of=as_of, limit=limit or LIMIT)
    emit(extract_text(extract), extract_json(extract), as_json=as_json)
    if not as_json and more_hint(extract):
        note(more_hint(extract))
