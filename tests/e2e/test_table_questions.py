"""What is the value in row X, column Y? The answer cites the row, wherever the table comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import samples
from pdfs import cells, pdf
from pincite.config import Config
from pincite.core.answers import Answer, Citation
from pincite.library import Library
from pincite.wiring import open_library

HEADER = ["Door type", "Clear width (mm)", "Closing force (N)"]
ROWS = [
    ["Swing door", "815", "22"],
    ["Sliding door", "900", "40"],
    ["Folding door", "760", "31"],
    ["Fire door", "1050", "67"],
    ["Gate of the yard", "2400", "88"],
]
GRID = [HEADER, *ROWS]
LONG = [[f"Panel {n}", str(300 + n), str(n % 50)] for n in range(1, 120)]


def html(rows: list[list[str]]) -> bytes:
    head = "".join(f"<th>{cell}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[1:])
    return f"<html><body><h1>Doors</h1><table><tr>{head}</tr>{body}</table></body></html>".encode()


def sheet(rows: list[list[str]]) -> bytes:
    """The table begins at C4: places must be those that the user sees."""
    cells_of = {
        f"{'CDE'[column]}{4 + number}": (float(cell) if cell.isdigit() else cell)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
    }
    return samples.xlsx({"Doors": cells_of})


def csv(rows: list[list[str]]) -> bytes:
    return "\n".join(",".join(row) for row in rows).encode()


def docx(rows: list[list[str]]) -> bytes:
    return samples.docx(samples.paragraph("Doors", "H1") + samples.table(rows))


def pages(rows: list[list[str]]) -> bytes:
    return pdf([cells(rows[first : first + 40]) for first in range(0, len(rows), 40)])


def markdown(rows: list[list[str]]) -> bytes:
    lines = [" | ".join(row) for row in rows]
    return "\n".join([f"| {lines[0]} |", "|---|---|---|", *(f"| {line} |" for line in lines[1:])]).encode()


def mail(rows: list[list[str]]) -> bytes:
    return samples.eml("Our doors", "See the list.", {"doors.csv": csv(rows)})


KINDS: dict[str, Callable[[list[list[str]]], bytes]] = {
    "docx": docx,
    "xlsx": sheet,
    "csv": csv,
    "html": html,
    "pdf": pages,
    "md": markdown,
    "eml": mail,
    "odt": lambda rows: samples.odt(_odf_table(rows)),
    "ods": samples.ods,
}


def _odf_table(rows: list[list[str]]) -> str:
    made = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in rows
    )
    return f"<table:table>{made}</table:table>"


@pytest.fixture(params=sorted(KINDS))
def answered(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], tuple[Citation, str]]]:
    """Asks a store with one document of the kind; gives the first citation and the kind."""
    (tmp_path / "files").mkdir()
    path = tmp_path / "files" / f"doors.{request.param}"
    path.write_bytes(KINDS[request.param]([*GRID, *LONG]))
    library = open_library(tmp_path / "s.db", write=True, config=Config(home=tmp_path, embedder="none", ocr="off"))
    library.ingest([path])

    def ask(question: str) -> tuple[Citation, str]:
        return _first(library, question), request.param

    yield ask
    library.close()


def _first(library: Library, question: str) -> Citation:
    answer = library.ask(question)
    assert isinstance(answer, Answer), answer
    return answer.claims[0].citations[0]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What is the clear width of a folding door?", 3),
        ("What is the closing force of the fire door?", 4),
        ("What is the clear width of panel 97?", 5 + 97),
    ],
)
def test_the_right_row_is_cited(answered: Callable[[str], tuple[Citation, str]], question: str, row: int) -> None:
    citation, kind = answered(question)
    expected = ([*ROWS, *LONG])[row - 1]
    assert [cell.strip() for cell in citation.quote.split("|")] == expected
    place = citation.locator.place
    assert place is not None
    above = {"xlsx": 4}.get(kind, 1)
    assert place.rows == (row + above, row + above)
    if kind == "xlsx":
        assert place.cells == f"C{row + above}:E{row + above}"
    if kind in ("csv", "eml"):
        assert citation.locator.lines == (row + 1, row + 1)
    if kind == "pdf":
        assert citation.locator.first_page == 1 + row // 40
        assert len(citation.locator.boxes) == 1
    header = citation.locator.header
    assert header is not None
    assert header.text.split(" | ") == HEADER
