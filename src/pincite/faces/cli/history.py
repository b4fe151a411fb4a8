"""`pincite history`, `pincite diff` and `pincite restore`"""

from __future__ import annotations

import click

from pincite.faces.cli.output import emit, json_option, librarian, store_option
from pincite.faces.history_forms import (
    change_json,
    changes_text,
    count,
    diff_json,
    diff_text,
    history_json,
    history_text,
)
from pincite.faces.json_form import SCHEMA, document_json
from pincite.faces.text_form import clean


@click.command("history")
@click.argument("document", metavar="[DOC]", default="")
@click.option("--limit", "-n", type=click.IntRange(1), default=20, show_default=True, help="Changes of the store.")
@store_option
@json_option
def history_command(document: str, limit: int, store: str, as_json: bool) -> None:
    """Show the revisions and changes of a document, live or in the trash; * marks the live revision.

    Without DOC, the last changes of the store, newest first. Their numbers and times may follow --as-of.

    \b
    Examples:
      pincite history
      pincite history policy.md
      pincite history policy.md --json
    """
    from pincite.wiring import open_library

    with open_library(store) as library:
        if document:
            history = library.history(document)
            emit(history_text(history), history_json(history), as_json=as_json)
            return
        changes = library.changes(limit)
        value = {"schema": SCHEMA, "changes": [change_json(change) for change in changes]}
        emit(changes_text(changes), value, as_json=as_json)


@click.command("diff")
@click.argument("document", metavar="DOC")
@click.option("--from", "old", type=click.IntRange(1), help="The older revision. [default: the one before]")
@click.option("--to", "new", type=click.IntRange(1), help="The newer revision. [default: the newest]")
@store_option
@json_option
def diff_command(document: str, old: int | None, new: int | None, store: str, as_json: bool) -> None:
    """Compare two revisions of a document passage by passage.

    \b
    Examples:
      pincite diff policy.md
      pincite diff policy.md --from 1 --to 4
    """
    from pincite.wiring import open_library

    with open_library(store) as library:
        diff = library.diff(document, old, new)
    emit(diff_text(diff), diff_json(diff), as_json=as_json)


@click.command("restore")
@click.argument("documents", metavar="DOC…", nargs=-1, required=True)
@click.option("--revision", type=click.IntRange(1), help="Go back to this revision, as a new one.")
@click.option("--reason", default="", help="Why; kept in the history.")
@store_option
@json_option
def restore_command(documents: tuple[str, ...], revision: int | None, reason: str, store: str, as_json: bool) -> None:
    """Bring documents back from the trash; or, with --revision, one document back to an earlier text.

    Nothing is embedded anew, and nothing of the history is lost: the earlier text becomes the newest revision.
    It stays when the unchanged file is ingested again.

    \b
    Examples:
      pincite list --trash
      pincite restore policy.md
      pincite restore policy.md --revision 2 --reason "14 days was a misprint"
    """
    with librarian(store) as library:
        restored = library.restore(documents, revision=revision, reason=reason)
    value = {"schema": SCHEMA, "restored": [document_json(document) for document in restored]}
    emit(
        "\n".join(f"Restored {clean(d.name)}: {_now(d.id, d.revision, d.chunks)}" for d in restored),
        value,
        as_json=as_json,
    )


def _now(number: int, revision: int, passages: int) -> str:
    return f"document {number}, revision {revision}, {count(passages, 'passage')}."
