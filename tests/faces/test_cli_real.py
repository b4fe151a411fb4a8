"""The command line with the real library beneath: exit codes, one JSON document, hostile questions. Without
the embedding model, so that it is quick; the words lane answers."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pincite.core.errors import PinciteError
from pincite.faces.cli import main

CODE = """# Building code

## 404 Doors

**404.2.3 Clear Width.** Door openings shall provide a clear width of 32 inches minimum.

## D103 Access roads

**D103.4 Dead ends.** Dead-end roads longer than 150 feet shall have a turnaround. C++ is not a road.
"""
HOSTILE = [
    '"',
    "?",
    "C++",
    "NOT",
    "NEAR(",
    "NEAR(door, 3) AND",
    "D103.4",
    "🚪",
    "door\0width",
    "door * ^ {text} : -width",
    "'; DROP TABLE document; --",
    "\x1b[31mdoor",
    "door \udcff width",
    "门有多宽",
    "w" * 10_000,
    "door " * 2_000,
]


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
    return Cli(capsys, tmp_path)


@pytest.fixture
def filled(run: Cli) -> Cli:
    (run.folder / "code.md").write_text(CODE, "utf-8")
    assert run("ingest", "code.md", "--collection", "codes", "--tag", "law", "-q").code == 0
    return run


def test_an_answer_says_the_words_and_where_they_stand(filled: Cli) -> None:
    ran = filled("ask", "What clear width shall door openings provide?")
    assert ran.code == 0
    assert "Door openings shall provide a clear width of 32 inches minimum. [1]" in ran.out
    assert "[1] code.md, line 5, " in ran.out


def test_the_quote_in_json_is_a_slice_of_the_inspected_passage(filled: Cli) -> None:
    answer = filled("ask", "What clear width shall door openings provide?", "--json").json
    citation = answer["answer"]["claims"][0]["citations"][0]
    start, end = citation["locator"]["start"], citation["locator"]["end"]
    assert end - start == len(citation["quote"])
    assert citation["address"] == f"pincite://default/1?rev=1&start={start}&end={end}"
    chunks = filled("inspect", "code.md", "--json").json["chunks"]
    held = [c for c in chunks if c["locator"]["start"] <= start and end <= c["locator"]["end"]]
    assert held
    assert all(
        c["text"][start - c["locator"]["start"] : end - c["locator"]["start"]] == citation["quote"] for c in held
    )


def test_a_refusal_is_exit_code_3_with_its_reason(filled: Cli) -> None:
    ran = filled("ask", "Who painted the ceiling of the chapel?")
    assert (ran.code, ran.out.split("\n")[0][:11]) == (3, "NOT_FOUND (")
    refused = filled("ask", "Who painted the ceiling of the chapel?", "--json")
    assert refused.code == 3
    assert refused.json["answer"] is None
    assert refused.json["not_found"]["reason"] in ("NO_MATCH", "WEAK_EVIDENCE")
    assert refused.json["coverage"]["documents"] == 1


def test_a_lane_that_is_off_is_said(filled: Cli) -> None:
    assert "the dense lane is unavailable: embedding is switched off" in filled("search", "door").out


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--collection", "codes"], 0),
        (["--collection", "Codes"], 3),
        (["--tag", "law"], 0),
        (["--tag", "law", "--tag", "draft"], 3),
        (["--glob", "*/code.md"], 0),
        (["--glob", "*.pdf"], 3),
        (["--document", "code.md"], 0),
        (["--document", "other.md"], 2),
    ],
)
def test_filters_narrow_down_what_is_searched(filled: Cli, options: list[str], code: int) -> None:
    assert filled("search", "clear width", *options).code == code


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize("question", HOSTILE, ids=lambda question: ascii(question[:20]))
def test_no_question_breaks_it(filled: Cli, command: str, question: str) -> None:
    ran = filled(command, "--json", "--", question)
    assert ran.code in (0, 3)
    assert ran.err == ""
    assert ran.json["schema"] == 1
    plain = filled(command, "--", question)
    assert plain.code == ran.code
    assert "\x1b" not in plain.out + plain.err


def test_an_identifier_is_found_first(filled: Cli) -> None:
    hits = filled("search", "D103.4", "--json").json["hits"]
    assert "D103.4 Dead ends" in hits[0]["text"]


@pytest.mark.parametrize("question", ["", "   ", "\n"])
def test_an_empty_question_is_a_usage_error(filled: Cli, question: str) -> None:
    assert filled("ask", question).code == 2
    assert filled("search", question, "--json").json["error"]["code"] == "UsageError"


def test_a_dash_reads_standard_input(filled: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("clear width"))
    assert "404.2.3" in filled("search", "-").out


class Interrupted(io.StringIO):
    """Standard input of a person who presses Ctrl-C."""

    def read(self, size: int | None = -1, /) -> str:
        raise KeyboardInterrupt


def test_an_interrupt_says_what_stays(filled: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Interrupted())
    ran = filled("ask", "-")
    assert (ran.code, ran.out) == (130, "")
    assert "What was finished is kept" in ran.err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_words_are_bold_on_a_terminal_unless_colour_is_off(filled: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def seen() -> str:
        screen = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            assert filled("search", "clear", "width").code == 0
        return screen.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    where, passage = seen().split("\n")[:2]
    assert "\x1b" not in where
    assert "\x1b[1mClear\x1b[0m \x1b[1mWidth\x1b[0m" in passage
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in seen()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("serch door", 2),
        ("search door --colection x", 2),
        ("search door --limit 0", 2),
        ("search", 2),
        ("inspect nosuch.pdf", 2),
        ("inspect code.md --revision 9", 2),
        ("status --store nosuch", 2),
        ("ingest nosuch.pdf", 2),
        ("store use nosuch", 2),
        ("store new default", 2),
        ("store lst", 2),
        ("completion tcsh", 2),
        ("probe", 6),
        ("status", 0),
        ("list", 0),
        ("list --failed", 0),
        ("inspect code.md --chunks", 0),
        ("store list", 0),
        ("store show", 0),
        ("config", 0),
        ("completion zsh", 0),
    ],
)
def test_exit_codes_and_one_json_document(filled: Cli, arguments: str, code: int) -> None:
    plain = filled(*arguments.split())
    assert plain.code == code
    assert "Traceback" not in plain.err
    assert bool(plain.err) == bool(code)
    ran = filled(*arguments.split(), "--json")
    assert (ran.code, ran.err, ran.json["schema"]) == (code, "", 1)
    assert ("error" in ran.json) == bool(code)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [("serch door", "search"), ("search door --colection x", "--collection"), ("store lst", "list")],
)
def test_a_mistyped_name_gets_the_near_one(run: Cli, arguments: str, near: str) -> None:
    ran = run(*arguments.split())
    assert (ran.code, "Did you mean" in ran.err, near in ran.err) == (2, True, True)


def test_a_file_that_cannot_be_read_is_told_and_the_rest_goes_in(filled: Cli) -> None:
    (filled.folder / "more").mkdir()
    (filled.folder / "more" / "bad.pdf").write_bytes(b"%PDF-1.4\nnot really")
    (filled.folder / "more" / "good.txt").write_text("Gates shall be unlocked.", "utf-8")
    ran = filled("ingest", "more", "--json")
    assert (ran.code, ran.err) == (4, "")
    assert ran.json["counts"] == {"added": 1, "updated": 0, "unchanged": 0, "failed": 1}
    plain = filled("ingest", "more")
    assert plain.code == 4
    assert "Not read (corrupt): bad.pdf" in plain.out
    assert "bad.pdf" in filled("list", "--failed").out
    assert "Not covered: 1 file could not be read" in filled("ask", "Shall gates be unlocked?").out


def test_a_changed_file_is_a_new_revision_and_the_old_one_stays_readable(filled: Cli) -> None:
    (filled.folder / "code.md").write_text(CODE.replace("32 inches", "36 inches"), "utf-8")
    assert filled("ingest", "code.md", "--json").json["counts"]["updated"] == 1
    assert "36 inches" in filled("ask", "What clear width shall door openings provide?").out
    assert "32 inches" in filled("inspect", "code.md", "--revision", "1", "--chunks").out


def test_a_file_that_is_no_store_is_refused(run: Cli) -> None:
    (run.folder / "x.db").write_text("junk", "utf-8")
    ran = run("status", "-s", str(run.folder / "x.db"), "--json")
    assert (ran.code, ran.json["error"]["code"]) == (PinciteError.exit_code, "StoreError")


def test_settings_show_their_origin_and_a_mistyped_one_stops(run: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = run("config", "--json").json["settings"]
    assert settings["embedder"] == {"value": "none", "origin": "environment"}
    monkeypatch.setenv("PINCITE_LIMT", "3")
    ran = run("config")
    assert (ran.code, "Did you mean limit?" in ran.err) == (2, True)


def test_the_demo_answers_cites_a_page_and_refuses(run: Cli) -> None:
    ran = run("demo", "--json")
    assert (ran.code, ran.err) == (0, "")
    plain, clause, page, refusal = ran.json["answers"]
    assert "405.6" in str(clause["answer"]["claims"][0]["citations"][0]["locator"]["headings"])
    assert page["answer"]["claims"][0]["citations"][0]["locator"]["pages"] is not None
    assert plain["answer"] is not None
    assert refusal["not_found"]["reason"] == "WEAK_EVIDENCE"


def test_a_reader_that_goes_away_is_met_in_silence(filled: Cli) -> None:
    program = [sys.executable, "-m", "pincite", "inspect", "code.md", "--chunks"]
    done = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.stdout is not None
    done.stdout.close()
    _, err = done.communicate(timeout=30)
    assert (done.returncode, err) == (1, "")
