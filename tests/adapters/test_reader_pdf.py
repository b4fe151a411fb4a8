"""PDF: pages are counted as the file counts them, words are not lost, places are true."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdfs import Sheet, pdf, plain
from pincite.adapters.readers.builder import Builder
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.pdf import PdfReader
from pincite.adapters.readers.pdf_lines import Line
from pincite.adapters.readers.pdf_text import Paragraphs
from pincite.core.documents import BlockKind, OutcomeKind, Reading


def read(tmp_path: Path, content: bytes) -> Reading:
    path = tmp_path / "file.pdf"
    path.write_bytes(content)
    return PdfReader().read(Content(path))


def page_text(reading: Reading, number: int) -> str:
    page = reading.pages[number - 1]
    assert page.number == number
    return reading.text[page.start : page.end].strip()


def blocks(reading: Reading, kind: BlockKind) -> list[str]:
    return [reading.text[block.start : block.end] for block in reading.blocks if block.kind is kind]


LONG = "The width of a door shall be measured between the face of the door and the stop."


def test_a_blank_page_is_counted(tmp_path: Path) -> None:
    reading = read(tmp_path, pdf([plain("First page speaks."), Sheet(), plain("Third page speaks.")]))
    assert [page_text(reading, number) for number in (1, 2, 3)] == ["First page speaks.", "", "Third page speaks."]
    assert reading.outcome.kind is OutcomeKind.WHOLE
    assert [page.outcome for page in reading.pages][1] is OutcomeKind.EMPTY


def test_printed_labels_stand_beside_the_numbers(tmp_path: Path) -> None:
    sheets = [plain(f"Page {word} speaks of doors.") for word in ("one", "two", "three")]
    reading = read(tmp_path, pdf(sheets, labels="0 << /S /r >> 2 << /S /D >>"))
    assert [(page.number, page.label) for page in reading.pages] == [(1, "i"), (2, "ii"), (3, "1")]


def test_a_picture_among_pages_makes_the_document_partial(tmp_path: Path) -> None:
    reading = read(tmp_path, pdf([plain(LONG), Sheet(picture=True), plain(LONG)]))
    assert (reading.outcome.kind, reading.outcome.pages) == (OutcomeKind.PARTIAL, (2,))
    assert "1 of 3 pages" in reading.outcome.message
    assert reading.pages[1].outcome is OutcomeKind.NO_TEXT_LAYER


def test_pictures_alone_have_no_text_layer(tmp_path: Path) -> None:
    reading = read(tmp_path, pdf([Sheet(picture=True), Sheet(picture=True)]))
    assert (reading.outcome.kind, reading.outcome.pages) == (OutcomeKind.NO_TEXT_LAYER, (1, 2))
    assert reading.outcome.hint
    assert reading.text == ""


def test_nothing_at_all_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path, pdf([Sheet(), Sheet()])).outcome.kind is OutcomeKind.EMPTY


@pytest.mark.parametrize("content", [b"%PDF-1.7\nnonsense", b"%PDF-", pdf([plain(LONG)])[:120]])
def test_damaged_files_are_told(tmp_path: Path, content: bytes) -> None:
    reading = read(tmp_path, content)
    assert reading.outcome.kind is OutcomeKind.CORRUPT
    assert reading.outcome.message


def test_lines_become_a_paragraph_with_one_box(tmp_path: Path) -> None:
    reading = read(
        tmp_path, pdf([plain("The width of a door shall be measured between", "the face of the door and the stop.")])
    )
    (block,) = reading.blocks
    assert reading.text == "The width of a door shall be measured between\nthe face of the door and the stop."
    (box,) = block.boxes
    assert box.page == 1
    assert 70 < box.left < 75
    assert 792 - 712 < box.top < 792 - 695
    assert box.bottom > box.top + 16


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_boxes_lie_on_the_page_as_it_is_shown(tmp_path: Path, rotate: int) -> None:
    sheet = plain(LONG)
    sheet.rotate = rotate
    reading = read(tmp_path, pdf([sheet]))
    page, (box,) = reading.pages[0], reading.blocks[0].boxes
    assert (page.width, page.height) == ((792, 612) if rotate in (90, 270) else (612, 792))
    assert 0 <= box.left < box.right <= page.width
    assert 0 <= box.top < box.bottom <= page.height
    upright = rotate in (0, 180)
    assert (box.right - box.left > box.bottom - box.top) is upright


def test_running_heads_are_kept_in_the_text_and_marked(tmp_path: Path) -> None:
    sheets = [
        Sheet(
            [
                ("Village Fire Code", 9, 72, 760, False),
                (f"Chapter {word} speaks of gates, doors and the width of lanes.", 11, 72, 600, False),
                (f"Page {number} of 5", 9, 280, 30, False),
            ]
        )
        for number, word in enumerate(("one", "two", "three", "four", "five"), start=1)
    ]
    reading = read(tmp_path, pdf(sheets))
    assert len(blocks(reading, BlockKind.FURNITURE)) == 10
    assert "Village Fire Code" in page_text(reading, 3)
    assert blocks(reading, BlockKind.PARAGRAPH)[0].startswith("Chapter one")


def test_large_and_bold_lines_are_headings(tmp_path: Path) -> None:
    sheet = Sheet(
        [
            ("404 Doors and Gates", 16, 72, 700, True),
            (LONG, 11, 72, 660, False),
            ("404.2 Manual doors", 11, 72, 620, True),
            (LONG.replace("door", "gate"), 11, 72, 590, False),
        ]
    )
    reading = read(tmp_path, pdf([sheet]))
    assert blocks(reading, BlockKind.HEADING) == ["404 Doors and Gates", "404.2 Manual doors"]
    levels = [block.level for block in reading.blocks if block.kind is BlockKind.HEADING]
    assert levels == [1, 2]


@pytest.mark.parametrize(("count", "expected"), [(4, 1), (5, 0)])
def test_a_paragraph_in_bold_is_no_heading(tmp_path: Path, count: int, expected: int) -> None:
    bold = [(f"Changed words number {place} of a rule", 11.0, 72.0, 700.0 - 14 * place, True) for place in range(count)]
    body = [(LONG, 11.0, 72.0, 600.0 - 14 * place, False) for place in range(30)]
    assert len(blocks(read(tmp_path, pdf([Sheet([*bold, *body])])), BlockKind.HEADING)) == expected


def test_bookmarks_are_believed_where_their_words_stand(tmp_path: Path) -> None:
    sheets = [plain("Of gates", LONG), plain("Of doors", LONG)]
    reading = read(tmp_path, pdf(sheets, outline=[("Of gates", 0), ("Of doors", 1), ("Of nothing", 1)]))
    assert blocks(reading, BlockKind.HEADING) == ["Of gates", "Of doors"]


def test_a_bold_beginning_is_noted(tmp_path: Path) -> None:
    sheet = Sheet(
        [
            ("404.2.3 Clear Width.", 11, 72, 700, True),
            ("Door openings shall provide 32 inches.", 11, 190, 700, False),
            (LONG, 11, 72, 660, False),
        ]
    )
    reading = read(tmp_path, pdf([sheet]))
    block = reading.blocks[0]
    assert reading.text[block.start : block.title_end] == "404.2.3 Clear Width."


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("a fine perfor", "mance of it", "a fine performance of it"),
        ("of long", "term value", "of long-term value"),
        ("an un", "known word", "an unknown word"),
        ("near Soekarno", "Hatta airport", "near Soekarno-Hatta airport"),
    ],
)
def test_the_document_s_own_words_tell_a_hyphenation_from_a_compound(first: str, second: str, expected: str) -> None:
    def line(text: str, top: float, hyphen: bool = False) -> Line:
        return Line(text, 72, top, 300, top + 10, 10, bold=False, page=1, hyphen=hyphen)

    known = line("its performance in the long-term market", 10)
    builder = Builder("pdf/3")
    paragraphs = Paragraphs(builder, [[known, line(first, 200, hyphen=True), line(second, 212)]])
    paragraphs.add([line(first, 200, hyphen=True), line(second, 212)])
    assert builder.finish().text == expected
