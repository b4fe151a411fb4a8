"""Are quotes found where they stand? Reads the corpus through the sandboxed readers, as an ingest does.

`text_pdf`: quotes of PDFs with a text layer that stand on exactly the stated page; `scans`: quotes on pictures of
text, read by a recogniser (without one: pictures that are reported as such); `other`: quotes of the other formats
at their own place (sheet and cell, slide, part, header, line); `typed_failures`: files that must fail and end in a
typed outcome with a message and no text; `tool_dependent`: files that tools disagree on, read or typed. With
BENCHMARK_PEERS (a Python that has kreuzberg and markitdown) the same PDFs go through those readers too.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.common import arguments, letters, need_shared, report
from benchmarks.places import stands_at
from pincite.adapters.files import source_of
from pincite.adapters.readers import TABLE
from pincite.adapters.readers.ocr_choice import choose_ocr
from pincite.adapters.readers.sandbox import SandboxedReader
from pincite.core.documents import Outcome, OutcomeKind, Reading

QUICK = 4
"""Every so many files in a quick run."""
Judged = list[tuple[str, bool, str]]
"""(share that it counts for, whether it is right, what to print if not)."""


def on_page(reading: Reading, quote: Mapping[str, Any]) -> bool:
    """On the stated page, or one of those that repeat it."""
    numbers = {quote["page"], *quote.get("also_on", ())}
    wanted = letters(quote["text"])
    return any(
        page.number in numbers and wanted in letters(reading.text[page.start : page.end]) for page in reading.pages
    )


def judge(entry: dict[str, Any], reading: Reading, media_type: str, seeing: bool) -> Judged:
    """What one file counts for."""
    expect, outcome, name = entry["expect"], reading.outcome, entry["file"]
    told = f"{name}: {outcome.kind.value} {outcome.message}"
    typed = not outcome.usable and bool(outcome.message) and not reading.text
    quotes = entry.get("quotes", ())
    if expect.startswith("no text"):
        if seeing and quotes:
            return [
                ("scans", on_page(reading, quote), f"{name} p. {quote['page']}: {quote['text'][:50]}")
                for quote in quotes
            ]
        kinds = (OutcomeKind.NO_TEXT_LAYER, OutcomeKind.EMPTY)
        return [("reported", outcome.kind in kinds and bool(outcome.message), told)]
    if expect.startswith("must") or media_type not in TABLE:
        return [("typed_failures", typed, told)]
    if expect.startswith(("tool dependent", "ok, but")):
        return [("tool_dependent", typed or bool(reading.text.strip()), told)]
    if entry["format"] == "pdf":
        return [
            ("text_pdf", on_page(reading, quote), f"{name} p. {quote['page']}: {quote['text'][:50]}")
            for quote in quotes
        ]
    return [
        ("other", stands_at(reading, quote["where"], quote["text"]), f"{name}, {quote['where']}: {quote['text'][:50]}")
        for quote in quotes
    ]


def peers(entries: list[dict[str, Any]], folder: Path) -> dict[str, dict[str, float]]:
    """Page-exact quotes, quotes anywhere, and files without an outcome, for each peer's reader on the same PDFs."""
    python = os.environ.get("BENCHMARK_PEERS")
    if not python:
        return {}
    pdfs = [entry for entry in entries if entry["format"] == "pdf" and entry["expect"] == "ok"]
    found: dict[str, dict[str, float]] = {}
    for peer in ("kreuzberg", "markitdown"):
        exact = anywhere = total = failed = 0
        for entry in pdfs:
            pages = _peer_pages(python, peer, folder / entry["file"])
            failed += pages is None
            for quote in entry.get("quotes", ()):
                numbers, wanted = {quote["page"], *quote.get("also_on", ())}, letters(quote["text"])
                exact += any(number in numbers and wanted in letters(text) for number, text in pages or ())
                anywhere += any(wanted in letters(text) for _, text in pages or ())
                total += 1
        found[peer] = {"page_exact": exact / total, "anywhere": anywhere / total, "failed": failed}
        print(f"{peer:<15} on its page {exact} of {total}, anywhere {anywhere}, files that failed {failed}")
    return found


def _peer_pages(python: str, peer: str, path: Path) -> list[tuple[int | None, str]] | None:
    """(page or None, text) as the peer gives them; None when it fails or takes more than two minutes."""
    script = Path(__file__).with_name("peer_reader.py")
    try:
        done = subprocess.run(
            [python, str(script), peer, str(path)], capture_output=True, text=True, timeout=120, check=True
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    return [(number, text) for number, text in json.loads(done.stdout)]


def main() -> None:
    options = arguments(__doc__ or "")
    folder = need_shared("corpus")
    entries = [json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()]
    shares = ("text_pdf", "scans", "reported", "other", "typed_failures", "tool_dependent")
    counts: dict[str, list[bool]] = {share: [] for share in shares}
    misses, pages, begun = [], 0, time.perf_counter()
    ocr = choose_ocr("auto", ())
    reader = SandboxedReader(ocr=ocr)
    chosen = entries[:: QUICK if options.quick else 1]
    for entry in chosen:
        source = source_of(folder / entry["file"])
        if isinstance(source, Outcome):
            raise SystemExit(f"{entry['file']}: {source.message}")
        reading = reader.read(source)
        pages += len(reading.pages)
        for share, right, told in judge(entry, reading, source.media_type, ocr is not None):
            counts[share].append(right)
            if not right:
                misses.append(f"{share}: {told}")
    reader.close()
    seconds = time.perf_counter() - begun
    for miss in misses:
        print(f"miss  {miss}")
    for share, found in counts.items():
        print(f"{share:<15} {sum(found)} of {len(found)}")
    print(f"{pages} pages in {seconds:.1f} s")
    headline = {share: sum(found) / len(found) if found else None for share, found in counts.items()}
    details = {"misses": misses, "pages": pages, "seconds": round(seconds, 2), "peers": peers(chosen, folder)}
    report("pages", headline, {**details, "recogniser": ocr.name if ocr else None}, options)


if __name__ == "__main__":
    main()
