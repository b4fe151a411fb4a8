"""Backups, and a live file that becomes another one while processes read it."""

from __future__ import annotations

import lzma
import os
import random
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from builders import EMBEDDER, ROOT, draft
from pincite.adapters.sqlite import SqliteStore, open_for_reading, open_for_writing
from pincite.adapters.sqlite.backup import Watch, backup_store, copy_store, restore_store, swap_in
from pincite.adapters.sqlite.beside import need_space
from pincite.adapters.sqlite.maintenance import SqliteUpkeep
from pincite.adapters.sqlite.schema import STEPS
from pincite.core.errors import StoreCorrupt, StoreError, StoreLocked, StoreTooNew, UsageError
from pincite.core.ports import Filter

READER = f"""
import sys
sys.path[:0] = [{str(ROOT / "src")!r}]
from pathlib import Path
from pincite.adapters.sqlite import open_for_reading
from pincite.core.errors import PinciteError
from pincite.core.ports import Filter
reads = mixed = errors = 0
seen = set()
reading = open_for_reading(Path(sys.argv[1]), "s")
print("ready", flush=True)
stop = Path(sys.argv[2])
while not stop.exists():
    try:
        with reading._database.snapshot():
            words = {{d.uri.split("/")[1] for d in reading.documents(Filter())}}
            hits = [key for key, _ in reading.lexical.search(["door", "gate"], 100, Filter())]
            texts = {{p.chunk.text.split()[0] for p in reading.passages(hits)}}
            whole = len(hits) == reading.lexical.size() == len(reading.documents(Filter()))
        seen |= words
        mixed += len(words) != 1 or len(texts) != 1 or not whole
        reads += 1
    except PinciteError as fault:
        errors += 1
        print(fault, file=sys.stderr)
print(reads, mixed, errors, ",".join(sorted(seen)), flush=True)
"""


def fill(path: Path, kind: str, count: int) -> None:
    """A store of one sort of document: door or gate."""
    store = open_for_writing(path, "s")
    store.use_embedder(EMBEDDER.identity)
    for number in range(count):
        store.save(draft(f"/{kind}/{number}.md", f"{kind.capitalize()} {number} is the {kind} of house {number}."))
    store.close()


@pytest.fixture
def live(tmp_path: Path) -> Path:
    fill(tmp_path / "live.db", "door", 30)
    return tmp_path / "live.db"


@pytest.fixture
def store(live: Path) -> Iterator[SqliteStore]:
    opened = open_for_writing(live, "s")
    yield opened
    opened.close()


def uris(path: Path) -> list[str]:
    reading = open_for_reading(path, "s")
    found = [document.uri for document in reading.documents(Filter())]
    reading.close()
    return found


def beside(path: Path) -> list[str]:
    """What lies in the folder, without what SQLite keeps: a process that only reads leaves that lying."""
    return sorted(file.name for file in path.parent.iterdir() if not file.name.endswith(("-wal", "-shm")))


def test_a_backup_of_a_store_in_use_is_whole_and_alone(store: SqliteStore, live: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    (tmp_path / "out").mkdir()
    report = backup_store(live, tmp_path / "out" / "b.db", steps=lambda *step: told.append(step))
    store.save(draft("/door/later.md", "A later door."))
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["b.db"]
    assert report.bytes == (tmp_path / "out" / "b.db").stat().st_size
    assert len(uris(tmp_path / "out" / "b.db")) == 30
    assert SqliteUpkeep(tmp_path / "out" / "b.db").check().ok
    assert ("check", 0, 0) in told


def test_a_backup_while_another_process_writes_is_one_state(live: Path, tmp_path: Path) -> None:
    program = f"""
    import sys
    sys.path[:0] = [{str(ROOT / "src")!r}, {str(ROOT / "tests")!r}]
    from pathlib import Path
    from builders import draft
    from pincite.adapters.sqlite import open_for_writing
    store = open_for_writing(Path(sys.argv[1]), "s")
    print("ready", flush=True)
    turn = 0
    while True:
        turn += 1
        for number in range(30):
            store.save(draft(f"/door/{{number}}.md", f"Door {{number}} in turn {{turn}}."))
    """
    writer = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(live)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    try:
        for number in range(5):
            backup_store(live, tmp_path / f"b{number}.db")
            assert SqliteUpkeep(tmp_path / f"b{number}.db").check().faults == ()
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()


def test_nothing_is_overwritten_unasked(live: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.db"
    target.write_text("mine")
    with pytest.raises(UsageError, match="already"):
        backup_store(live, target)
    assert target.read_text() == "mine"
    backup_store(live, target, force=True)
    assert len(uris(target)) == 30
    for wrong in (live, tmp_path):
        with pytest.raises(UsageError):
            backup_store(live, wrong, force=True)


def test_a_backup_never_goes_over_a_store_in_use(live: Path, tmp_path: Path) -> None:
    fill(tmp_path / "other.db", "gate", 2)
    other = open_for_reading(tmp_path / "other.db", "s")
    other.documents(Filter())
    with pytest.raises(UsageError, match="in use"):
        backup_store(live, tmp_path / "other.db", force=True)
    other.close()


def test_a_damaged_store_gives_no_backup(live: Path, tmp_path: Path) -> None:
    connection = apsw.Connection(str(live))
    connection.pragma("foreign_keys", False)
    connection.execute("UPDATE chunks SET revision = 999 WHERE key = 1")
    connection.close()
    with pytest.raises(StoreCorrupt, match="point to revisions"):
        backup_store(live, tmp_path / "b.db")
    assert beside(live) == ["live.db"]


def test_files_are_their_owners_alone(live: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        fill(tmp_path / "home" / "stores" / "new.db", "door", 1)
        opened = open_for_writing(tmp_path / "home" / "stores" / "new.db", "s")
        opened.save(draft("/door/x.md", "A door."))
        backup_store(live, tmp_path / "b.db")
        SqliteUpkeep(live).export(tmp_path / "e.jsonl")
        files = [*(tmp_path / "home" / "stores").iterdir(), tmp_path / "b.db", tmp_path / "e.jsonl"]
        assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in files} == dict.fromkeys(
            ["new.db", "new.db-wal", "new.db-shm", "b.db", "e.jsonl"], 0o600
        )
        assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700
        opened.close()
    finally:
        os.umask(before)


def test_restoring_shows_readers_the_backup_and_keeps_what_was(store: SqliteStore, live: Path, tmp_path: Path) -> None:
    backup_store(live, tmp_path / "b.db")
    reading = open_for_reading(live, "s")
    store.save(draft("/door/later.md", "A later door."))
    asked = EMBEDDER.embed_queries(["a door"]).row(0)
    assert len(reading.documents(Filter())) == len(reading.vectors.search(asked, 50, Filter())) == 31
    report = restore_store(tmp_path / "b.db", live)
    assert len(reading.documents(Filter())) == len(store.documents(Filter())) == reading.lexical.size() == 30
    assert len(reading.vectors.search(asked, 50, Filter())) == 30
    assert len(uris(Path(report.kept))) == 31
    store.save(draft("/door/after.md", "A door after that."))
    assert store.integrity() == []
    reading.close()


def test_restoring_without_a_copy_leaves_none(live: Path, tmp_path: Path) -> None:
    backup_store(live, tmp_path / "b.db")
    assert restore_store(tmp_path / "b.db", live, keep=False).kept == ""
    assert beside(live) == ["b.db", "live.db"]


def test_a_damaged_or_foreign_backup_changes_nothing(live: Path, tmp_path: Path) -> None:
    backup_store(live, tmp_path / "b.db")
    content = bytearray((tmp_path / "b.db").read_bytes())
    for page in range(2, len(content) // 16384):
        content[page * 16384 : page * 16384 + 64] = b"\xff" * 64
    (tmp_path / "torn.db").write_bytes(content)
    (tmp_path / "text.db").write_text("no database " * 1000)
    for name, fault in (("torn.db", StoreCorrupt), ("text.db", StoreError), ("none.db", UsageError)):
        with pytest.raises(fault):
            restore_store(tmp_path / name, live)
    assert len(uris(live)) == 30
    with pytest.raises(UsageError, match="itself"):
        restore_store(live, live)


def test_a_newer_backup_is_refused(live: Path, tmp_path: Path) -> None:
    backup_store(live, tmp_path / "b.db")
    connection = apsw.Connection(str(tmp_path / "b.db"))
    connection.pragma("user_version", len(STEPS) + 1)
    connection.close()
    with pytest.raises(StoreTooNew):
        restore_store(tmp_path / "b.db", live)
    with pytest.raises(StoreTooNew):
        backup_store(tmp_path / "b.db", tmp_path / "c.db")


def test_an_older_backup_is_brought_up_to_date_first(live: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    old.write_bytes(lzma.decompress((ROOT / "tests" / "fixtures" / "store-1.db.xz").read_bytes()))
    restore_store(old, live, keep=False)
    assert SqliteUpkeep(live).check().ok
    assert uris(live)
    assert beside(live) == ["live.db", "old.db"]


@pytest.mark.parametrize("state", ["absent", "garbage", "damaged"])
def test_a_store_that_is_lost_comes_back(live: Path, tmp_path: Path, state: str) -> None:
    backup_store(live, tmp_path / "b.db")
    if state == "absent":
        live.unlink()
    elif state == "garbage":
        live.write_bytes(b"garbage " * 10_000)
    else:
        content = bytearray(live.read_bytes())
        content[16384 * 2 : 16384 * 4] = b"\xff" * 16384 * 2
        live.write_bytes(content)
    report = restore_store(tmp_path / "b.db", live)
    assert len(uris(live)) == 30
    assert SqliteUpkeep(live).check().ok
    assert bool(report.kept) == (state != "absent")


def test_a_swap_waits_for_no_writer(store: SqliteStore, live: Path, tmp_path: Path) -> None:
    fill(tmp_path / "built.db", "gate", 3)
    with store._database.transaction(), pytest.raises(StoreLocked):
        swap_in(tmp_path / "built.db", live, busy_ms=50)
    assert len(uris(live)) == 30


def test_a_swap_is_refused_when_the_live_file_has_changed(live: Path, tmp_path: Path) -> None:
    watch = Watch(live)
    copy_store(live, tmp_path / "built.db")
    SqliteUpkeep(live).check()
    assert not watch.changed
    writing = open_for_writing(live, "s")
    writing.save(draft("/door/later.md", "A later door."))
    with pytest.raises(StoreLocked, match="nothing was swapped"):
        swap_in(tmp_path / "built.db", live, watch)
    assert len(uris(live)) == 31
    assert writing.integrity() == []
    writing.save(draft("/door/still.md", "Writing goes on."))
    writing.close()
    watch.close()
    assert len(uris(tmp_path / "built.db")) == 30


def test_readers_of_a_swap_see_the_old_or_the_new(live: Path, tmp_path: Path) -> None:
    fill(tmp_path / "gates.db", "gate", 60)
    copy_store(live, tmp_path / "doors.db")
    stop = tmp_path / "stop"
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(live), str(stop)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
    for turn in range(20):
        swap_in(tmp_path / ("gates.db" if turn % 2 == 0 else "doors.db"), live)
        time.sleep(0.02)
    stop.touch()
    said = [reader.communicate()[0].split() for reader in readers]
    for reads, mixed, errors, seen in said:
        assert int(reads) > 10
        assert (mixed, errors, seen) == ("0", "0", "door,gate")
    assert SqliteUpkeep(live).check().ok


def test_a_full_disk_is_told_before_anything_begins(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="MiB are free"):
        need_space(tmp_path, 1 << 20, free=lambda folder: 1 << 19)
    need_space(tmp_path, 1 << 19, free=lambda folder: 1 << 19)


def test_a_swap_that_is_killed_leaves_the_old_or_the_new(live: Path, tmp_path: Path) -> None:
    fill(tmp_path / "gates.db", "gate", 60)
    copy_store(live, tmp_path / "doors.db")
    program = f"""
import sys
sys.path[:0] = [{str(ROOT / "src")!r}]
from pathlib import Path
from pincite.adapters.sqlite.backup import swap_in
print("ready", flush=True)
while True:
    for built in sys.argv[2:]:
        swap_in(Path(built), Path(sys.argv[1]))
"""
    moments = random.Random(7)
    command = [sys.executable, "-c", program, str(live), str(tmp_path / "gates.db"), str(tmp_path / "doors.db")]
    for _ in range(12):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(moments.uniform(0, 0.15))
            process.kill()
        assert len(uris(live)) in (30, 60)
        assert SqliteUpkeep(live).check().faults == ()


def test_what_a_dead_process_left_is_swept_up(live: Path, tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as done:
        done.wait()
    old = time.time() - 7200
    names = {f".b.db.{pid}-0123abcd.part": swept for pid, swept in ((done.pid, True), (os.getpid(), False))}
    for name in [*names, f".b.db.{done.pid}-0123abcd.part-wal", f".b.db.{done.pid}-fresh000.part"]:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (old, old))
    backup_store(live, tmp_path / "b.db")
    assert {name: not (tmp_path / name).exists() for name in names} == names
    assert not (tmp_path / f".b.db.{done.pid}-0123abcd.part-wal").exists()


def test_what_the_disk_refuses_is_an_error_of_ours(live: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "b", tmp_path / ("n" * 300)):
        for write in (SqliteUpkeep(live).export, SqliteUpkeep(live).backup):
            with pytest.raises(StoreError):
                write(place)
