"""`pincite search` and `pincite ask`"""

from __future__ import annotations

import click

from pincite.core.answers import NotFound
from pincite.faces.cli.output import (
    NOT_FOUND,
    as_of_option,
    emit,
    filter_of,
    filter_options,
    highlighted,
    json_option,
    store_option,
    text_of,
)
from pincite.faces.json_form import answer_json, search_json
from pincite.faces.text_form import answer_text, search_text


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="TEXT…")
@click.option("--limit", "-n", type=click.IntRange(1, 100), help="How many hits. [default: 5]")
@click.option("--explain", is_flag=True, help="Show the rank that each lane gave.")
@filter_options
@as_of_option
@store_option
@json_option
def search_command(
    words: tuple[str, ...],
    limit: int | None,
    explain: bool,
    collection: str,
    tags: tuple[str, ...],
    documents: tuple[str, ...],
    glob: str,
    as_of: str,
    store: str,
    as_json: bool,
) -> int:
    """Find the passages nearest to a text, by its words and by its meaning.

    The text is taken literally: no character in it is syntax. Exit code 3 when nothing is found.

    \b
    Examples:
      pincite search D103.4
      pincite search "how do I rotate a key" --collection runbooks
      pincite search --explain -n 10 gate width
      pincite search "gate width" --as-of 2026-03-31
      echo "C++ error NEAR(" | pincite search -
    """
    from pincite.config import load_config
    from pincite.wiring import open_library

    config = load_config()
    with open_library(store, config=config) as library:
        where = filter_of(library, collection, tags, documents, glob, as_of)
        result = library.search(text_of(words), limit=limit or config.limit, where=where, as_of=as_of)
        text = highlighted(search_text(result, explain=explain), result.query)
        emit(text, search_json(result, library.name), as_json=as_json)
    return 0 if result.hits else NOT_FOUND


@click.command("ask")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION…")
@filter_options
@as_of_option
@store_option
@json_option
def ask_command(
    words: tuple[str, ...],
    collection: str,
    tags: tuple[str, ...],
    documents: tuple[str, ...],
    glob: str,
    as_of: str,
    store: str,
    as_json: bool,
) -> int:
    """Answer a question with exact words from the documents and where they stand, or say NOT_FOUND.

    Every quote is checked against the stored text before it is shown. Exit code 3 for NOT_FOUND.

    \b
    Examples:
      pincite ask "How wide must a door be?"
      pincite ask "What does 404.2.3 say?"
      pincite ask -s codes --document fire-code.pdf "May a gate be locked?" --json
      pincite ask "How wide must a gate be?" --as-of 2026-03-31
    """
    from pincite.wiring import open_library

    with open_library(store) as library:
        where = filter_of(library, collection, tags, documents, glob, as_of)
        answer = library.ask(text_of(words), where=where, as_of=as_of)
        emit(answer_text(answer), answer_json(answer, library.name), as_json=as_json)
    return NOT_FOUND if isinstance(answer, NotFound) else 0
