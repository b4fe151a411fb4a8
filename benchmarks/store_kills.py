"""Processes that are killed while they write, and what they leave behind.

`python -m benchmarks.store_kills VERB FILE` does one verb over and over until it is killed. After each death the
store must open, be sound, hold every document that was committed before, and show nothing half old, half new.
"""

from __future__ import annotations

import lzma
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from benchmarks.common import ROOT
from benchmarks.made_documents import made_document
from pincite.adapters.sqlite import SqliteStore, open_for_writing
from pincite.adapters.sqlite.backup import restore_store
from pincite.core.history import TrashReason, selection
from pincite.core.ports import Filter
from pincite.testing import FakeEmbedder

DOCUMENTS = 24
ALL = Filter()
OLD, NEW = FakeEmbedder("old", dimension=32), FakeEmbedder("new", dimension=32)
FIRST_STEP = ROOT / "tests" / "fixtures" / "store-1.db.xz"


def ingest(path: Path) -> None:
    """Every document gets its next version, round after round."""
    store = open_for_writing(path, "killed")
    for version in count(2):
        for number in range(DOCUMENTS):
            store.save(made_document(number, version, OLD))


def reindex(path: Path) -> None:
    """To the other embedder and back, dropping the one that was left."""
    store = open_for_writing(path, "killed")
    while True:
        live = store.generations()[0]
        fresh = NEW if live.name == OLD.identity.name else OLD
        number = store.keeper.begin_generation(fresh.identity).id
        while not store.keeper.switch_generation(number):
            missing = store.texts_without_vector(number, 20)
            rows = fresh.embed_passages(list(missing.values()))
            store.keeper.add_vectors(number, {digest: rows.row(i) for i, digest in enumerate(missing)})
        store.keeper.drop_generation(live.id)


def swap(path: Path) -> None:
    """One of two whole contents after the other, put into the live file."""
    while True:
        for version in (2, 3):
            restore_store(path.with_name(f"content-{version}.db"), path, keep=False)


def purge(path: Path) -> None:
    """Documents go to the trash and out of it for good; others take their place."""
    store = open_for_writing(path, "killed")
    for number in set(range(DOCUMENTS)) - set(_versions(store)):
        store.save(made_document(number, 1, OLD))
    for turn in count():
        number = turn % (DOCUMENTS // 2)
        found = [d for d in store.documents(ALL) if d.name == f"{number:06}.md"]
        store.keeper.trash([document.id for document in found], TrashReason.FORGOTTEN)
        chosen = selection(store.trash(ALL))
        if chosen.documents:
            store.keeper.purge(chosen, chosen.token)
        store.save(made_document(number, 1, OLD))


def migrate(path: Path) -> None:
    """A store of the first step is brought up to date, again and again."""
    whole = lzma.decompress(FIRST_STEP.read_bytes())
    for turn in count():
        fresh = path.with_name(f"step-{turn}.db")
        fresh.write_bytes(whole)
        fresh.replace(path.with_name("step.db"))
        open_for_writing(path.with_name("step.db"), "killed").close()
        path.with_name("step.db").unlink()


VERBS: dict[str, Callable[[Path], None]] = {
    "ingest": ingest,
    "reindex": reindex,
    "swap": swap,
    "purge": purge,
    "migrate": migrate,
}


def kill_often(turns: int, seed: int = 4) -> tuple[int, list[str]]:
    """Kills, and the sentences that say what was lost or mixed; none when all is well."""
    dice = random.Random(seed)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(turns):
            verb = list(VERBS)[turn % len(VERBS)]
            path = Path(folder) / verb / "store.db"
            if not path.exists():
                _prepare(path, verb)
            process = subprocess.Popen([sys.executable, "-m", "benchmarks.store_kills", verb, str(path)], cwd=ROOT)
            time.sleep(dice.uniform(0.35, 1.6))
            died_by_itself = process.poll() is not None
            process.send_signal(signal.SIGKILL)
            process.wait()
            found = [f"the process of {verb} ended by itself"] if died_by_itself else []
            faults += [f"{verb}, turn {turn}: {fault}" for fault in [*found, *_faults(path, verb)]]
    return turns, faults


def _prepare(path: Path, verb: str) -> None:
    path.parent.mkdir()
    for version in (1, 2, 3):
        store = open_for_writing(path.with_name(f"content-{version}.db"), "killed")
        store.use_embedder(OLD.identity)
        for number in range(DOCUMENTS):
            store.save(made_document(number, version, OLD))
        store.close()
    shutil.copy(path.with_name("content-1.db"), path)


def _faults(path: Path, verb: str) -> list[str]:
    if verb == "migrate":
        return _after_migration(path.with_name("step.db"))
    store = open_for_writing(path, "killed")
    try:
        faults = store.integrity()
        faults += {"ingest": _after_ingest, "swap": _after_swap, "purge": _after_purge}.get(verb, _after_ingest)(store)
        live = store.vectors.size()
        if live != store.lexical.size():
            faults.append(f"{live} vectors for {store.lexical.size()} passages")
        states = [generation.state for generation in store.generations()]
        if states.count("live") != 1 or (verb == "reindex" and store.generations()[0].missing):
            faults.append(f"the generations are {states}")
        return faults
    finally:
        store.close()


def _versions(store: SqliteStore) -> dict[int, int]:
    """The version of each live document, each checked word for word."""
    found = {}
    for document in store.documents(ALL):
        number, text = int(document.name[:6]), store.revision(document.id).text
        version = int(text.split("version", 1)[1].split(" ", 1)[0])
        made = made_document(number, version, None)
        found[number] = version if made.reading.text == text else -1
    return found


def _after_ingest(store: SqliteStore) -> list[str]:
    versions = _versions(store)
    lost = DOCUMENTS - len(versions)
    return ([f"{lost} documents are lost"] if lost else []) + (["a text is mixed"] if -1 in versions.values() else [])


def _after_swap(store: SqliteStore) -> list[str]:
    kinds = set(_versions(store).values())
    return _after_ingest(store) + ([f"contents {kinds} are live together"] if len(kinds) != 1 else [])


def _after_purge(store: SqliteStore) -> list[str]:
    """At most the one that was being replaced is missing, and it is either whole in the trash or wholly gone."""
    versions, trash = _versions(store), store.trash(ALL)
    faults = ["a text is mixed"] if -1 in versions.values() else []
    if len(versions) < DOCUMENTS - 1 or len(trash) > 1:
        faults.append(f"{len(versions)} documents are live, {len(trash)} in the trash")
    for document in trash:
        number = int(document.name[:6])
        if store.revision(document.id, document.revision).text != made_document(number, 1, None).reading.text:
            faults.append("a document in the trash is not whole")
    return faults


def _after_migration(path: Path) -> list[str]:
    if not path.exists():
        return []
    store = open_for_writing(path, "killed")
    try:
        names = [document.name for document in store.documents(ALL)]
        faults = store.integrity() + (store.status().schema < 2) * ["it is not up to date"]
        return faults + ([] if len(names) == 4 else [f"{names} are there"])
    finally:
        store.close()
        for file in path.parent.glob("step*"):
            file.unlink()


if __name__ == "__main__":
    VERBS[sys.argv[1]](Path(sys.argv[2]))
