"""How fast are files read, and does any file break the reader?

`pages_per_s_ratio`: pages a second of our PDF reader over those of PDFium alone (load page, text page, all text) on
the same PDFs in the same process, processor time, best of some rounds each, taken in turns. `two_worker_speedup`:
wall time through one sandboxed worker over that through two. Then copies of corpus files, truncated, with bits
flipped, stretches zeroed, swapped or repeated, go through the sandbox: `crashes` are exceptions in this process,
`hangs` readings that took longer than their limit, `untyped` readings without an outcome that says what happened.
"""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pypdfium2

from benchmarks.common import arguments, need_shared, report
from pincite.adapters.files import source_of
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.pdf import PdfReader
from pincite.adapters.readers.sandbox import Limits, SandboxedReader
from pincite.core.documents import Reading, Source

SEED = 20261201
FILES, COPIES = 50, 44
LARGEST = 400_000
"""Bytes of the files that are mutated: a large one only takes longer."""
LIMITS = Limits(seconds=20, memory_bytes=1024 * 1024 * 1024)
GRACE = 3.0
"""Seconds past the limit that ending a worker may take."""


def main() -> None:
    options = arguments(__doc__ or "")
    folder = need_shared("corpus", "files")
    files = sorted(path for path in folder.iterdir() if path.is_file())
    pdfs = [path for path in files if path.suffix == ".pdf"]
    rounds = 1 if options.quick else 4
    ratio, pages = throughput(pdfs[:: 4 if options.quick else 1], rounds)
    print(f"PDF reader: {ratio:.2f} of the pages a second of PDFium alone, over {pages} pages")
    speedup = two_workers(pdfs[:: 4 if options.quick else 1])
    print(f"two workers: {speedup:.2f} times as fast as one")
    found = fuzz(files, FILES, 4 if options.quick else COPIES)
    print(f"{found['mutations']} mutations: {found['outcomes']}")
    counts = {name: found[name] for name in ("mutations", "crashes", "hangs", "untyped")}
    report("reading", {"pages_per_s_ratio": ratio, "two_worker_speedup": speedup, **counts}, found, options)


def throughput(pdfs: Sequence[Path], rounds: int) -> tuple[float, int]:
    """Best processor time of PDFium alone over best of the reader; and the pages read."""
    alone, ours, pages = [], [], 0
    for _ in range(rounds):
        spent, pages = timed(lambda: sum(map(pdfium_alone, pdfs)))
        alone.append(spent)
        spent, _ = timed(lambda: sum(len(PdfReader().read(Content(path)).pages) for path in pdfs))
        ours.append(spent)
    return min(alone) / min(ours), pages


def timed(work: Callable[[], int]) -> tuple[float, int]:
    begun = time.process_time()
    done = work()
    return time.process_time() - begun, done


def pdfium_alone(path: Path) -> int:
    """Every page's text as PDFium gives it; pages read."""
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        return 0
    count = 0
    for index in range(len(document)):
        try:
            page = document[index]
        except pypdfium2.PdfiumError:
            continue
        text = page.get_textpage()
        text.get_text_range()
        text.close()
        page.close()
        count += 1
    document.close()
    return count


def two_workers(pdfs: Sequence[Path]) -> float:
    sources = [source for source in map(source_of, pdfs) if isinstance(source, Source)]
    spent: dict[int, float] = {}
    for workers in (1, 2, 1, 2):
        reader = SandboxedReader(workers=workers)
        for _ in range(workers):
            reader.read(sources[0])
        begun = time.perf_counter()
        through(reader, sources)
        spent[workers] = min(spent.get(workers, 1e9), time.perf_counter() - begun)
        reader.close()
    return float(spent[1] / spent[2])


def through(reader: SandboxedReader, sources: Sequence[Source]) -> None:
    """All of them, a few under way at once, as an ingest does it."""
    waiting: deque[Any] = deque()
    for source in sources:
        waiting.append(reader.start(source))
        if len(waiting) >= reader.ahead:
            waiting.popleft().wait(600)
    while waiting:
        waiting.popleft().wait(600)


def fuzz(files: Sequence[Path], most: int, copies: int) -> dict[str, Any]:
    """Mutations of the first so many small files of every kind, each through the sandbox."""
    chosen = spread([path for path in files if 0 < path.stat().st_size <= LARGEST], most)
    chance = random.Random(SEED)
    outcomes: Counter[str] = Counter()
    crashes = hangs = untyped = 0
    worst = 0.0
    reader = SandboxedReader(LIMITS)
    with tempfile.TemporaryDirectory() as temporary:
        for path in chosen:
            content = path.read_bytes()
            for copy in range(copies):
                target = Path(temporary) / path.name
                target.write_bytes(mutated(content, copy, chance))
                begun = time.perf_counter()
                try:
                    source = source_of(target)
                    reading = reader.read(source) if isinstance(source, Source) else None
                except Exception as fault:  # noqa: BLE001 - what is counted
                    print(f"crash  {path.name} copy {copy}: {fault!r}")
                    crashes += 1
                    continue
                took = time.perf_counter() - begun
                worst = max(worst, took)
                hangs += took > LIMITS.deadline(len(content) * 2) + GRACE
                untyped += reading is None or not is_typed(reading)
                if reading is not None:
                    outcomes[f"{reading.outcome.kind.value}/{reading.outcome.code}".rstrip("/")] += 1
    reader.close()
    return {
        "mutations": len(chosen) * copies,
        "crashes": crashes,
        "hangs": hangs,
        "untyped": untyped,
        "outcomes": dict(outcomes.most_common()),
        "slowest_seconds": round(worst, 2),
        "worker_peak_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
        "files": [path.name for path in chosen],
    }


def spread(files: Sequence[Path], most: int) -> list[Path]:
    """Files of all kinds in turn, so that no format fills the list."""
    by_kind: dict[str, list[Path]] = {}
    for path in files:
        by_kind.setdefault(path.suffix, []).append(path)
    chosen: list[Path] = []
    while len(chosen) < most and any(by_kind.values()):
        chosen += [some.pop(0) for some in by_kind.values() if some]
    return chosen[:most]


def is_typed(reading: Reading) -> bool:
    """An outcome that says what happened: text, or no text and why."""
    if reading.outcome.usable:
        return bool(reading.text.strip())
    return not reading.text and bool(reading.outcome.message)


def mutated(content: bytes, copy: int, chance: random.Random) -> bytes:
    """A damaged copy; the way goes by turns."""
    data = bytearray(content)
    at = chance.randrange(len(data))
    length = chance.randrange(1, max(2, len(data) // 20))
    way = copy % 6
    if way == 0:
        return bytes(data[:at])
    if way == 1:
        for _ in range(1 + len(data) // 2_000):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == 2:
        data[at : at + length] = bytes(length)
    elif way == 3:
        other = chance.randrange(len(data))
        data[at : at + length], data[other : other + length] = data[other : other + length], data[at : at + length]
    elif way == 4:
        data[at:at] = data[at : at + length] * 3
    else:
        data[at : at + length] = chance.randbytes(length)
    return bytes(data)


if __name__ == "__main__":
    main()
