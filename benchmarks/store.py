"""Can a store be trusted? Kills, the past, many readers, and the memory that looking after a large store takes.

`kills` processes are killed while they ingest, reindex, swap, purge or bring a store up to date; `losses` are the
sentences about what was lost or mixed after that. `asof_differences`: questions about each of twenty days that a
store built from that day's files answers differently. `reader_errors`: errors and torn reads of eight readers beside
one writer. `rebuild_extra_mb`: the most that backup, check, rebuild and compaction of a store take over the idle
process.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.common import arguments, report
from benchmarks.store_kills import kill_often
from benchmarks.store_memory import build, costs
from benchmarks.store_past import differences
from benchmarks.store_readers import prepare, together


def main() -> None:
    options = arguments(__doc__ or "")
    kills, losses = kill_often(10 if options.quick else 200)
    print(f"{kills} kills, {len(losses)} losses")
    compared, different = differences()
    print(f"{compared} questions about the past, {different} answered differently")
    with tempfile.TemporaryDirectory() as folder:
        shared, large = Path(folder) / "shared.db", Path(folder) / "large.db"
        prepare(shared)
        alone = together(shared, 3 if options.quick else 60, writer=False)
        beside = together(shared, 5 if options.quick else 300, writer=True)
        print(f"eight readers: {alone} alone, {beside} beside a writer")
        chunks = build(large, 4_000 if options.quick else 100_000)
        memory = costs(large)
        print(f"a store of {chunks} passages: {memory}")
    headline = {
        "kills": kills,
        "losses": len(losses),
        "asof_differences": different,
        "reader_errors": beside["errors"] + beside["torn"],
        "rebuild_extra_mb": max(cost["extra_mb"] for cost in memory.values()),
    }
    details = {"losses": losses, "alone": alone, "beside": beside, "chunks": chunks, "memory": memory}
    report("store", headline, details, options)


if __name__ == "__main__":
    main()
