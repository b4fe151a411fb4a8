"""The rules of the house: directions, sizes, public names, documents that match the code."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite
from builders import ROOT

PACKAGE = ROOT / "src" / "pincite"
MODULES = sorted(PACKAGE.rglob("*.py"))
PUBLIC = [
    "Answer",
    "Change",
    "Citation",
    "Claim",
    "Document",
    "Filter",
    "Hit",
    "IngestReport",
    "Library",
    "Locator",
    "NotFound",
    "Outcome",
    "OutcomeKind",
    "PinciteError",
    "Reason",
    "SearchResult",
    "__version__",
    "open_library",
]
MANY_METHODS = {"Library", "Store", "WritableStore", "SqliteReading", "SqliteStore", "MemoryReading", "MemoryStore"}
"""The port of the store and what implements it, and the object that has a method for every verb."""


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield f"{path.relative_to(ROOT)}:{node.name}", node.end_lineno - node.lineno + 1


def test_files_are_rooms_of_a_sane_size() -> None:
    large = {str(p.relative_to(ROOT)): n for p in MODULES if (n := len(p.read_text("utf-8").splitlines())) > 300}
    assert large == {}


def test_functions_fit_a_screen() -> None:
    sizes = dict(item for path in MODULES for item in functions(path))
    assert {name: size for name, size in sizes.items() if size > 60} == {}
    assert statistics.median(sizes.values()) <= 10
    assert statistics.quantiles(sizes.values(), n=10)[-1] <= 30


def test_classes_have_few_public_methods() -> None:
    many = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name not in MANY_METHODS:
                public = [n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
                if len(public) > 12:
                    many[node.name] = len(public)
    assert many == {}


def test_directions() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_core_imports_the_standard_library_alone() -> None:
    for path in sorted((PACKAGE / "core").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.split(".")[0]
                assert top in sys.stdlib_module_names or name.startswith("pincite.core"), f"{path.name}: {name}"


def test_the_core_works_with_nothing_installed() -> None:
    modules = [f"pincite.core.{path.stem}" for path in sorted((PACKAGE / "core").glob("*.py"))]
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); import {', '.join(modules)}"
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)


def test_public_names() -> None:
    assert sorted(pincite.__all__) == sorted(PUBLIC)
    for name in PUBLIC:
        assert getattr(pincite, name) is not None
    with pytest.raises(AttributeError):
        _ = pincite.nothing


def test_every_module_and_public_function_says_what_it_is_for() -> None:
    missing = []
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        if not ast.get_docstring(tree) and path.read_text("utf-8").strip():
            missing.append(str(path.relative_to(ROOT)))
    assert missing == []


def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in done.stdout.splitlines()]


def test_no_file_names_a_machine_or_a_registry_host() -> None:
    patterns = [
        r"(?<![\w.])/(?:work|tmp/dev|root)/",
        r"pypi" + r"\.org",
        r"pythonhosted" + r"\.org",
        r"index" + r"-url",
    ]
    found = []
    for path in tracked():
        if path.suffix in (".pdf", ".json") or not path.is_file():
            continue
        text = path.read_text("utf-8", "replace")
        found += [f"{path.relative_to(ROOT)}: {pattern}" for pattern in patterns if re.search(pattern, text)]
    assert found == []


def test_the_pins_hold_no_addresses() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9._-]*==[^\s@]+( ; .+)?", line) for line in lines if line)


def test_decision_records_are_short_and_numbered() -> None:
    records = sorted((ROOT / "docs" / "adr").glob("*.md"))
    assert [int(path.name[:4]) for path in records] == list(range(1, len(records) + 1))
    assert {path.name: n for path in records if (n := len(path.read_text("utf-8").splitlines())) > 30} == {}


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        targets = re.findall(r"\]\(([^)#\s]+)", path.read_text("utf-8"))
        lost = [target for target in targets if "://" not in target and not (path.parent / target).exists()]
        broken += [f"{path.relative_to(ROOT)} -> {target}" for target in lost]
    assert broken == []


def test_every_decision_that_the_code_names_is_there() -> None:
    numbers = {path.name[:4] for path in (ROOT / "docs" / "adr").glob("*.md")}
    named = {number for path in MODULES for number in re.findall(r"ADR (\d{4})", path.read_text("utf-8"))}
    assert named <= numbers
