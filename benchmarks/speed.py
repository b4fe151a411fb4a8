"""How fast is it? Ingest against the bare embedding of the same texts, search by stage, cold start.

`embedding_share` is the bare embedding time of the passages over the wall time of ingesting them, measured in
turns within one run; `search_p50_ms` a whole search with a warm model; `cold_start_ms` a whole
`pincite search` process.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.common import arguments, machine, need_shared, report, rows_of
from pincite.adapters.embedders.onnx import OnnxEmbedder
from pincite.adapters.sqlite import open_for_reading
from pincite.core.ports import Filter
from pincite.library import Library
from pincite.wiring import open_library

TURNS = 5


def ingest_once(files: list[Path], store: Path) -> tuple[float, dict[str, float]]:
    """Wall seconds of an ingest into a new store, and its stages."""
    with open_library(store, write=True) as library:
        library.probe()
        begun = time.perf_counter()
        ingested = library.ingest(files)
        return time.perf_counter() - begun, dict(ingested.seconds)


def searchables(store: Path) -> list[str]:
    """The very texts that the ingest embedded, each once."""
    reading = open_for_reading(store, "benchmark")
    texts = [chunk.searchable for document in reading.documents(Filter()) for chunk in reading.chunks(document.id)]
    reading.close()
    return list(dict.fromkeys(texts))


def embed_once(texts: list[str]) -> float:
    """Wall seconds for the bare embedder on the same texts, in the batches that an ingest makes."""
    embedder = OnnxEmbedder()
    embedder.embed_passages(texts[:24])
    begun = time.perf_counter()
    for first in range(0, len(texts), 192):
        embedder.embed_passages(texts[first : first + 192])
    return time.perf_counter() - begun


def ingest_figures(files: list[Path], folder: Path, turns: int) -> dict[str, Any]:
    """Ingest and bare embedding in turns. The model is loaded and warm before either clock starts."""
    walls: list[float] = []
    bare: list[float] = []
    texts: list[str] = []
    stages: dict[str, float] = {}
    for turn in range(turns):
        store = folder / f"turn{turn}.db"
        wall, stages = ingest_once(files, store)
        texts = texts or searchables(store)
        walls.append(wall)
        bare.append(embed_once(texts))
    shares = [embedding / wall for embedding, wall in zip(bare, walls, strict=True)]
    print(f"ingest {spread(walls)} s, bare embedding {spread(bare)} s, share {spread(shares)}, {len(texts)} passages")
    print("stages of the last ingest, s: " + ", ".join(f"{name} {spent:.2f}" for name, spent in stages.items()))
    return {"ingest_s": walls, "bare_s": bare, "shares": shares, "stages_s": stages, "passages": len(texts)}


def search_figures(library: Library, queries: list[str]) -> dict[str, Any]:
    """Whole searches and their stages, in milliseconds, after a warm-up."""
    for query in queries[:5]:
        library.search(query)
    walls: list[float] = []
    stages: dict[str, list[float]] = {}
    for query in queries:
        begun = time.perf_counter()
        result = library.search(query)
        walls.append((time.perf_counter() - begun) * 1000)
        for name, spent in result.milliseconds.items():
            stages.setdefault(name, []).append(spent)
    print(f"search, ms: p50 {statistics.median(walls):.1f}, p95 {percentile(walls, 95):.1f}; by stage p50: ", end="")
    print(", ".join(f"{name} {statistics.median(spent):.2f}" for name, spent in stages.items()))
    asked = []
    for query in queries[:20]:
        begun = time.perf_counter()
        library.ask(query)
        asked.append((time.perf_counter() - begun) * 1000)
    print(f"ask, ms: p50 {statistics.median(asked):.0f}, p95 {percentile(asked, 95):.0f}")
    by_stage = {name: statistics.median(spent) for name, spent in stages.items()}
    return {"search_ms": walls, "stages_p50_ms": by_stage, "ask_p50_ms": statistics.median(asked)}


def process_figures(store: Path, turns: int) -> dict[str, list[float]]:
    """Whole processes, in milliseconds."""
    commands = {
        "help": ["--help"],
        "search": ["search", "-s", str(store), "pod keeps crashing after restart"],
        "identifier": ["search", "-s", str(store), "KubePodCrashLooping"],
    }
    figures: dict[str, list[float]] = {}
    environment = {**os.environ, "PINCITE_HOME": str(store.parent)}
    for name, arguments_ in commands.items():
        for _ in range(turns):
            begun = time.perf_counter()
            command = [sys.executable, "-m", "pincite", *arguments_]
            subprocess.run(command, check=True, capture_output=True, env=environment)
            figures.setdefault(name, []).append((time.perf_counter() - begun) * 1000)
        print(f"pincite {name}, ms: {spread(figures[name])}")
    return figures


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def percentile(values: list[float], share: int) -> float:
    return sorted(values)[min(len(values) - 1, round(len(values) * share / 100))]


def main() -> None:
    options = arguments(__doc__ or "")
    runbooks = sorted(need_shared("corpus", "runbooks").rglob("*.md"))
    queries = [row["text"] for row in rows_of(need_shared("eval", "runbooks"), "queries")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        files = runbooks[:60] if options.quick else runbooks
        ingest = ingest_figures(files, folder, 1 if options.quick else TURNS)
        store = folder / "turn0.db"
        with open_library(store) as library:
            search = search_figures(library, queries)
        processes = process_figures(store, 3 if options.quick else 7)
    print(f"load {machine()['load']}")
    headline = {
        "embedding_share": statistics.median(ingest["shares"]),
        "search_p50_ms": statistics.median(search["search_ms"]),
        "cold_start_ms": statistics.median(processes["search"]),
    }
    report("speed", headline, {"ingest": ingest, "search": search, "processes_ms": processes}, options)


if __name__ == "__main__":
    main()
