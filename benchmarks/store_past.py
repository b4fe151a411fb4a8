"""Twenty dated edits of a small corpus, and a store built anew from the files of each day: do both answer alike?"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks.made_documents import made_document
from pincite.adapters.sqlite import SqliteStore, open_for_writing
from pincite.core.history import TrashReason
from pincite.core.ports import DocumentDraft, Filter, Store
from pincite.pipelines.retrieve import Retriever, search_store
from pincite.testing import FakeEmbedder

DAYS = 20
EMBEDDER = FakeEmbedder(dimension=64)
QUERIES = ("version1 part bara", "document3", "celin dito fomber", "version2 gund hayel", "part 4", "nowhere")
ALL = Filter()


def differences(seed: int = 7) -> tuple[int, int]:
    """Days times questions that were compared, and how many were answered differently."""
    dice = random.Random(seed)
    days: list[dict[str, DocumentDraft]] = []
    clock = {"day": 0}
    with tempfile.TemporaryDirectory() as folder:
        store = open_for_writing(
            Path(folder) / "all.db", "all", now=lambda: f"2026-05-{clock['day']:02}T08:00:00+00:00"
        )
        store.use_embedder(EMBEDDER.identity)
        files: dict[str, DocumentDraft] = {}
        for day in range(1, DAYS + 1):
            clock["day"] = day
            files = _edited(store, files, dice, day)
            days.append(files)
        wrong = 0
        for day, held in enumerate(days, start=1):
            fresh = _built(Path(folder) / f"{day}.db", held)
            past = store.as_of(f"2026-05-{day:02}")
            wrong += sum(_answers(past, query) != _answers(fresh, query) for query in QUERIES)
            fresh.close()
        store.close()
    return DAYS * len(QUERIES), wrong


def _edited(
    store: SqliteStore, files: Mapping[str, DocumentDraft], dice: random.Random, day: int
) -> dict[str, DocumentDraft]:
    """Some files more, one changed, one gone, one renamed."""
    held = dict(files)
    for number in range(day * 3, day * 3 + 3):
        made = made_document(number, 1, EMBEDDER)
        held[made.source.uri] = made
        store.save(made)
    changed, gone, moved = dice.sample(sorted(held), 3)
    again = made_document(int(Path(changed).stem.split("-")[0]), day + 1, EMBEDDER)
    held[changed] = replace(again, source=replace(again.source, uri=changed, name=Path(changed).name))
    store.save(held[changed])
    del held[gone]
    store.keeper.trash([store.find(gone).id], TrashReason.VANISHED)
    target = moved.replace(".md", "-moved.md")
    store.keeper.rename(store.find(moved).id, target, Path(target).name)
    old = held.pop(moved)
    held[target] = replace(old, source=replace(old.source, uri=target, name=Path(target).name))
    return held


def _built(path: Path, files: Mapping[str, DocumentDraft]) -> SqliteStore:
    store = open_for_writing(path, "fresh")
    store.use_embedder(EMBEDDER.identity)
    for _, made in sorted(files.items()):
        store.save(made)
    return store


def _answers(store: Store, query: str) -> list[tuple[float, str, str, tuple[str, ...]]]:
    """Score, place, words and headings of every hit; equal scores in one order for both."""
    result = search_store(Retriever(store, EMBEDDER), query, 10, ALL)
    rows = [
        (round(-hit.score, 6), hit.passage.document.uri, hit.passage.chunk.text, hit.passage.chunk.locator.headings)
        for hit in result.hits
    ]
    last = max((row[0] for row in rows), default=0.0)
    return [*sorted(row for row in rows if row[0] < last), (last, "", "", ())]
