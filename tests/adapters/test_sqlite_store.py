"""The SQLite store beyond the contract: one file, many processes, sudden death, damage."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import apsw
import pytest

from builders import EMBEDDER, ROOT, draft
from pincite.adapters.sqlite import open_for_reading, open_for_writing, rebuild_fulltext
from pincite.adapters.sqlite.schema import STEPS
from pincite.core.documents import Page
from pincite.core.errors import IndexMismatch, StoreCorrupt, StoreError, StoreLocked, StoreTooNew
from pincite.core.ports import Filter

ALL = Filter()
PREAMBLE = f"""
import sys
sys.path[:0] = [{str(ROOT / "src")!r}, {str(ROOT / "tests")!r}]
from pathlib import Path
from builders import EMBEDDER, draft
from pincite.adapters.sqlite import open_for_writing
path = Path(sys.argv[1])
"""


def start(path: Path, body: str) -> subprocess.Popen[str]:
    program = PREAMBLE + textwrap.dedent(body)
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    """The next line that a process prints."""
    assert process.stdout is not None
    return process.stdout.readline()


def test_readers_cannot_write_and_need_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store"):
        open_for_reading(tmp_path / "none.db", "none")
    open_for_writing(tmp_path / "s.db", "s").close()
    reading = open_for_reading(tmp_path / "s.db", "s")
    with pytest.raises(StoreError):
        reading._database.rows("INSERT INTO runs (started, ended, counts) VALUES ('', '', '')")
    reading.close()


def test_a_file_of_another_kind_is_told_so(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("This is not a database, whatever its name says. " * 100)
    with pytest.raises(StoreError, match="not a pincite store"):
        open_for_writing(text, "text")
    other = tmp_path / "other.db"
    connection = apsw.Connection(str(other))
    connection.execute("CREATE TABLE music (title)")
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        open_for_writing(other, "other")


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    open_for_writing(path, "s").close()
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", len(STEPS) + 1)
    connection.close()
    for opens in (open_for_reading, open_for_writing):
        with pytest.raises(StoreTooNew):
            opens(path, "s")


def test_a_damaged_file_is_an_error_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store = open_for_writing(path, "s")
    store.use_embedder(EMBEDDER.identity)
    for number in range(40):
        store.save(draft(f"/a/{number}.md", f"Doors of kind {number} " * 60))
    store.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 40_000] = bytes(random.Random(7).randbytes(40_000))
    path.write_bytes(content)
    with pytest.raises((StoreCorrupt, StoreError)):  # noqa: PT012 - any of these may be the first to notice
        damaged = open_for_reading(path, "s")
        faults = damaged.integrity()
        raise StoreCorrupt("; ".join(faults)) if faults else AssertionError("the damage was not noticed")


def test_a_locked_store_says_so(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    first = open_for_writing(path, "s")
    second = open_for_writing(path, "s", busy_ms=50)
    with first._database.transaction(), pytest.raises(StoreLocked):
        second.use_embedder(EMBEDDER.identity)
    second.use_embedder(EMBEDDER.identity)
    first.close()
    second.close()


def test_a_failed_save_leaves_nothing(tmp_path: Path) -> None:
    store = open_for_writing(tmp_path / "s.db", "s")
    made = draft("/a/code.md", "Doors shall be wide.")
    broken = type(made)(made.source, made.reading, (*made.chunks, *made.chunks), (*made.vectors, *made.vectors))
    with pytest.raises(StoreError):
        store.save(broken)
    assert store.documents(ALL) == []
    assert store.lexical.size() == 0
    assert store.integrity() == []
    store.close()


def test_the_full_text_index_can_be_made_again(tmp_path: Path) -> None:
    store = open_for_writing(tmp_path / "s.db", "s")
    for number in range(5):
        store.save(draft(f"/a/{number}.md", f"Doors of kind {number} are wide."))
    store.save(draft("/a/0.md", "Gates replaced it."))
    before = store.lexical.search(["door", "kind", "gate"], 10, ALL)
    store._database.rows("DELETE FROM fulltext WHERE rowid = ?", (before[0][0],))
    assert "missing from the full-text index" in store.integrity()[0]
    assert rebuild_fulltext(store._database) == 5
    assert store.integrity() == []
    assert store.lexical.search(["door", "kind", "gate"], 10, ALL) == before
    store.close()


def test_integrity_notices_a_passage_that_is_not_in_its_text(tmp_path: Path) -> None:
    store = open_for_writing(tmp_path / "s.db", "s")
    store.save(draft("/a/code.md", "Doors shall be wide."))
    store._database.rows("UPDATE chunks SET text = 'Doors shall be narrow.'")
    assert "not in its text" in store.integrity()[0]
    store.close()


def test_integrity_notices_pages_that_do_not_tile_the_text(tmp_path: Path) -> None:
    store = open_for_writing(tmp_path / "s.db", "s")
    made = draft("/a/code.md", "Doors shall be wide.")
    paged = replace(made.reading, pages=(Page(1, 0, 5), Page(2, 5, len(made.reading.text))))
    store.save(replace(made, reading=paged))
    assert store.integrity() == []
    store._database.rows("UPDATE revisions SET pages = replace(pages, '[2,5,', '[2,6,')")
    assert store.integrity() == ["document 1 has pages that do not tile its text"]
    store.close()


def test_a_folder_that_cannot_be_made_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made"):
        open_for_writing(tmp_path / "file" / "s.db", "s")


def test_another_version_of_the_same_embedder_is_told_apart(tmp_path: Path) -> None:
    store = open_for_writing(tmp_path / "s.db", "s")
    store.use_embedder(EMBEDDER.identity)
    with pytest.raises(IndexMismatch, match="another version of fake"):
        store.use_embedder(replace(EMBEDDER.identity, digest="0" * 64))
    store.close()


def test_a_transaction_that_sqlite_ended_itself_shows_its_true_fault(tmp_path: Path) -> None:
    store = open_for_writing(tmp_path / "s.db", "s")
    pages = store._database.pragma("page_count")
    store._database.pragma("max_page_count", pages + 2)
    with pytest.raises(StoreError, match="disk is full"):
        store.save(draft("/a/code.md", "Doors shall be wide. " * 20_000))
    store._database.pragma("max_page_count", 1_000_000)
    store.save(draft("/a/code.md", "Doors shall be wide."))
    assert store.integrity() == []
    store.close()


def _tick(ticks: list[None]) -> bool:
    """Called every few steps of SQLite's machine; true would stop it."""
    ticks.append(None)
    return False


def test_a_filter_on_the_words_costs_no_look_at_every_match(tmp_path: Path) -> None:
    """The allowed passages are gathered once, as a list, and not tested match by match."""
    store = open_for_writing(tmp_path / "s.db", "s")
    for number in range(200):
        store.save(draft(f"/{number % 2}/{number}.md", "Doors shall be wide.", embedder=None))
    steps = {}
    for glob in ("", "/0/*"):
        ticks: list[None] = []
        store._database._connection.set_progress_handler(partial(_tick, ticks), 10)
        assert len(store.lexical.search(["door"], 300, Filter(glob=glob))) == (100 if glob else 200)
        store._database._connection.set_progress_handler(None)
        steps[glob] = len(ticks)
    assert steps["/0/*"] < 6 * steps[""]
    store.close()


def test_several_processes_make_one_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    body = """
        store = open_for_writing(path, "s")
        store.use_embedder(EMBEDDER.identity)
        store.save(draft(f"/a/{sys.argv[0]}{id(store)}{__import__('os').getpid()}.md", "Doors shall be wide."))
        store.close()
        print("done")
    """
    running = [start(path, body) for _ in range(6)]
    assert [process.communicate(timeout=60)[0] for process in running] == ["done\n"] * 6
    store = open_for_reading(path, "s")
    assert len(store.documents(ALL)) == 6
    assert store.integrity() == []
    store.close()


def test_processes_that_meet_on_absent_files_all_get_a_store(tmp_path: Path) -> None:
    body = """
        for turn in range(20):
            print("ready", flush=True)
            sys.stdin.readline()
            open_for_writing(path / f"{turn}.db", "s").close()
        print("done")
    """
    running = [start(tmp_path, body) for _ in range(6)]
    for _ in range(20):
        assert [said(process) for process in running] == ["ready\n"] * 6
        for process in running:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
    assert [process.communicate(timeout=60)[0] for process in running] == ["done\n"] * 6
    assert len(list(tmp_path.glob("*.db"))) == 20


def test_readers_see_whole_documents_while_a_writer_writes(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    open_for_writing(path, "s").close()
    body = """
        store = open_for_writing(path, "s")
        store.use_embedder(EMBEDDER.identity)
        for turn in range(60):
            middle = "Filler of the middle. " * 80
            store.save(draft("/a/code.md", f"Turn {turn} begins.\\n\\n{middle}\\n\\nTurn {turn} ends."))
        store.close()
    """
    writer = start(path, body)
    store = open_for_reading(path, "s")
    seen = 0
    while writer.poll() is None:
        for document in store.documents(ALL):
            text = store.revision(document.id).text
            assert text.split(" begins")[0] == text.rsplit("\n\n", 1)[1].split(" ends")[0]
            seen += 1
        time.sleep(0.002)
    writer.communicate()
    assert writer.returncode == 0
    assert seen
    store.close()


def test_a_writer_killed_at_any_moment_leaves_whole_documents(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    body = """
        store = open_for_writing(path, "s")
        store.use_embedder(EMBEDDER.identity)
        print("ready", flush=True)
        for turn in range(10_000):
            store.save(draft(f"/a/{turn % 7}.md", f"# Part {turn}\\n\\n" + f"Doors of turn {turn} are wide. " * 60))
    """
    moments = random.Random(20)
    for _ in range(8):
        process = start(path, body)
        assert said(process) == "ready\n"
        time.sleep(moments.uniform(0.0, 0.25))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        store = open_for_reading(path, "s")
        assert store.integrity() == []
        store.close()


def test_reading_and_full_text_need_no_numpy(tmp_path: Path) -> None:
    open_for_writing(tmp_path / "s.db", "s").close()
    program = PREAMBLE.replace("from builders import EMBEDDER, draft\n", "") + textwrap.dedent("""
        from pincite.adapters.sqlite import open_for_reading
        from pincite.core.ports import Filter
        store = open_for_reading(path, "s")
        store.lexical.search(["door"], 5, Filter())
        print("numpy" in sys.modules)
    """)
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "s.db")], check=True, capture_output=True, text=True
    )
    assert done.stdout == "False\n"
