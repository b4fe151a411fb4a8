"""What looking after a large store takes, each verb in a process of its own.

`python -m benchmarks.store_memory VERB FILE` opens the store, notes the memory, does the verb, and prints one JSON
line: megabytes over the idle process at the peak, and seconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.common import ROOT
from benchmarks.made_documents import made_document
from pincite.adapters.sqlite import open_for_reading, open_for_writing
from pincite.adapters.sqlite.maintenance import SqliteUpkeep
from pincite.core.ports import Filter, Vectors
from pincite.testing import FakeEmbedder

DIMENSION = 384


class RandomEmbedder(FakeEmbedder):
    """Vectors of the usual size that cost nothing to make; no two are alike, as with real ones."""

    def __init__(self) -> None:
        super().__init__("random", dimension=DIMENSION)
        self._dice = np.random.default_rng(3)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        rows = self._dice.standard_normal((len(texts), DIMENSION), dtype=np.float32)
        return Vectors(DIMENSION, rows.tobytes())


VERBS: dict[str, Callable[[Path], object]] = {
    "backup": lambda path: SqliteUpkeep(path).backup(path.with_name("backup.db"), force=True),
    "check": lambda path: SqliteUpkeep(path).check(),
    "rebuild": lambda path: SqliteUpkeep(path).rebuild(),
    "compact": lambda path: SqliteUpkeep(path).compact(),
}


def build(path: Path, chunks: int) -> int:
    """A store of about so many passages, a tenth of the documents in two revisions. Returns the passages."""
    store, embedder = open_for_writing(path, "large"), RandomEmbedder()
    store.use_embedder(embedder.identity)
    for number in range(chunks // 20):
        store.save(made_document(number, 1, embedder, sections=20))
        if number % 10 == 0:
            store.save(made_document(number, 2, embedder, sections=20))
    size = store.lexical.size()
    store.close()
    return size


def costs(path: Path) -> dict[str, dict[str, float]]:
    """By verb: extra_mb and seconds."""
    found = {}
    for verb in VERBS:
        command = [sys.executable, "-m", "benchmarks.store_memory", verb, str(path)]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
        found[verb] = json.loads(done.stdout)
    return found


def _peak() -> float:
    """Megabytes at the peak of this very program: what `getrusage` tells also counts its parent's."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main(verb: str, path: Path) -> None:
    reading = open_for_reading(path, "large")
    reading.documents(Filter(documents=(1,)))
    reading.close()
    idle, begun = _peak(), time.perf_counter()
    VERBS[verb](path)
    print(json.dumps({"extra_mb": round(_peak() - idle, 1), "seconds": round(time.perf_counter() - begun, 1)}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
