"""`pincite forget` and `pincite purge`"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pincite.core.documents import OutcomeKind
from pincite.core.errors import UsageError
from pincite.core.finding import find_document
from pincite.core.moments import moment_before
from pincite.core.ports import Filter
from pincite.faces.cli.output import F, emit, filter_options, json_option, librarian, note, store_option
from pincite.faces.history_forms import (
    count,
    failures_json,
    failures_preview,
    purge_json,
    purge_text,
    selection_json,
    selection_text,
)

if TYPE_CHECKING:
    from pincite.library import Library

INTEGRITY = 7


@dataclass(frozen=True)
class Chosen:
    """The options that say which documents."""

    collection: str
    tags: tuple[str, ...]
    documents: tuple[str, ...]
    glob: str
    status: tuple[str, ...]
    older_than: str

    def filter(self, number_of: Callable[[str], int]) -> Filter:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return Filter(
            documents=tuple(number_of(document) for document in self.documents),
            collection=self.collection,
            tags=self.tags,
            glob=self.glob,
            outcomes=tuple(OutcomeKind(kind) for kind in self.status),
            updated_before=moment_before(now, self.older_than) if self.older_than else "",
        )


def _which(command: F) -> F:
    """The options of Chosen."""
    for option in (
        click.option(
            "--older-than",
            default="",
            metavar="AGE",
            help="Only what was last changed before: 90d, 8w, 6m, 2y, a date.",
        ),
        click.option(
            "--status",
            multiple=True,
            type=click.Choice([kind.value for kind in OutcomeKind]),
            help="Only what was read like this; any of them if several.",
        ),
        filter_options,
    ):
        command = option(command)
    return command


@click.command("forget")
@_which
@click.option("--failed", is_flag=True, help="Forget that files could not be read, instead of documents.")
@click.option("--reason", default="", help="Why; kept in the history.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Only show what would go.")
@store_option
@json_option
def forget_command(
    failed: bool, reason: str, yes: bool, dry_run: bool, store: str, as_json: bool, **which: Any
) -> None:
    """Move documents to the trash: no search finds them any more, `pincite restore` brings them back.

    Says first what would go, and asks; without a terminal it does nothing unless --yes is given. All filters must
    hold. Without a filter nothing is done (exit code 2). What is inside a file, such as an attachment, goes with it.

    \b
    Examples:
      pincite forget --document old-policy.md --reason "no longer in force"
      pincite forget --collection drafts --older-than 90d --dry-run
      pincite forget --glob '*/tmp/*' --yes
      pincite forget --failed --glob '*.pdf'
    """
    chosen = Chosen(**which)
    work = _forget_failures if failed else _forget_documents
    with librarian(store) as library:
        work(library, chosen, _Consent(yes, dry_run), reason, as_json)


@dataclass(frozen=True)
class _Consent:
    yes: bool
    dry_run: bool

    def given(self, question: str) -> bool:
        """Whether to go on. Raises UsageError when there is nobody to ask."""
        if self.dry_run:
            return False
        if self.yes:
            return True
        if not sys.stdin.isatty():
            raise UsageError(
                "There is no terminal to ask on: nothing was done.", "Look at the preview, then add --yes."
            )
        return click.confirm(question, err=True)


def _forget_documents(library: Library, chosen: Chosen, consent: _Consent, reason: str, as_json: bool) -> None:
    where = chosen.filter(lambda document: library.inspect(document).document.id)
    preview = library.forget_preview(where)
    note(selection_text(preview, "would go to the trash"))
    done = bool(preview.documents) and consent.given("Move them to the trash?")
    if done:
        library.forget(where, reason=reason, token=preview.token)
    said = f"{count(len(preview.documents), 'document')} moved to the trash. Back: pincite restore DOC"
    text = said if done else "Nothing was done."
    emit(text, selection_json(preview, forgotten=done), as_json=as_json)


def _forget_failures(library: Library, chosen: Chosen, consent: _Consent, reason: str, as_json: bool) -> None:
    where = chosen.filter(lambda document: library.inspect(document).document.id)
    preview = library.failures_preview(where)
    note(failures_preview(preview))
    done = bool(preview) and consent.given("Forget them?")
    if done:
        library.forget_failures(where)
    said = f"{count(len(preview), 'failure')} forgotten." if done else "Nothing was done."
    emit(said, failures_json(preview, forgotten=done), as_json=as_json)


@click.command("purge")
@_which
@click.option("--confirm", default="", metavar="TOKEN", help="The token of the preview: remove just that.")
@store_option
@json_option
def purge_command(confirm: str, store: str, as_json: bool, **which: Any) -> int:
    """Remove what is in the trash for good: every revision, its words and vectors, with proof that nothing is left.

    Without --confirm it shows what would go and the token that confirms just that. Exit code 7 when something is
    still in the file, as it is while another process reads the state before; run `pincite store compact` then.
    Copies elsewhere, such as backups, are not touched.

    \b
    Examples:
      pincite purge
      pincite purge --document old-policy.md
      pincite purge --document old-policy.md --confirm 3f2a91c07be4
    """
    chosen = Chosen(**which)
    with librarian(store) as library:
        where = chosen.filter(lambda document: _trashed(library, document))
        if not confirm:
            preview = library.purge_preview(where)
            note(selection_text(preview, "would be removed for good"))
            token = preview.token if preview.documents else None
            text = f"Nothing was removed. To remove them: add --confirm {token}" if token else "Nothing was removed."
            emit(text, selection_json(preview, token=token, purged=False), as_json=as_json)
            return 0
        report = library.purge(where, confirm=confirm)
    emit(purge_text(report), purge_json(report), as_json=as_json)
    return INTEGRITY if report.remains else 0


def _trashed(library: Library, reference: str) -> int:
    return find_document(reference, library.trash, where="in the trash", hint="See: pincite list --trash").id
