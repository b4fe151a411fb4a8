"""README's figures are those of the newest saved run of each benchmark."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from builders import ROOT

README = (ROOT / "README.md").read_text("utf-8")
RESULTS = ROOT / "benchmarks" / "results"


def newest(name: str) -> dict[str, Any]:
    path = sorted(RESULTS.glob(f"{name}-*.json"))[-1]
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    assert record["quick"] is False
    assert record["machine"]["versions"]["pincite"]
    headline: dict[str, Any] = record["headline"]
    return headline


def thousandths(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def rows() -> dict[str, str]:
    """The figures of README's table, by the beginning of what they measure."""
    return {
        what.strip(): figure.strip() for what, figure in re.findall(r"^\| ([^|]+)\|([^|]+)\|", README, re.MULTILINE)
    }


def figure(beginning: str) -> str:
    return next(figure for what, figure in rows().items() if what.startswith(beginning))


@pytest.mark.parametrize(
    ("benchmark", "beginning", "key", "shape"),
    [
        ("codes", "questions on codes", "cited", "{} of 25"),
        ("codes", "bare clause", "identifiers", "{} of 6"),
        ("codes", "unanswerable", "refused", "{} of 7"),
    ],
)
def test_counts(benchmark: str, beginning: str, key: str, shape: str) -> None:
    assert figure(beginning) == shape.format(newest(benchmark)[key])


@pytest.mark.parametrize(
    ("beginning", "key"),
    [("quotes of real PDFs", "text_pdf"), ("quotes on scans", "scans"), ("quotes of other formats", "other")],
)
def test_pages(beginning: str, key: str) -> None:
    assert figure(beginning) == f"{newest('pages')[key]:.0%}".replace("%", " %")


def test_reading() -> None:
    found = newest("reading")
    counts = " / ".join(str(found[key]) for key in ("crashes", "hangs", "untyped"))
    assert figure("damaged copies") == f"{counts} of {found['mutations']:,}"
    wanted = f"{found['pages_per_s_ratio']:.0%}; {found['two_worker_speedup']:.1f}".replace("%", " %")
    assert figure("pages a second of PDFium") == wanted


def test_retrieval() -> None:
    found = newest("retrieval")
    wanted = " / ".join(thousandths(found[key]) for key in ("ndcg_bm25", "ndcg_dense", "ndcg_fused"))
    assert figure("retrieval, mean") == wanted


def test_speed() -> None:
    assert figure("a search, model warm") == f"{newest('speed')['search_p50_ms']:.0f} ms"
    assert figure("share of an ingest") == f"{newest('speed')['embedding_share']:.0%}".replace("%", " %")
