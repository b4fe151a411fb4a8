"""Long files stay small in memory, and are told page by page. Each runs in a process of its own, whose peak the
system keeps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from builders import ROOT
from pdfs import pdf, plain

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
PROGRAM = """
import json, sys
from pathlib import Path
from pincite.config import Config
from pincite.wiring import open_library
folder = Path(sys.argv[1])
config = Config(home=folder, embedder="none", ocr="off")
library = open_library(folder / "store.db", write=True, config=config)
steps = []
report = library.ingest([Path(sys.argv[2])], progress=steps.append)
peaks = []
for process in ["self", *library._parts.reader.running()]:
    status = Path(f"/proc/{process}/status").read_text()
    peaks.append(1024 * int(status.partition("VmHWM:")[2].split()[0]))
library.close()
entry = report.entries[0]
print(json.dumps([entry.change.value, entry.chunks, peaks, [step.pages for step in steps]]))
"""
MOST = 400 * 1024 * 1024


def ingested(tmp_path: Path, path: Path) -> tuple[str, int, list[int], list[list[int]]]:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    change, chunks, peaks, steps = json.loads(done.stdout)
    return change, chunks, peaks, steps


def test_two_hundred_thousand_rows(tmp_path: Path) -> None:
    path = tmp_path / "parts.csv"
    rows = (f"{n},part {n} of the gate,{300 + n % 700},{n % 97}\n" for n in range(200_000))
    path.write_text("number,name,width,price\n" + "".join(rows))
    change, chunks, peaks, _ = ingested(tmp_path, path)
    assert change == "added"
    assert chunks > 5_000
    assert max(peaks) < MOST


def test_a_thousand_pages(tmp_path: Path) -> None:
    path = tmp_path / "code.pdf"
    lines = [f"Line {n} tells of doors and gates and how wide they shall be." for n in range(40)]
    path.write_bytes(pdf([plain(f"Page {page} of the code.", *lines) for page in range(1, 1_001)]))
    change, chunks, peaks, steps = ingested(tmp_path, path)
    assert change == "added"
    assert chunks >= 1_000
    assert max(peaks) < MOST
    assert any(0 < done < total == 1_000 for done, total in steps)
