"""`pincite edit`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pincite.core.errors import UsageError
from pincite.faces.cli.output import emit, json_option, librarian, note, store_option
from pincite.faces.json_form import SCHEMA, document_json
from pincite.faces.text_form import clean

if TYPE_CHECKING:
    from pincite.library import Library


@click.command("edit")
@click.argument("document", metavar="DOC")
@click.argument("given", metavar="[-]", default="", type=click.Choice(["", "-"]))
@click.option("--file", "file", default="", type=click.Path(), metavar="FILE", help="Take the new text from this file.")
@click.option("--reason", default="", help="Why; kept in the history.")
@click.option("--expects", type=click.IntRange(1), metavar="N", help="Only if revision N is still the live one.")
@store_option
@json_option
def edit_command(
    document: str, given: str, file: str, reason: str, expects: int | None, store: str, as_json: bool
) -> None:
    """Give a plain text or Markdown document a new text, as a new revision; the file on disk stays as it is.

    The text comes from --file, from standard input for a -, or from your editor. Only passages whose words are new
    are embedded. The edit stays when the unchanged file is ingested again. Exit code 5 when somebody changed the
    document meanwhile.

    \b
    Examples:
      pincite edit policy.md --reason "typing error in section 3"
      pincite edit policy.md --file policy-new.md --expects 4
      sed s/14/30/ policy.md | pincite edit policy.md -
    """
    if given and file:
        raise click.UsageError("--file and - exclude each other.")
    with librarian(store) as library:
        before = library.inspect(document).document
        text = _given_text(given, file) if given or file else _from_editor(library, document)
        expects = before.revision if expects is None else expects
        after = before if text is None else library.edit(before.id, text, reason=reason, expects=expects)
    changed = after.revision != before.revision
    said = f"{clean(after.name)} is at revision {after.revision} now." if changed else "Nothing was changed."
    emit(said, {"schema": SCHEMA, "changed": changed, "document": document_json(after)}, as_json=as_json)


def _given_text(given: str, file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if given else Path(file).read_bytes()
    except OSError as fault:
        raise UsageError(f"{file} cannot be read: {fault.strerror}.", "Check the path.") from fault
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise UsageError("The new text is not UTF-8.", "Save it as UTF-8.") from fault


def _from_editor(library: Library, document: str) -> str | None:
    """The text as the person left it; None when they did not save."""
    held = library.editable(document)
    if not sys.stdin.isatty():
        raise UsageError("There is no terminal for an editor.", "Give the text with --file FILE or -.")
    if not held.exact:
        note("The Markdown source is not at hand: headings, tables and code are marked anew, other marks are lost.")
    return click.edit(held.text, extension=Path(held.document.name).suffix or ".txt")
