"""A file may hang, crash, or eat its parser; it costs itself and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import ROOT
from pincite.adapters.files import source_of
from pincite.adapters.readers.ocr_choice import OcrChoice
from pincite.adapters.readers.sandbox import Limits, SandboxedReader
from pincite.core.documents import Outcome, OutcomeKind, Reading, Source

TABLE = {
    "text/plain": ("text/1", "pincite.adapters.readers.plaintext:TextReader"),
    "text/html": ("hostile/1", "hostile_reader:HostileReader"),
}


@pytest.fixture
def reader() -> Iterator[SandboxedReader]:
    made = SandboxedReader(Limits(seconds=5, memory_bytes=600 * 1024 * 1024, files_per_worker=5), TABLE)
    yield made
    made.close()


def given(tmp_path: Path, name: str, words: str) -> Source:
    path = tmp_path / name
    path.write_text(words)
    source = source_of(path)
    assert isinstance(source, Source)
    return source


def read(reader: SandboxedReader, tmp_path: Path, deed: str) -> Outcome:
    return reader.read(given(tmp_path, "deed.html", f"<html>{deed}")).outcome


def good(reader: SandboxedReader, tmp_path: Path) -> Reading:
    return reader.read(given(tmp_path, "good.txt", "A gate shall be open."))


@pytest.mark.parametrize(
    ("deed", "kind", "code"),
    [
        ("hang", OutcomeKind.FAILED, "timeout"),
        ("crash", OutcomeKind.FAILED, "crashed"),
        ("exit", OutcomeKind.FAILED, "crashed"),
        ("eat", OutcomeKind.TOO_BIG, "memory"),
        ("raise", OutcomeKind.FAILED, "reader_error"),
        ("recurse", OutcomeKind.CORRUPT, "too_deep"),
        ("write", OutcomeKind.FAILED, ""),
    ],
)
def test_the_next_file_is_read_all_the_same(
    reader: SandboxedReader, tmp_path: Path, deed: str, kind: OutcomeKind, code: str
) -> None:
    outcome = read(reader, tmp_path, deed)
    assert outcome.kind is kind
    assert outcome.code == code or not code
    assert outcome.message
    assert good(reader, tmp_path).text == "A gate shall be open."


def test_chatter_of_libraries_does_not_break_the_protocol(reader: SandboxedReader, tmp_path: Path) -> None:
    assert read(reader, tmp_path, "chatter").kind is OutcomeKind.WHOLE


def test_a_file_name_may_be_any_bytes(reader: SandboxedReader, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff name\n.txt"))
    path.write_text("A gate shall be open.")
    source = source_of(path)
    assert isinstance(source, Source)
    assert reader.read(source).text == "A gate shall be open."


def test_the_worker_is_replaced_now_and_then(reader: SandboxedReader, tmp_path: Path) -> None:
    workers = {reader.read(given(tmp_path, "pid.html", "<html>pid")).text for _ in range(7)}
    assert len(workers) == 2


def test_what_cannot_be_read_is_told_without_a_worker(tmp_path: Path) -> None:
    reader = SandboxedReader(Limits(file_bytes=10), TABLE)
    empty = reader.read(Source("/a", "a", "text/plain", "", 0, "/a")).outcome
    large = reader.read(Source("/a", "a", "text/plain", "", 11, "/a")).outcome
    locked = reader.read(Source("/a", "a.docx", "application/x-encrypted-office", "", 9, "/a")).outcome
    other = reader.read(Source("/a", "a.zip", "application/zip", "", 9, "/a")).outcome
    kinds = [OutcomeKind.EMPTY, OutcomeKind.TOO_BIG, OutcomeKind.PASSWORD, OutcomeKind.UNSUPPORTED]
    assert [outcome.kind for outcome in (empty, large, locked, other)] == kinds
    assert not reader.running()


def test_the_worker_ends_with_its_parent(tmp_path: Path) -> None:
    program = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(ROOT / "src")!r})
        from pincite.adapters.readers.sandbox import SandboxedReader
        from pincite.adapters.files import source_of
        from pathlib import Path
        reader = SandboxedReader()
        reader.read(source_of(Path({str(tmp_path / "good.txt")!r})))
        print(reader.running()[0], flush=True)
        import os
        os._exit(0)
    """)
    (tmp_path / "good.txt").write_text("A gate shall be open.")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    worker = int(done.stdout)
    for _ in range(100):
        try:
            os.kill(worker, 0)
            if Path(f"/proc/{worker}/stat").read_text().split()[2] == "Z":
                return
        except (ProcessLookupError, FileNotFoundError):
            return
        subprocess.run(["sleep", "0.05"], check=True)
    raise AssertionError("the worker outlived its parent")


PARSERS = ["pypdfium2", "selectolax", "markdown_it", "charset_normalizer", "lxml", "python_calamine", "olefile"]
PARSERS += ["oxmsg", "striprtf", "rapidocr", "PIL", "cv2"]


def test_the_parent_loads_no_parser() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); import pincite.adapters.readers.sandbox; "
        f"print(sorted(set({PARSERS}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_several_files_are_read_at_once_and_their_pages_counted(tmp_path: Path) -> None:
    reader = SandboxedReader(Limits(seconds=30), TABLE, workers=2)
    try:
        pending = [reader.start(given(tmp_path, f"{n}.html", "<html>steps")) for n in range(4)]
        readings = [item.wait(30) for item in pending]
        assert len({reading.text for reading in readings if reading is not None}) == 2
        assert all(item.pages == (1, 7) for item in pending)
        assert len(reader.running()) == 2
    finally:
        reader.close()
    assert reader.running() == []


def test_waiting_may_end_before_the_reading_is_there(tmp_path: Path) -> None:
    reader = SandboxedReader(Limits(seconds=2), TABLE)
    try:
        pending = reader.start(given(tmp_path, "deed.html", "<html>hang"))
        assert pending.wait(0.05) is None
        ended = pending.wait(30)
        assert ended is not None
        assert ended.outcome.code == "timeout"
    finally:
        reader.close()


def test_what_a_recogniser_may_newly_see_is_not_settled() -> None:
    unseen = Outcome(OutcomeKind.NO_TEXT_LAYER, "", "No page has a text layer.", "", (1,))
    whole = Outcome(OutcomeKind.WHOLE)
    without, seeing = SandboxedReader(table=TABLE), SandboxedReader(table=TABLE, ocr=OcrChoice("tesseract", ("de",)))
    assert without.is_settled("text/plain", "text/1", unseen)
    assert not seeing.is_settled("text/plain", "text/1", unseen)
    assert seeing.is_settled("text/plain", "text/1+tesseract/deu", unseen)
    assert seeing.is_settled("text/plain", "text/1", whole)
    assert not seeing.is_settled("text/plain", "text/0", whole)


def test_files_too_deep_inside_others_are_refused(tmp_path: Path) -> None:
    inside = (("message/rfc822", "1"),) * 4
    source = Source("/a#1", "a", "text/plain", "", 9, "/a", inside)
    assert SandboxedReader(table=TABLE).read(source).outcome.code == "nesting"
