"""The command line as people and scripts use it: real processes, real store, real model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite.faces.cli import COMMANDS

HEAVY = {"apsw", "fastapi", "httpx2", "markdown_it", "mcp", "numpy", "onnxruntime", "pydantic", "pypdfium2"}
HEAVY |= {"rich", "selectolax", "tokenizers"}
HOSTILE = [
    '"',
    "?",
    "C++",
    "NOT",
    "NEAR(",
    "D103.4",
    "🎉",
    "a" * 10_000,
    "word " * 2_000,
    "'; DROP TABLE chunks; --",
    "*",
]


def pincite(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pincite", *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=given or "", check=False)


def as_json(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(done.stdout)
    assert value["schema"] == 1
    return value


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store file with a few small documents and one failure in it."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "doors.md").write_text(
        "# 404 Doors\n\n**404.2.3 Clear Width.** Door openings shall provide a clear width of 32 inches minimum.\n"
    )
    (folder / "gates.txt").write_text("Gates across a fire lane may not be locked in any manner.\n")
    (folder / "table.docx").write_bytes(b"PK\x03\x04 not really")
    done = pincite("ingest", "-s", str(folder / "store.db"), str(folder))
    assert done.returncode == 4, done.stderr
    return folder / "store.db"


@pytest.mark.parametrize(
    "arguments", [["--help"], *([name, "--help"] for name in COMMANDS), ["store", "new", "--help"]]
)
def test_help_is_quick_and_teaches(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom pincite.faces.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as done:\n    assert not done.code\n"
        f"print('LOADED', sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"
    assert "Example" in done.stdout


def test_an_answer_and_its_exit_code(library: Path) -> None:
    done = pincite("ask", "-s", str(library), "What clear width shall door openings provide?")
    assert done.returncode == 0, done.stderr
    assert "Door openings shall provide a clear width of 32 inches minimum. [1]" in done.stdout
    assert "[1] doors.md, line 3, 404 Doors > 404.2.3 Clear Width, revision 1" in done.stdout
    assert "Not covered: 1 file could not be read" in done.stdout


def test_not_found_and_its_exit_code(library: Path) -> None:
    done = pincite("ask", "-s", str(library), "What does 999.9.9 say?")
    assert done.returncode == 3
    assert done.stdout.startswith("NOT_FOUND")
    value = as_json(pincite("ask", "-s", str(library), "--json", "What does 999.9.9 say?"))
    assert value["answer"] is None
    assert value["not_found"]["reason"] == "NO_MATCH"


def test_json_is_one_document_with_places(library: Path) -> None:
    value = as_json(pincite("ask", "-s", str(library), "--json", "May gates across a fire lane be locked?"))
    (citation,) = value["answer"]["claims"][0]["citations"]
    assert citation["quote"] == "Gates across a fire lane may not be locked in any manner."
    assert citation["locator"]["lines"] == [1, 1]
    assert citation["address"].startswith("pincite://store/")


@pytest.mark.parametrize("question", HOSTILE)
@pytest.mark.parametrize("command", ["ask", "search"])
def test_any_text_is_literal(library: Path, command: str, question: str) -> None:
    done = pincite(command, "-s", str(library), "--", question)
    assert done.returncode in (0, 3), done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("given", ["", "  \n", "\x00"])
def test_no_question_is_a_mistake_with_a_hint(library: Path, given: str) -> None:
    done = pincite("ask", "-s", str(library), "-", given=given)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")


def test_a_question_may_come_from_standard_input(library: Path) -> None:
    assert pincite("search", "-s", str(library), "-", given="404.2.3 \x00 NEAR(").returncode == 0


def test_search_explains_itself_and_filters(library: Path) -> None:
    done = pincite("search", "-s", str(library), "--explain", "locked gates")
    assert "lexical rank 1" in done.stdout
    value = as_json(pincite("search", "-s", str(library), "--json", "--document", "doors.md", "locked gates width"))
    assert {hit["document"]["name"] for hit in value["hits"]} == {"doors.md"}
    assert pincite("search", "-s", str(library), "--collection", "none", "gates").returncode == 3


def test_a_second_ingest_changes_nothing(library: Path) -> None:
    value = as_json(pincite("ingest", "-s", str(library), "--json", str(library.parent / "doors.md")))
    assert value["counts"] == {"added": 0, "updated": 0, "unchanged": 1, "failed": 0}
    assert value["embedded"] == 0


def test_look_around(library: Path) -> None:
    where = ("-s", str(library))
    assert "doors.md" in pincite("list", *where).stdout
    assert "corrupt" in pincite("list", "--failed", *where).stdout
    inspected = as_json(pincite("inspect", *where, "--json", "doors.md"))
    assert inspected["chunks"][0]["locator"]["headings"] == ["404 Doors", "404.2.3 Clear Width"]
    assert "2 documents" in pincite("status", *where).stdout
    assert as_json(pincite("doctor", *where, "--json"))["ok"] is True
    assert as_json(pincite("probe", *where, "--json"))["passages_per_second"] > 0


def test_named_stores() -> None:
    assert as_json(pincite("store", "list", "--json"))["stores"] == []
    assert pincite("store", "new", "codes").returncode == 0
    assert pincite("store", "use", "codes").returncode == 0
    assert as_json(pincite("store", "list", "--json"))["stores"][0]["active"] is True
    assert "codes" in pincite("store", "show").stdout
    assert as_json(pincite("status", "--json"))["store"] == "codes"
    assert pincite("ask", "anything at all").returncode == 3
    assert pincite("store", "new", "codes").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["aks", "x"], 2, "Did you mean ask?"),
        (["ask"], 2, "Missing argument"),
        (["ask", "--colection", "x", "y"], 2, "--collection"),
        (["ask", "-s", "nothere", "x"], 2, "There is no store nothere"),
        (["ingest", "/no/such/file"], 2, "There is no file or folder"),
        (["inspect", "nothing.pdf"], 2, "store"),
        (["completion", "tcsh"], 2, "tcsh"),
    ],
)
def test_mistakes_are_told_with_the_way_out(arguments: list[str], code: int, words: str) -> None:
    done = pincite(*arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    value = as_json(pincite(*arguments, "--json"))
    assert value["error"]["message"]


def test_a_faulty_setting_stops_everything_with_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_EMBEDER", "none")
    done = pincite("config")
    assert (done.returncode, done.stderr.count("\n")) == (2, 2)
    assert "Did you mean embedder?" in done.stderr


def test_settings_tell_their_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_LIMIT", "9")
    value = as_json(pincite("config", "--json"))
    assert value["settings"]["limit"] == {"value": 9, "origin": "environment"}


def test_words_alone_answer_without_a_model(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    done = pincite("ask", "-s", str(library), "clear width of door openings")
    assert done.returncode == 0
    assert "Note: the dense lane is unavailable" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    assert "_PINCITE_COMPLETE" in pincite("completion", shell).stdout


def test_a_damaged_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "s.db").write_text("no store " * 2_000)
    done = pincite("status", "-s", str(tmp_path / "s.db"))
    assert done.returncode == 1
    assert "not a pincite store" in done.stderr


def test_a_closed_pipe_is_no_fault(library: Path) -> None:
    command = f"{sys.executable} -m pincite list -s {library} --json | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
