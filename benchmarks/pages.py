"""Are quotes found on their page? Reads the corpus through the sandboxed readers, as an ingest does.

`text_pdf`: quotes of PDFs with a text layer that stand on exactly the stated page; `scans`: pictures of text
that are reported as having no text layer (there is no OCR yet); `other`: quotes found in the other formats
that have a reader; `typed_failures`: files that must fail, or have no reader, that end in a typed outcome with
a message and no text.
"""

from __future__ import annotations

import json
import time
from typing import Any

from benchmarks.common import arguments, letters, need_shared, report
from pincite.adapters.files import source_of
from pincite.adapters.readers import TABLE
from pincite.adapters.readers.sandbox import SandboxedReader
from pincite.core.documents import Outcome, OutcomeKind, Reading

QUICK = 4
"""Every so many files in a quick run."""


def on_page(reading: Reading, number: int, quote: str) -> bool:
    page = next((page for page in reading.pages if page.number == number), None)
    return page is not None and letters(quote) in letters(reading.text[page.start : page.end])


def judge(entry: dict[str, Any], reading: Reading, media_type: str) -> list[tuple[str, bool, str]]:
    """(share that it counts for, whether it is right, what to print if not) for one file."""
    expect, outcome = entry["expect"], reading.outcome
    told = f"{entry['file']}: {outcome.kind.value} {outcome.message}"
    typed = not outcome.usable and bool(outcome.message) and not reading.text
    if expect.startswith("no text"):
        kinds = (OutcomeKind.NO_TEXT_LAYER, OutcomeKind.EMPTY)
        return [("scans", outcome.kind in kinds and bool(outcome.message), told)]
    if expect.startswith("must") or media_type not in TABLE:
        return [("typed_failures", typed, told)]
    if entry["format"] == "pdf":
        if expect != "ok":
            return []
        return [
            ("text_pdf", on_page(reading, quote["page"], quote["text"]), f"{entry['file']} p. {quote['page']}")
            for quote in entry.get("quotes", ())
        ]
    whole = letters(reading.text)
    return [("other", letters(quote["text"]) in whole, told) for quote in entry.get("quotes", ())]


def main() -> None:
    options = arguments(__doc__ or "")
    folder = need_shared("corpus")
    entries = [json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()]
    counts: dict[str, list[bool]] = {"text_pdf": [], "scans": [], "other": [], "typed_failures": []}
    misses, pages, begun = [], 0, time.perf_counter()
    reader = SandboxedReader()
    for entry in entries[:: QUICK if options.quick else 1]:
        source = source_of(folder / entry["file"])
        if isinstance(source, Outcome):
            raise SystemExit(f"{entry['file']}: {source.message}")
        reading = reader.read(source)
        pages += len(reading.pages)
        for share, right, told in judge(entry, reading, source.media_type):
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
    report("pages", headline, {"misses": misses, "pages": pages, "seconds": round(seconds, 2)}, options)


if __name__ == "__main__":
    main()
