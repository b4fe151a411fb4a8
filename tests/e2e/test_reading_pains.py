"""What goes wrong for people when text is taken out of files, one test a pain: generated files, the real readers
in their sandbox, a real store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import samples
from pdfs import Sheet, cells, locked, pdf, plain
from pictures import needs_ocr, picture_pdf
from pincite.adapters.readers.ocr_choice import choose_ocr
from pincite.config import Config
from pincite.core.answers import Answer
from pincite.core.documents import BlockKind, OutcomeKind
from pincite.core.reports import Change, IngestEntry, IngestReport
from pincite.library import Library
from pincite.wiring import open_library

Open = Callable[..., Library]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens the store of the test, as often as it likes."""
    made: list[Library] = []

    def open_store(ocr: str = "off") -> Library:
        config = Config(home=tmp_path / "home", embedder="none", ocr=ocr)
        made.append(open_library(tmp_path / "store.db", write=True, config=config))
        return made[-1]

    yield open_store
    for library in made:
        library.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "files"
    path.mkdir()
    return path


def ingest(library: Library, folder: Path, **files: bytes) -> dict[str, IngestEntry]:
    """Write the files (a_pdf is a.pdf), ingest the folder; entries by name."""
    for name, content in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_bytes(content)
    return by_name(library.ingest([folder]))


def by_name(report: IngestReport) -> dict[str, IngestEntry]:
    return {entry.name: entry for entry in report.entries}


def texts(library: Library, name: str) -> list[str]:
    return [chunk.text for chunk in library.inspect(name).chunks]


def found(library: Library, words: str) -> list[str]:
    return [hit.passage.chunk.text for hit in library.search(words).hits]


def test_01_a_scan_is_never_a_success(opened: Open, folder: Path) -> None:
    entry = ingest(opened(), folder, scan_pdf=pdf([Sheet(picture=True), Sheet(picture=True)]))["scan.pdf"]
    assert (entry.change, entry.outcome.kind) == (Change.FAILED, OutcomeKind.NO_TEXT_LAYER)
    assert entry.outcome.pages == (1, 2)
    assert "pincite[ocr]" in entry.outcome.hint


@needs_ocr
def test_02_recognised_text_stands_on_its_page(opened: Open, folder: Path) -> None:
    library = opened(ocr="rapidocr")
    content = picture_pdf(
        [None, "The gate shall be thirty inches wide.", None], before=["First page.", "", "Last page."]
    )
    assert ingest(library, folder, mixed_pdf=content)["mixed.pdf"].outcome.kind is OutcomeKind.WHOLE
    answer = library.ask("How wide shall the gate be?")
    assert isinstance(answer, Answer)
    locator = answer.claims[0].citations[0].locator
    assert (locator.first_page, locator.last_page) == (2, 2)
    assert locator.ocr is not None
    assert locator.ocr > 0.8
    assert locator.boxes
    pages = library.inspect("mixed.pdf").revision.reading.pages
    assert [page.ocr is not None for page in pages] == [False, True, False]


def test_03_a_part_is_not_stored_as_the_whole(opened: Open, folder: Path) -> None:
    content = pdf([plain("The first page tells of doors."), plain("Lost."), plain("The third page tells of gates.")])
    middle = content.index(b"/Type /Page ", content.index(b"/Type /Page ") + 1)
    broken = content[:middle] + b"/Type /Pige " + content[middle + 12 :]
    broken = broken.replace(b"9 0 obj\n<<", b"9 0 obj\n(<", 1)
    library = opened()
    entry = ingest(library, folder, three_pdf=broken)["three.pdf"]
    assert entry.outcome.kind is OutcomeKind.PARTIAL
    assert entry.outcome.pages == (2,)
    assert library.status().coverage.partial == 1
    assert [page.number for page in library.inspect("three.pdf").revision.reading.pages] == [1, 2, 3]


def test_04_what_a_parser_complains_of_is_no_content(opened: Open, folder: Path) -> None:
    library = opened()
    whole = samples.docx(samples.paragraph("Doors are wide."))
    entry = ingest(library, folder, cut_docx=whole[: len(whole) // 2])["cut.docx"]
    assert (entry.outcome.kind, entry.chunks) == (OutcomeKind.CORRUPT, 0)
    assert library.status().coverage.chunks == 0
    assert found(library, "damaged file container") == []


@pytest.mark.parametrize("by_rows", [False, True])
def test_05_columns_are_read_one_after_the_other(opened: Open, folder: Path, by_rows: bool) -> None:
    """Set column by column, and set row by row across the columns."""
    left = [f"Left sentence number {n} goes on about the doors" for n in range(1, 13)]
    right = [f"Right sentence number {n} goes on about the gates" for n in range(1, 13)]
    at = [(text, 9.0, 60.0, 700.0 - 12 * n, False) for n, text in enumerate(left)]
    beside = [(text, 9.0, 330.0, 700.0 - 12 * n, False) for n, text in enumerate(right)]
    lines = [line for pair in zip(at, beside, strict=True) for line in pair] if by_rows else [*at, *beside]
    library = opened()
    ingest(library, folder, columns_pdf=pdf([Sheet(lines)]))
    text = library.inspect("columns.pdf").revision.text
    places = [text.index(line) for line in [*left, *right]]
    assert places == sorted(places)


def test_06_ligatures_are_found_by_their_letters_and_shown_as_set(opened: Open, folder: Path) -> None:
    library = opened()
    ingest(library, folder, office_txt="The ofﬁce of ﬁnance is eﬃcient.".encode())
    assert found(library, "finance") == found(library, "office efficient") == ["The ofﬁce of ﬁnance is eﬃcient."]


def test_07_a_hyphen_at_a_line_s_end(opened: Open, folder: Path) -> None:
    page = plain("A long-term plan has many capabili-", "ties that make it a long-", "term success.")
    library = opened()
    ingest(library, folder, plan_pdf=pdf([page]))
    text = library.inspect("plan.pdf").revision.text
    assert "capabilities" in text
    assert text.count("long-term") == 2
    assert found(library, "capabilities")


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_08_rotated_pages(opened: Open, folder: Path, turn: int) -> None:
    library = opened()
    ingest(
        library, folder, turned_pdf=pdf([Sheet([("Doors are thirty inches wide.", 11, 100, 400, False)], rotate=turn)])
    )
    reading = library.inspect("turned.pdf").revision.reading
    assert reading.text == "Doors are thirty inches wide."
    page, box = reading.pages[0], reading.blocks[0].boxes[0]
    assert 0 <= box.left < box.right <= page.width
    assert 0 <= box.top < box.bottom <= page.height


def test_09_every_row_of_a_table_knows_its_header(opened: Open, folder: Path) -> None:
    header = ["Part", "Width (mm)", "Price (EUR)"]
    rows = [[f"hinge {n}", f"{100 + n} by {200 + n}", str(5 * n)] for n in range(1, 61)]
    library = opened()
    ingest(library, folder, parts_pdf=pdf([cells([header, *rows[:30]]), cells(rows[30:])]))
    chunks = library.inspect("parts.pdf").chunks
    last = chunks[-1]
    assert last.locator.last_page == 2
    assert last.locator.header is not None
    assert last.locator.header.text == "Part | Width (mm) | Price (EUR)"
    answer = library.ask("What is the price of hinge 53?")
    assert isinstance(answer, Answer)
    citation = answer.claims[0].citations[0]
    assert citation.quote == "hinge 53 | 153 by 253 | 265"
    assert citation.locator.place is not None
    assert (citation.locator.first_page, citation.locator.place.rows) == (2, (54, 54))


def test_10_footers_stay_out_of_the_index(opened: Open, folder: Path) -> None:
    sheets = [
        Sheet([(f"Page {n} tells of door {n}.", 11, 72, 600, False), ("Acme Confidential Handbook", 8, 72, 30, False)])
        for n in range(1, 11)
    ]
    library = opened()
    ingest(library, folder, book_pdf=pdf(sheets, labels="0 << /S /r >>"))
    assert found(library, "Acme Confidential") == []
    reading = library.inspect("book.pdf").revision.reading
    assert reading.text.count("Acme Confidential Handbook") == 10
    assert reading.pages[3].label == "iv"
    assert sum(block.kind is BlockKind.FURNITURE for block in reading.blocks) == 10


def test_11_one_broken_file_stops_nothing(opened: Open, folder: Path) -> None:
    whole = pdf([plain("Doors are wide.")])
    entries = ingest(opened(), folder, a_pdf=whole[:60], b_pdf=whole, c_txt=b"Gates are open.")
    assert {name: entry.change for name, entry in entries.items()} == {
        "a.pdf": Change.FAILED,
        "b.pdf": Change.ADDED,
        "c.txt": Change.ADDED,
    }
    assert entries["a.pdf"].outcome.kind is OutcomeKind.CORRUPT


def test_12_a_password_is_asked_for_and_an_empty_one_opens(opened: Open, folder: Path) -> None:
    whole = pdf([plain("Doors are wide.")])
    entries = ingest(opened(), folder, user_pdf=locked(whole, "secret"), owner_pdf=locked(whole), good_pdf=whole)
    assert entries["user.pdf"].outcome.kind is OutcomeKind.PASSWORD
    assert "password" in entries["user.pdf"].outcome.hint
    assert entries["owner.pdf"].change is entries["good.pdf"].change is Change.ADDED


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Straße und Größe"),
        ("utf-8-sig", "Straße und Größe"),
        ("utf-16", "Straße und Größe"),
        ("utf-16-le", "Straße und Größe sind hier gemeint"),
        ("cp1252", "Die Straße führt über schöne Brücken nach Köln, später weiter nach München."),
        ("gb18030", "疏散门的净宽度不应小于九百毫米，安全出口应分散布置。"),
        ("shift_jis", "非常口の幅は九十センチメートル以上とする。扉は外開きとすること。"),
    ],
)
def test_13_any_encoding_and_what_was_chosen_is_told(opened: Open, folder: Path, encoding: str, text: str) -> None:
    library = opened()
    ingest(library, folder, words_txt=text.encode(encoding))
    reading = library.inspect("words.txt").revision.reading
    assert reading.text == text
    assert reading.metadata["encoding"]


def test_14_halves_of_characters_and_zero_bytes(opened: Open, folder: Path) -> None:
    library = opened()
    entries = ingest(
        library, folder, half_json=rb'{"note": "a \ud83d half and \u0000 a zero"}', zero_txt=b"Doors\x00 are wide."
    )
    assert {entry.change for entry in entries.values()} == {Change.ADDED}
    assert library.inspect("zero.txt").revision.text == "Doors are wide."
    for document in library.documents():
        reading = library.inspect(document.id).revision.reading
        reading.text.encode("utf-8")
        assert reading.metadata["control_characters_removed"] == "1" or document.name == "half.json"


def test_15_a_long_table_is_rows_under_a_header(opened: Open, folder: Path) -> None:
    rows = "".join(f"{n},part {n},{n % 97}\n" for n in range(1, 20_001))
    library = opened()
    entry = ingest(library, folder, parts_csv=f"number,name,price\n{rows}".encode())["parts.csv"]
    assert entry.change is Change.ADDED
    (first, *_) = library.search("part 19333").hits
    locator = first.passage.chunk.locator
    assert locator.header is not None
    assert locator.header.text == "number | name | price"
    assert locator.place is not None
    assert locator.place.rows is not None
    assert locator.place.rows[0] <= 19_334 <= locator.place.rows[1]
    assert locator.lines == locator.place.rows


@pytest.mark.parametrize("suffix", ["txt", "csv", "md", "json", "html"])
def test_16_one_line_of_twenty_megabytes(opened: Open, folder: Path, suffix: str) -> None:
    line = b"QUJD" * 5_000_000
    content = {"json": b'{"blob": "' + line + b'", "note": "Doors are wide."}'}.get(
        suffix, line + b"\n\nDoors are wide.\n"
    )
    library = opened()
    entry = ingest(library, folder, **{f"blob_{suffix}": content})[f"blob.{suffix}"]
    assert entry.outcome.message or entry.outcome.usable
    if entry.outcome.usable:
        assert max(len(text) for text in texts(library, f"blob.{suffix}")) <= 1_200
        assert len(library.inspect(f"blob.{suffix}").chunks) < 10


SPACES = "<x>" + " " * (200 << 20) + "</x>"
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(8)
)


def test_17_swelling_files_are_stopped(opened: Open, folder: Path) -> None:
    library = opened()
    entries = ingest(
        library,
        folder,
        spaces_docx=samples.packed({"word/document.xml": SPACES}),
        sheet_xlsx=samples.packed({"xl/workbook.xml": "<x/>", "xl/worksheets/sheet1.xml": SPACES}),
        book_epub=samples.packed({"META-INF/container.xml": "<x/>", "a.opf": SPACES}),
        entity_docx=samples.packed({"word/document.xml": BOMB + "]><x>&i;</x>"}),
        entity_xml=(BOMB + "]><x>&i;</x>").encode(),
    )
    kinds = {name: entry.outcome.kind for name, entry in entries.items()}
    assert kinds.pop("entity.docx") is kinds.pop("entity.xml") is OutcomeKind.CORRUPT
    assert set(kinds.values()) == {OutcomeKind.TOO_BIG}
    assert all(entry.outcome.message for entry in entries.values())


def test_18_a_known_failure_waits_until_it_is_asked_for(opened: Open, folder: Path) -> None:
    library = opened()
    first = ingest(library, folder, bad_docx=b"PK\x03\x04 broken", good_txt=b"Gates are open.")
    again = by_name(library.ingest([folder]))
    assert not first["bad.docx"].known
    assert again["bad.docx"].known
    retried = by_name(library.reingest())
    assert list(retried) == ["bad.docx"]
    assert not retried["bad.docx"].known


def test_a_page_tree_that_bites_its_tail(opened: Open, folder: Path) -> None:
    content = pdf([plain("Doors are wide.")]).replace(b"/Kids [7 0 R]", b"/Kids [2 0 R]")
    entry = ingest(opened(), folder, loop_pdf=content)["loop.pdf"]
    assert entry.change is Change.FAILED
    assert entry.outcome.message


def test_attachments_are_documents_and_nesting_ends(opened: Open, folder: Path) -> None:
    message = samples.eml("Innermost", "The innermost text.", {"list.csv": b"part,price\nhinge,4\n"})
    for depth in range(5):
        message = samples.eml(f"Level {depth}", f"Text of level {depth}.", {f"inner{depth}.eml": message})
    library = opened()
    report = library.ingest([_written(folder / "mail.eml", message)])
    changes = [(entry.name, entry.change) for entry in report.entries]
    assert changes[:4] == [
        ("mail.eml", Change.ADDED),
        ("inner4.eml", Change.ADDED),
        ("inner3.eml", Change.ADDED),
        ("inner2.eml", Change.ADDED),
    ]
    assert changes[4] == ("inner1.eml", Change.FAILED)
    assert report.entries[4].outcome.code == "nesting"
    assert report.entries[1].parent == report.entries[0].uri
    assert found(library, "level 2")[0].endswith("Text of level 2.")
    assert {entry.change for entry in library.ingest([folder]).entries} == {Change.UNCHANGED}


def test_a_retry_finds_the_file_of_an_attachment_whatever_its_name(opened: Open, folder: Path) -> None:
    message = samples.eml("Broken inside", "See the file.", {"list.pdf": b"%PDF-1.7 broken"})
    library = opened()
    first = by_name(library.ingest([_written(folder / "mail #7.eml", message)]))
    assert first["list.pdf"].change is Change.FAILED
    again = by_name(library.reingest())
    assert {name: (entry.change, entry.known) for name, entry in again.items()} == {
        "mail #7.eml": (Change.UNCHANGED, False),
        "list.pdf": (Change.FAILED, False),
    }


def test_json_records_have_pointers(opened: Open, folder: Path) -> None:
    records = [{"id": n, "note": f"Record {n} tells of gate {n}. " * 30} for n in range(30)]
    library = opened()
    ingest(library, folder, notes_json=json.dumps(records).encode())
    (hit, *_) = library.search("gate 17").hits
    assert hit.passage.chunk.locator.place is not None
    assert "/17" in hit.passage.chunk.locator.place.field


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_the_recogniser_is_chosen_by_what_is_there() -> None:
    assert choose_ocr("off", ()) is None
    unread = choose_ocr("auto", ("ru",))
    assert unread is None or unread.engine == "tesseract"
