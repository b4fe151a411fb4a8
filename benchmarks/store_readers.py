"""Eight processes that search while one writes: what they see, and how long they wait.

`python -m benchmarks.store_readers read|write FILE SECONDS` is one of them; a reader prints one JSON line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

from benchmarks.common import ROOT
from benchmarks.made_documents import made_document
from pincite.adapters.sqlite import open_for_reading, open_for_writing
from pincite.core.errors import PinciteError
from pincite.core.ports import Filter
from pincite.pipelines.retrieve import Retriever, search_store
from pincite.testing import FakeEmbedder

READERS = 8
DOCUMENTS = 300
EMBEDDER = FakeEmbedder(dimension=64)


def read(path: Path, seconds: float) -> None:
    """Search and look at documents until time is up. A torn read is a document that is not of one version."""
    store = open_for_reading(path, "shared")
    retriever = Retriever(store, EMBEDDER)
    times, errors, torn = list[float](), list[str](), 0
    deadline = time.monotonic() + seconds
    for turn in count():
        if time.monotonic() > deadline:
            break
        number = turn * 7 % DOCUMENTS
        begun = time.perf_counter()
        try:
            result = search_store(retriever, f"document{number} part", 5, Filter())
            document = store.find(f"/made/{number:06}.md")
            text = store.revision(document.id, document.revision).text
            times.append(time.perf_counter() - begun)
            versions = {word for word in text.split() if word.startswith("version")}
            shown = [hit.passage for hit in result.hits if hit.passage.document.id == document.id]
            torn += len(versions) != 1 or len({passage.document.revision for passage in shown}) > 1
        except PinciteError as fault:
            errors.append(fault.message)
    times.sort()
    row = {"reads": len(times), "errors": errors[:5], "failed": len(errors), "torn": torn, "times": times}
    print(json.dumps(row))


def write(path: Path, seconds: float) -> None:
    """Replace one document after the other."""
    store = open_for_writing(path, "shared")
    deadline = time.monotonic() + seconds
    for turn in count():
        if time.monotonic() > deadline:
            break
        store.save(made_document(turn * 13 % DOCUMENTS, 2 + turn // DOCUMENTS, EMBEDDER))
    print(json.dumps({"written": turn}))


def prepare(path: Path) -> None:
    store = open_for_writing(path, "shared")
    store.use_embedder(EMBEDDER.identity)
    for number in range(DOCUMENTS):
        store.save(made_document(number, 1, EMBEDDER))
    store.close()


def together(path: Path, seconds: float, *, writer: bool) -> dict[str, float]:
    """What eight readers met: reads, errors, torn reads, milliseconds in the middle and at the 99th of a hundred."""
    roles = ["read"] * READERS + ["write"] * writer
    command = [sys.executable, "-m", "benchmarks.store_readers"]
    processes = [
        subprocess.Popen([*command, role, str(path), str(seconds)], cwd=ROOT, stdout=subprocess.PIPE) for role in roles
    ]
    rows = [json.loads(process.communicate()[0]) for process in processes]
    times = sorted(spent for row in rows for spent in row.get("times", []))
    return {
        "reads": len(times),
        "errors": sum(row.get("failed", 0) for row in rows),
        "torn": sum(row.get("torn", 0) for row in rows),
        "written": sum(row.get("written", 0) for row in rows),
        "p50_ms": round(times[len(times) // 2] * 1000, 2),
        "p99_ms": round(times[len(times) * 99 // 100] * 1000, 2),
    }


if __name__ == "__main__":
    {"read": read, "write": write}[sys.argv[1]](Path(sys.argv[2]), float(sys.argv[3]))
