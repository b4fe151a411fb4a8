"""`pincite store …` on real files: what it does, what it asks, what it refuses."""

from __future__ import annotations

import gzip
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from pincite.faces.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """Runs the program inside this process, in a home folder of its own."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._capsys = capsys
        self.folder = folder
        self.home = folder / "home"

    def __call__(self, *arguments: str) -> Ran:
        with pytest.raises(SystemExit) as end:
            main(arguments)
        out, err = self._capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Ran(end.value.code, out, err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "code.md").write_text("# 404 Doors\n\nDoors shall be wide.\n", "utf-8")
    ran = Cli(capsys, tmp_path)
    assert ran("ingest", "code.md", "-q").code == 0
    return ran


def change(run: Cli, text: str) -> None:
    (run.folder / "code.md").write_text(f"# 404 Doors\n\n{text}\n", "utf-8")
    assert run("ingest", "code.md", "-q").code == 0


def spoil(run: Cli, sql: str) -> None:
    connection = apsw.Connection(str(run.home / "stores" / "default.db"))
    connection.execute(sql)
    connection.close()


def test_there_and_back_by_backup(run: Cli) -> None:
    assert run("store", "backup", "b.db", "-q").code == 0
    change(run, "Doors shall be red.")
    assert "red" in run("search", "doors").out
    ran = run("store", "restore-backup", "b.db", "--yes", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert "wide" in run("search", "doors").out
    assert "red" in run("search", "doors", "-s", ran.json["kept"]).out
    assert run("store", "backup", "b.db").code == 2
    assert run("store", "backup", "b.db", "--force").code == 0


def test_what_replaces_or_deletes_shows_itself_and_needs_a_word(run: Cli) -> None:
    run("store", "backup", "b.db", "-q")
    for arguments in (("store", "restore-backup", "b.db"), ("store", "drop", "default", "--purge")):
        ran = run(*arguments)
        assert (ran.code, "1 documents" in ran.err, "--yes" in ran.err) == (2, True, True)
        assert run(*arguments, "--json").json["error"]["code"] == "UsageError"
    assert "wide" in run("search", "doors").out


@pytest.mark.parametrize(("typed", "code"), [("default", 0), ("yes", 1), ("", 1)])
def test_on_a_terminal_the_name_must_be_typed(run: Cli, typed: str, code: int) -> None:
    pty = pytest.importorskip("pty")
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "pincite", "store", "drop", "default", "--purge"]
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as done:
        assert done.stderr is not None
        shown, deadline = b"", time.monotonic() + 30
        while b"Type default" not in shown and time.monotonic() < deadline:
            if select.select([done.stderr], [], [], 1)[0]:
                shown += os.read(done.stderr.fileno(), 4096)
        os.write(mine, typed.encode() + b"\n")
        done.communicate()
        assert done.returncode == code
    os.close(mine)
    os.close(theirs)
    assert (run.home / "stores" / "default.db").exists() == bool(code)


def test_a_check_says_every_fault_and_a_rebuild_mends_the_index(run: Cli) -> None:
    assert run("store", "check").out.endswith("The store is sound.\n")
    spoil(run, "DELETE FROM fulltext")
    ran = run("store", "check")
    assert (ran.code, ran.out.count("Fault: ")) == (7, 2)
    assert "missing from the full-text index" in ran.out
    assert "does not find a stored passage by its own words" in ran.out
    assert run("store", "rebuild", "--json").json["passages"] == 1
    assert run("store", "check", "--json").json["ok"] is True


def test_health_is_not_fine_when_search_is_broken(run: Cli) -> None:
    """Pain 69: the keyword table is gone, and the file is a sound database."""
    spoil(run, "DROP TABLE terms; DROP TABLE fulltext")
    assert run("doctor").code != 0
    ran = run("store", "check", "--json")
    assert (ran.code, ran.json["ok"]) == (7, False)
    assert run("store", "rebuild").code == 0
    assert run("doctor").code == 0


def test_a_damaged_file_is_faults_and_the_backup_brings_it_back(run: Cli) -> None:
    run("store", "backup", "b.db", "-q")
    path = run.home / "stores" / "default.db"
    content = bytearray(path.read_bytes())
    content[16384 : 16384 * 6] = b"\xff" * 16384 * 5
    path.write_bytes(content)
    ran = run("store", "check", "--json")
    assert ran.code == 7
    assert ran.json.get("faults") or ran.json["error"]["code"] == "StoreCorrupt"
    assert run("store", "backup", "c.db").code == 7
    assert run("store", "restore-backup", "b.db", "--yes").code == 0
    assert "wide" in run("search", "doors").out


def test_a_newer_file_is_refused_by_every_command(run: Cli) -> None:
    spoil(run, "PRAGMA user_version = 99")
    for arguments in (
        "search doors",
        "ask doors?",
        "list",
        "status",
        "inspect code.md",
        "ingest code.md",
        "reingest --failed",
        "store show",
        "store check",
        "store rebuild",
        "store rebuild --corpus",
        "store compact",
        "store backup b.db",
        "store export e.jsonl",
        "store restore-backup none.db --yes",
    ):
        ran = run(*arguments.split(), "--json")
        assert (arguments, ran.code) == (arguments, 2 if "none.db" in arguments else 1)
        assert "none.db" in arguments or "newer pincite" in ran.json["error"]["message"]
    assert run("doctor").code == 1


def test_there_and_back_by_export(run: Cli) -> None:
    assert run("store", "export", "e.jsonl.gz").code == 0
    header = gzip.decompress((run.folder / "e.jsonl.gz").read_bytes()).split(b"\n")[0]
    assert json.loads(header)["pincite"] == "export"
    assert run("store", "import", "e.jsonl.gz", "again").code == 0
    assert "wide" in run("search", "doors", "-s", "again").out
    assert run("store", "import", "e.jsonl.gz", "again").code == 2
    ran = run("store", "import", "e.jsonl.gz", "far", "--file", "far.db", "--json")
    assert (ran.code, ran.json["path"]) == (0, str(run.folder / "far.db"))
    assert run("store", "import", "e.jsonl.gz", "third", "--file", "far.db").code == 2
    assert [row["name"] for row in run("store", "list", "--json").json["stores"]] == ["again", "default", "far"]


def test_a_damaged_export_makes_no_store(run: Cli) -> None:
    run("store", "export", "e.jsonl")
    lines = (run.folder / "e.jsonl").read_text("utf-8").split("\n")
    (run.folder / "e.jsonl").write_text("\n".join([*lines[:2], lines[2][:-9], *lines[3:]]), "utf-8")
    ran = run("store", "import", "e.jsonl", "again")
    assert (ran.code, "Line 3 of the export is damaged" in ran.err) == (7, True)
    assert [row["name"] for row in run("store", "list", "--json").json["stores"]] == ["default"]


def test_an_export_may_go_through_a_pipe(run: Cli) -> None:
    command = f"{sys.executable} -m pincite store export - --no-vectors"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows[-1]["rows"]["documents"] == 1
    assert "Exported the store default" in done.stderr
    cut = subprocess.run(["bash", "-c", f"{command} | head -c 10"], capture_output=True, text=True, check=False)
    assert "Traceback" not in cut.stderr
    assert run("store", "export", "-", "--json").code == 2


def test_a_corpus_is_read_again(run: Cli) -> None:
    ran = run("store", "rebuild", "--corpus", "--json")
    assert (ran.code, ran.err, ran.json["counts"]["unchanged"], ran.json["gone"]) == (0, "", 1, [])
    (run.folder / "code.md").unlink()
    ran = run("store", "rebuild", "--corpus")
    assert (ran.code, "the last good revision stays" in ran.out) == (0, True)
    assert "wide" in run("search", "doors").out


def test_compaction_says_what_it_gave_back(run: Cli) -> None:
    for turn in range(5):
        change(run, f"Doors of turn {turn}. " * 2000)
    value = run("store", "compact", "--json").json
    assert value["before"] >= value["after"] > 0
    assert " before, " in run("store", "compact").out


def test_names_are_changed_dropped_and_taken_back(run: Cli) -> None:
    assert run("store", "rename", "default", "codes").code == 0
    assert "wide" in run("search", "doors").out
    assert run("store", "new", "other", "--file", "disk/other.db").out.startswith("Made the store other")
    ran = run("store", "drop", "codes")
    assert (ran.code, "The active store is now other." in ran.out) == (0, True)
    place = run("store", "drop", "other", "--json").json["path"]
    assert place == str(run.folder / "disk" / "other.db")
    (kept,) = (run.home / "dropped").iterdir()
    assert f"--file '{kept}'" in ran.out
    assert run("store", "new", "codes", "--file", str(kept)).out.startswith("Added the store codes")
    assert "wide" in run("search", "doors", "-s", "codes").out
    assert run("store", "drop", "cods").code == 2


def test_a_mistyped_parameter_stops(run: Cli) -> None:
    """Pain 77, on the commands of this group."""
    for arguments in ("backup b.db --forse", "rebuild --corpse", "drop default --purg --yes", "export e --no-vector"):
        ran = run("store", *arguments.split())
        assert (arguments, ran.code) == (arguments, 2)
    assert run("store", "chek").code == 2
    assert "check" in run("store", "chek").err
    assert "wide" in run("search", "doors").out


def test_a_store_that_is_being_written_is_waited_for_and_then_said(run: Cli) -> None:
    """Pain 66: nobody loses anything to a lock, and readers need none."""
    connection = apsw.Connection(str(run.home / "stores" / "default.db"))
    connection.execute("BEGIN IMMEDIATE")
    assert run("search", "doors").code == 0
    assert run("store", "check").code == 0
    assert run("store", "backup", "b.db").code == 0
    assert run("store", "rename", "default", "codes").code == 5
    assert run("store", "drop", "default").code == 5
    connection.execute("ROLLBACK")
    connection.close()
    assert run("store", "rename", "default", "codes").code == 0
