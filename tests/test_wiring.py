"""What needs more than one adapter: a corpus that is read anew beside its store, and the warning about networks."""

from __future__ import annotations

import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest

from builders import draft
from pincite import open_library
from pincite.adapters.sqlite import open_for_writing
from pincite.adapters.sqlite.backup import swap_in
from pincite.core.errors import StoreLocked
from pincite.core.reports import Change, IngestProgress
from pincite.wiring import rebuild_corpus


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of three files, one of them mail with a file inside."""
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "doors.md").write_text("# Doors\n\n" + "Doors shall be wide. " * 60 + "\n\n## Locks\n\nLocks turn. ")
    (folder / "gates.md").write_text("# Gates\n\nGates shall be open.\n")
    mail = EmailMessage()
    mail["Subject"] = "Ramps"
    mail.set_content("See the file.")
    mail.add_attachment("Ramps shall be gentle.\n", filename="ramps.txt")
    (folder / "mail.eml").write_bytes(mail.as_bytes())
    with open_library(tmp_path / "s.db", write=True) as library:
        assert library.ingest([folder], collection="codes", tags=["law"]).count(Change.ADDED) == 4
    return tmp_path / "s.db"


def left_over(store: Path) -> list[str]:
    return [file.name for file in store.parent.iterdir() if "part" in file.name]


def test_a_corpus_is_read_anew_with_what_is_inside_its_files(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = open_library(store)
    before = {document.name: document for document in reading.documents()}
    (store.parent / "files" / "gates.md").unlink()
    monkeypatch.setenv("PINCITE_PROFILE", "windows")
    report = rebuild_corpus(str(store))
    assert [Path(path).name for path in report.gone] == ["gates.md"]
    assert report.ingest.count(Change.FAILED) == 0
    assert {entry.name for entry in report.ingest.entries} == {"doors.md", "mail.eml", "ramps.txt"}
    after = {document.name: document for document in reading.documents()}
    assert set(after) == set(before)
    assert after["gates.md"] == before["gates.md"]
    assert after["doors.md"].revision == 2
    assert {(d.id, d.collection, d.tags) for d in after.values()} == {
        (d.id, "codes", ("law",)) for d in before.values()
    }
    assert reading.check().ok
    assert reading.search("locks turn").hits
    assert left_over(store) == []
    reading.close()


def test_readers_have_the_old_until_the_new_is_whole(store: Path) -> None:
    (store.parent / "files" / "gates.md").write_text("# Gates\n\nGates shall be shut.\n")
    reading, seen = open_library(store), set()

    def look(step: IngestProgress) -> None:
        seen.add(reading.inspect("gates.md").revision.text)

    rebuild_corpus(str(store), progress=look)
    assert seen == {"Gates\n\nGates shall be open."}
    assert "shut" in reading.inspect("gates.md").revision.text
    reading.close()


def test_a_store_that_changed_meanwhile_is_left_alone(store: Path) -> None:
    (store.parent / "more.md").write_text("More doors.\n")

    def write(step: IngestProgress) -> None:
        with open_library(store, write=True) as other:
            other.ingest([store.parent / "more.md"])

    (store.parent / "files" / "gates.md").write_text("# Gates\n\nGates shall be shut.\n")
    with pytest.raises(StoreLocked, match="nothing was swapped"):
        rebuild_corpus(str(store), progress=write)
    with open_library(store) as library:
        assert "open" in library.inspect("gates.md").revision.text
        assert {document.name for document in library.documents()} >= {"more.md", "gates.md"}
        assert library.check().ok
    assert left_over(store) == []


def test_a_run_that_breaks_off_changes_nothing(store: Path) -> None:
    (store.parent / "files" / "gates.md").write_text("# Gates\n\nGates shall be shut.\n")
    before = store.read_bytes()

    def stop(step: IngestProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild_corpus(str(store), progress=stop)
    assert (store.read_bytes(), left_over(store)) == (before, [])


def test_a_store_on_a_network_is_warned_of_once_on_standard_error(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text("1 0 0:1 / / rw - nfs4 server:/ rw\n")
    program = (
        "import sys\nfrom pathlib import Path\nfrom pincite.wiring import warn_of_network\n"
        "for turn in range(3):\n    warn_of_network(Path(sys.argv[1]), sys.argv[2])"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "s.db"), str(table)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr.count("network file system (nfs4)"), done.stderr.count("\n")) == ("", 1, 1)


SEARCHER = """
import sys
from pathlib import Path
from pincite import open_library
from pincite.core.errors import PinciteError
reads = mixed = errors = 0
with open_library(sys.argv[1]) as library:
    print("ready", flush=True)
    while not Path(sys.argv[2]).exists():
        try:
            found = library.search("door gate house", limit=20)
            kinds = {hit.passage.document.uri.split("/")[1] for hit in found.hits}
            words = {hit.passage.chunk.text.split()[0].lower() for hit in found.hits}
            held = library.inspect(1)
            same = all(held.revision.text[c.start : c.end] == c.text for c in held.chunks)
            library.ask("what is the door or gate of the house?")
            same = same and held.document.name in held.revision.text
            mixed += kinds != words or len(kinds) != 1 or not same
            reads += 1
        except PinciteError as fault:
            errors += 1
            print(fault, file=sys.stderr)
print(reads, mixed, errors, flush=True)
"""


def kind_of_store(path: Path, kind: str) -> None:
    """Documents of one sort, under the numbers and keys that the other sort has too."""
    store = open_for_writing(path, "s")
    for number in range(20):
        text = f"{kind} {number}.md is the {kind} of house {number}." + " More words." * len(kind) * number
        store.save(draft(f"/{kind}/{number}.md", text, embedder=None))
    store.close()


def test_a_question_during_swaps_is_answered_from_the_old_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    for name, kind in (("live.db", "door"), ("doors.db", "door"), ("gates.db", "gate")):
        kind_of_store(tmp_path / name, kind)
    stop = tmp_path / "stop"
    command = [sys.executable, "-c", SEARCHER, str(tmp_path / "live.db"), str(stop)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        for turn in range(60):
            swap_in(tmp_path / ("gates.db" if turn % 2 == 0 else "doors.db"), tmp_path / "live.db")
        stop.touch()
        reads, mixed, errors = reader.communicate()[0].split()
    assert int(reads) > 5
    assert (mixed, errors) == ("0", "0")
