"""What all benchmarks share: where the collections are, the machine's record, the last line, cached vectors."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import apsw

from pincite.core.documents import text_digest
from pincite.core.ports import Embedder, EmbedderIdentity, Vectors

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("PINCITE_SHARED", ROOT.parent / "shared")).resolve()
CACHE = ROOT / "benchmarks" / ".cache"
RESULTS = ROOT / "benchmarks" / "results"


def arguments(description: str) -> argparse.Namespace:
    """--quick for a run within about a minute, --save to keep the result beside the earlier ones."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a sample that runs within about a minute")
    parser.add_argument("--save", action="store_true", help=f"write the result to {RESULTS.name}/")
    parser.add_argument("--verbose", "-v", action="store_true", help="print every case")
    return parser.parse_args()


def need_shared(*parts: str) -> Path:
    """A folder of the shared collections, or the end of the run with a clear word."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        sys.exit(f"There is no {'/'.join(parts)} under PINCITE_SHARED ({SHARED}). Set it to the shared folder.")
    return path


def machine() -> dict[str, Any]:
    """What a figure was measured on."""
    names = (
        "pincite",
        "apsw",
        "lxml",
        "numpy",
        "onnxruntime",
        "pypdfium2",
        "python-calamine",
        "selectolax",
        "tokenizers",
    )
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "versions": {name: metadata.version(name) for name in names},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def report(name: str, headline: Mapping[str, Any], details: Any, options: argparse.Namespace) -> None:
    """Keep the result if asked to, and print the headline figures as the last line."""
    now = datetime.now(UTC)
    if options.save:
        RESULTS.mkdir(exist_ok=True)
        record = {
            "benchmark": name,
            "date": now.isoformat(timespec="seconds"),
            "quick": options.quick,
            "machine": machine(),
            "headline": dict(headline),
            "details": details,
        }
        text = json.dumps(record, ensure_ascii=False, indent=1)
        (RESULTS / f"{name}-{now.date().isoformat()}.json").write_text(text + "\n", "utf-8")
    print(json.dumps({key: _short(value) for key, value in headline.items()}))


def _short(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def rows_of(folder: Path, stem: str) -> list[dict[str, Any]]:
    """The rows of corpus or queries, packed or not."""
    plain = folder / f"{stem}.jsonl"
    if plain.exists():
        return [json.loads(line) for line in plain.read_text("utf-8").splitlines() if line]
    with gzip.open(folder / f"{stem}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def judgments_of(folder: Path) -> dict[str, dict[str, float]]:
    """Relevance by query and document."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, score = line.split("\t")
        if float(score) > 0:
            found[query][document] = float(score)
    return dict(found)


def letters(text: str) -> str:
    """How the corpus compares quotes: compatibility forms, small letters, letters and digits alone."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


class CachedEmbedder:
    """An embedder whose vectors are kept on disk between runs, by identity and text: re-running a benchmark
    embeds nothing twice. Never used where time is measured."""

    def __init__(self, inner: Embedder, path: Path = CACHE / "vectors.db") -> None:
        path.parent.mkdir(exist_ok=True)
        self._inner = inner
        self._database = apsw.Connection(str(path))
        self._database.set_busy_timeout(60_000)
        self._database.execute("CREATE TABLE IF NOT EXISTS vectors (name TEXT PRIMARY KEY, row BLOB) WITHOUT ROWID")

    @property
    def identity(self) -> EmbedderIdentity:
        return self._inner.identity

    @property
    def scripts(self) -> frozenset[str]:
        return self._inner.scripts

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._inner.count_tokens(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed("p", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed("q", texts)

    def _embed(self, role: str, texts: Sequence[str]) -> Vectors:
        names = [f"{role}{text_digest(self.identity.key)[:16]}{text_digest(text)}" for text in texts]
        kept: dict[str, bytes] = {}
        for name in dict.fromkeys(names):
            for (row,) in self._database.execute("SELECT row FROM vectors WHERE name = ?", (name,)):
                kept[name] = row
        fresh = {name: text for name, text in zip(names, texts, strict=True) if name not in kept}
        if fresh:
            embed = self._inner.embed_queries if role == "q" else self._inner.embed_passages
            rows = embed(list(fresh.values()))
            kept.update({name: rows.row(index) for index, name in enumerate(fresh)})
            with self._database:
                values = [(name, kept[name]) for name in fresh]
                self._database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", values)
        return Vectors(self.identity.dimension, b"".join(kept[name] for name in names))
