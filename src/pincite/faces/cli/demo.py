"""`pincite demo`"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from pincite.faces.cli.output import emit, json_option, note
from pincite.faces.json_form import SCHEMA, answer_json, ingest_json
from pincite.faces.text_form import answer_text, ingest_text

STORE = "demo"
QUESTIONS = (
    "What is the minimum clear width of a doorway?",
    "What does 405.6 say?",
    "What is the most integrated setting?",
    "What is the minimum gate width for a fire apparatus access road?",
)
"""A plain question, a clause number, one answered from a PDF page, and one that the sample does not answer."""


@click.command("demo")
@json_option
def demo_command(as_json: bool) -> None:
    """Show it on a sample of real law text: two chapters of the 2010 ADA Standards and a PDF of guidance.

    The sample goes into a store called demo; ask it more with `pincite ask -s demo "…"`. No network is used.

    \b
    Example:
      pincite demo
    """
    from pincite.wiring import open_library

    sample = Path(str(resources.files("pincite") / "data" / "demo"))
    if not as_json:
        note(f"$ pincite ingest -s {STORE} {sample}")
    with open_library(STORE, write=True) as library:
        report = library.ingest([sample])
        if not as_json:
            click.echo(ingest_text(report))
        answers = []
        for question in QUESTIONS:
            answer = library.ask(question)
            answers.append(answer_json(answer, library.name))
            if not as_json:
                click.echo(f'\n$ pincite ask -s {STORE} "{question}"\n{answer_text(answer)}')
    value = {"schema": SCHEMA, "store": STORE, "ingest": ingest_json(report), "answers": answers}
    emit('\nNow your own: pincite ingest PATH, then pincite ask "…"', value, as_json=as_json)
