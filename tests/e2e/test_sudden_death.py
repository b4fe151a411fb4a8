"""An ingest that is killed at any moment leaves a store that opens, is sound, and holds only whole documents.

Fifty random moments, real processes, real files, the real model. The seed is fixed; the moments are spread over
the length of an undisturbed run, start-up included.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pincite.adapters.sqlite import open_for_reading
from pincite.core.errors import StoreError
from pincite.core.ports import Filter

MOMENTS = 50
FILES = 14


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("documents")
    for number in range(FILES):
        sections = [
            f"## {number}.{part} Rule of gate {part}\n\nGate {part} of fence {number} shall be {part + 20} feet wide. "
            * 3
            for part in range(12)
        ]
        (made / f"rules-{number:02}.md").write_text(f"# Fence {number}\n\n" + "\n\n".join(sections))
    return made


def start(folder: Path, store: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pincite", "ingest", "--quiet", "-s", str(store), str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def whole_documents(store: Path) -> int:
    """The documents of a sound store, each with all its passages; 0 when it was killed before it was made."""
    try:
        reading = open_for_reading(store, "killed")
    except StoreError:
        assert not store.exists() or store.stat().st_size == 0 or _was_never_finished(store)
        return 0
    assert reading.integrity() == []
    documents = reading.documents(Filter())
    for document in documents:
        chunks = reading.chunks(document.id)
        text = reading.revision(document.id).text
        assert len(chunks) == document.chunks > 0
        assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
        assert chunks[-1].end == len(text)
    assert reading.lexical.size() == reading.vectors.size() == sum(document.chunks for document in documents)
    reading.close()
    return len(documents)


def _was_never_finished(store: Path) -> bool:
    """A file whose tables were not there yet when the process died: the next writer makes them."""
    from pincite.adapters.sqlite import open_for_writing

    opened = open_for_writing(store, "killed")
    sound = opened.integrity() == [] and opened.documents(Filter()) == []
    opened.close()
    return sound


def test_a_killed_ingest_leaves_whole_documents_and_goes_on(folder: Path, tmp_path: Path) -> None:
    begun = time.monotonic()
    assert start(folder, tmp_path / "undisturbed.db").wait() == 0
    length = time.monotonic() - begun
    assert whole_documents(tmp_path / "undisturbed.db") == FILES
    moments = random.Random(50)
    seen = set()
    for turn in range(MOMENTS):
        store = tmp_path / f"killed-{turn % 5}.db"
        process = start(folder, store)
        time.sleep(moments.uniform(0.1, length))
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen.add(whole_documents(store))
        if turn % 5 == turn // 5 % 5:
            for file in tmp_path.glob(f"{store.name}*"):
                file.unlink()
    assert len(seen) > 1
    store = tmp_path / "killed-0.db"
    assert start(folder, store).wait() == 0
    assert whole_documents(store) == FILES
