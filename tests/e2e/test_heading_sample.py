"""A sample of passages whose headings were read off the printed page by eye: how many carry the right path.

`headings.jsonl` names file, page, the beginning of a line and the headings over it, outermost first, without
the title of the document; ancestors that the eye was not sure of are left out. A path is right when its
innermost heading is and all the others stand above it in order.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from builders import SHARED, needs_shared
from pincite.adapters.files import source_of
from pincite.adapters.readers import TABLE
from pincite.adapters.readers.content import Content
from pincite.core.documents import Reading, Source
from pincite.core.headings import heading_paths, with_run_in_headings
from pincite.core.text import fold

ROWS = [json.loads(line) for line in (Path(__file__).parents[1] / "headings.jsonl").read_text("utf-8").splitlines()]
FLOOR = 0.90


def letters(text: str) -> str:
    return "".join(character for character in fold(text) if character.isalnum())


def same(ours: str, wanted: str) -> bool:
    """Titles may be cut, or have their mark before them; superscripts stand elsewhere in the text of a PDF."""
    if ours == wanted or (len(ours) > 12 and sorted(ours) == sorted(wanted)):
        return True
    return min(len(ours), len(wanted)) >= 8 and (
        ours.startswith(wanted) or wanted.startswith(ours) or ours.endswith(wanted)
    )


def read(name: str) -> Reading:
    source = source_of(SHARED / name)
    assert isinstance(source, Source)
    module, _, reader = TABLE[source.media_type][1].partition(":")
    reading: Reading = getattr(import_module(module), reader)().read(Content(SHARED / name))
    return replace(reading, blocks=with_run_in_headings(reading.text, reading.blocks))


def path_of(reading: Reading, paths: Sequence[tuple[str, ...]], row: dict[str, Any]) -> list[str]:
    quote = letters(row["quote"])
    for block, path in zip(reading.blocks, paths, strict=True):
        if row["page"] in (None, block.page) and quote in letters(reading.text[block.start : block.end]):
            return [letters(title) for title in path]
    return []


def is_right(ours: Sequence[str], wanted: Sequence[str]) -> bool:
    above = iter(ours)
    in_order = all(any(same(title, want) for title in above) for want in wanted)
    return in_order and bool(ours) and same(ours[-1], wanted[-1])


@needs_shared
@pytest.mark.shared
def test_nine_of_ten_passages_carry_the_right_path() -> None:
    by_file: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in ROWS:
        by_file[row["file"]].append(row)
    wrong = []
    for name, rows in by_file.items():
        reading = read(name)
        paths = heading_paths(reading.text, reading.blocks)
        wrong += [
            f"{name} p. {row['page']}: {row['quote']}"
            for row in rows
            if not is_right(path_of(reading, paths, row), [letters(title) for title in row["path"]])
        ]
    assert len(ROWS) - len(wrong) >= FLOOR * len(ROWS), "\n".join(wrong)
