"""The command line. `main` is the program; each command lives in a room of its own, imported when it is used."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from pincite import __version__
from pincite.core.errors import PinciteError
from pincite.faces.cli.output import fail

COMMANDS = {
    "ingest": ("pincite.faces.cli.ingest:ingest_command", "Read files and folders into a store."),
    "reingest": ("pincite.faces.cli.ingest:reingest_command", "Try again the files that could not be read."),
    "search": ("pincite.faces.cli.ask:search_command", "Find the passages nearest to a text."),
    "ask": ("pincite.faces.cli.ask:ask_command", "Answer a question with exact citations, or NOT_FOUND."),
    "list": ("pincite.faces.cli.look:list_command", "List documents, or the files that could not be read."),
    "inspect": ("pincite.faces.cli.look:inspect_command", "Open a document up: pages, passages, what was read."),
    "read": ("pincite.faces.cli.read:read_command", "Print the exact text of a document, a page or a section."),
    "history": ("pincite.faces.cli.history:history_command", "Show revisions and changes."),
    "diff": ("pincite.faces.cli.history:diff_command", "Compare two revisions passage by passage."),
    "restore": ("pincite.faces.cli.history:restore_command", "Bring back from the trash, or an earlier revision."),
    "edit": ("pincite.faces.cli.edit:edit_command", "Change the text of a plain document, as a new revision."),
    "forget": ("pincite.faces.cli.forget:forget_command", "Move documents to the trash."),
    "purge": ("pincite.faces.cli.forget:purge_command", "Remove what is in the trash for good, with proof."),
    "status": ("pincite.faces.cli.look:status_command", "Say what a store holds."),
    "store": ("pincite.faces.cli.store:store_group", "Make, choose, move, check, copy and mend stores."),
    "demo": ("pincite.faces.cli.demo:demo_command", "Show it on a sample of real law text."),
    "probe": ("pincite.faces.cli.health:probe_command", "Measure what embedding costs on this machine."),
    "doctor": ("pincite.faces.cli.health:doctor_command", "Check every part and say how to mend it."),
    "config": ("pincite.faces.cli.settings:config_command", "Show the settings and where each comes from."),
    "completion": ("pincite.faces.cli.settings:completion_command", "Print a shell completion script."),
}
"""Name → where the command is, and its line of help; nothing is imported to list them."""


class LazyGroup(click.Group):
    """A group that imports a command only when it is called or asked for its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS:
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"Did you mean {near[0]}?" if near else "See: pincite --help"
            raise click.UsageError(f'There is no command "{name}". {hint}', ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pincite")
def cli() -> None:
    """Answers from your own documents, on your own machine, with pinpoint citations: file, page, section and
    the exact words. If the documents do not hold the answer, it says NOT_FOUND.

    \b
    Examples:
      pincite demo
      pincite ingest ~/codes
      pincite ask "How wide must a door be?"
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit. Faults become one sentence and a hint, or one JSON object with --json."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(arguments, as_json="--json" in _options(arguments)))


def _options(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments before a --, after which everything is text."""
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _run(arguments: list[str], *, as_json: bool) -> int:
    try:
        result = cli.main(arguments, prog_name="pincite", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except PinciteError as fault:
        return fail(fault, as_json=as_json)
    except click.UsageError as fault:
        if as_json:
            from pincite.core.errors import UsageError

            return fail(UsageError(fault.format_message(), "See: pincite --help"), as_json=True)
        fault.show()
        return 2
    except click.ClickException as fault:
        fault.show()
        return 1
    except (KeyboardInterrupt, click.Abort):
        click.echo("\nInterrupted. What was finished is kept; run the same command again to go on.", err=True)
        return 130
    except BrokenPipeError:
        # The reader of our output went away, as `| head` does. Nothing more may be written, not even at exit.
        # Code 1, as click gives when the same happens while a command prints.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
