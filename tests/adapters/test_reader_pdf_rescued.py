"""PDF: text that PDFium drops, takes for another script, does not count as the page's, or runs together."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdfs import assemble, stream
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.pdf import PdfReader
from pincite.adapters.readers.pdf_lines import Line
from pincite.adapters.readers.pdf_utf8 import put_right
from pincite.adapters.readers.pdf_vertical import top_down
from pincite.core.documents import BlockKind, OutcomeKind, Reading

HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
_TREE = (b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>")


def read(tmp_path: Path, *objects: bytes) -> Reading:
    """A PDF whose one page is the first of the objects given, number 3."""
    path = tmp_path / "file.pdf"
    path.write_bytes(assemble([*_TREE, *objects]))
    return PdfReader().read(Content(path))


def page(extra: bytes = b"") -> bytes:
    """A page that shows object 4 in the font of object 5."""
    return (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F 5 0 R >> >> %s >>" % extra
    )


def shown(*texts: tuple[str, float, float], encoding: str) -> bytes:
    parts = (b"BT /F 10 Tf %g %g Td <%s> Tj ET" % (x, y, t.encode(encoding).hex().encode()) for t, x, y in texts)
    return stream(b"\n".join(parts))


def composite(encoding: bytes, ordering: bytes) -> list[bytes]:
    """A font of many characters that is not embedded."""
    return [
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Nowhere-Light /Encoding %s /DescendantFonts [6 0 R] >>" % encoding,
        b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Nowhere-Light /FontDescriptor 7 0 R"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (%s) /Supplement 2 >> >>" % ordering,
        b"<< /Type /FontDescriptor /FontName /Nowhere-Light /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0"
        b" /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>",
    ]


def test_vertical_writing_in_a_font_that_nobody_has_is_read_from_the_right(tmp_path: Path) -> None:
    texts = ("わたくしといふ現象は", "假定された有機交流電燈の", "ひとつの青い照明です", "風景やみんなといっしょに")
    places = zip(texts, (500, 480, 430, 410), strict=True)
    content = shown(*((text, left, 700) for text, left in places), encoding="utf-16-be")
    reading = read(tmp_path, page(), content, *composite(b"/UniJIS-UCS2-V", b"Japan1"))
    assert reading.text == "\n\n".join(("\n".join(texts[:2]), "\n".join(texts[2:])))
    assert reading.blocks[0].boxes[0].bottom - reading.blocks[0].boxes[0].top > 90


def test_a_clause_that_goes_on_is_no_heading_in_chinese_or_japanese(tmp_path: Path) -> None:
    texts = ("第二条第一項の表の青色の灯火の項、", "わたくしといふ現象は", "第三条 定義")
    content = shown(*((text, 72, 700 - 40 * place) for place, text in enumerate(texts)), encoding="utf-16-be")
    reading = read(tmp_path, page(), content, *composite(b"/UniJIS-UCS2-H", b"Japan1"))
    heads = [reading.text[block.start : block.end] for block in reading.blocks if block.kind is BlockKind.HEADING]
    assert heads == ["第三条 定義"]


def test_horizontal_writing_in_such_a_font_keeps_its_order(tmp_path: Path) -> None:
    texts = ("わたくしといふ現象は", "假定された有機交流電燈の", "ひとつの青い照明です")
    content = shown(*((text, 72, 700 - 20 * place) for place, text in enumerate(texts)), encoding="utf-16-be")
    reading = read(tmp_path, page(), content, *composite(b"/UniJIS-UCS2-H", b"Japan1"))
    assert reading.text.split() == list(texts)


def stacked(text: str, left: float, top: float) -> list[Line]:
    """A line for each character, as PDFium gives them when the file sets them one by one."""
    return [
        Line(character, left, top + 10 * place, left + 10, top + 10 * place + 10, 10, False, 1)
        for place, character in enumerate(text)
    ]


def test_characters_under_each_other_are_one_line() -> None:
    texts = ("歩行者は、道路の横断", "を始めてはならない。", "第二条第一項の表の青")
    lines = [line for place, text in enumerate(texts) for line in stacked(text, 300 - 15 * place, 100)]
    head = Line("平成二十年四月二十五日", 100, 20, 210, 30, 10, False, 1)
    assert [line.text for line in top_down([*lines, head])] == [head.text, *texts]


def test_cells_of_one_character_are_no_vertical_writing() -> None:
    rows = [
        Line(text, left, 100 + 20 * row, left + 10 * len(text), 110 + 20 * row, 10, False, 1)
        for row in range(6)
        for text, left in (("是", 100.0), ("适用于本规定的所有车辆", 200.0))
    ]
    assert top_down(rows) is rows


UTF8_CMAP = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Own) /Ordering (UTF8) /Supplement 0 >> def /CMapName /Own-UTF8-H def /CMapType 1 def
/WMode 0 def 3 begincodespacerange <00> <7F> <C280> <DFBF> <E0A080> <EFBFBF> endcodespacerange
2 begincidrange <20> <7F> 32 <D090> <D1BF> 1040 endcidrange endcmap end end"""


@pytest.mark.parametrize(
    "text", ["Перв. примен. Взам. инв.", "über Straße Äpfel", "日本語テキスト", "naïve café déjà", "שלום עולם"]
)
def test_bytes_of_utf_8_are_read_as_such(tmp_path: Path, text: str) -> None:
    cmap = stream(UTF8_CMAP, b"/Type /CMap /CMapName /Own-UTF8-H /WMode 0")
    fonts = composite(b"8 0 R", b"Identity")
    reading = read(tmp_path, page(), shown((text, 72, 700), encoding="utf-8"), *fonts, cmap)
    assert reading.text == text


def test_halves_of_pairs_are_arabic_letters() -> None:
    text = "\ud985\ud8b1\ud8ad\ud8a8\ud8a7"
    assert put_right(text, lambda place: ord(text[place])) == "مرحبا"


@pytest.mark.parametrize(
    "text",
    ["대한민국의 주권은 국민에게 있고", "킴톁", "plain words", "Перв.", "漢字\ud840\udc0b\ud840\udc8a文\ud840\udc0b"],
)
def test_other_text_is_left_alone(text: str) -> None:
    assert put_right(text, lambda place: ord(text[place])) == text


def drawn(text: str, extra: bytes) -> list[bytes]:
    """An annotation, number 6, and its appearance."""
    appearance = stream(
        b"BT /F 12 Tf 2 5 Td (%s) Tj ET" % text.encode(),
        b"/Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font << /F 5 0 R >> >>",
    )
    return [b"<< /Type /Annot /Rect [72 600 372 620] /F 4 /AP << /N 7 0 R >> %s >>" % extra, appearance]


STAMP = drawn("Received on the fourth of May", b"/Subtype /Stamp")
WORDS = shown(("The contract is made between the parties.", 72, 700), encoding="ascii")


def test_a_stamp_is_read_where_it_stands(tmp_path: Path) -> None:
    reading = read(tmp_path, page(b"/Annots [6 0 R]"), WORDS, HELVETICA, *STAMP)
    assert reading.text == "The contract is made between the parties.\n\nReceived on the fourth of May"
    box = reading.blocks[1].boxes[0]
    assert 170 <= box.top <= 192
    assert box.left == pytest.approx(74, abs=2)


def test_words_stamped_on_a_blank_page_are_its_text(tmp_path: Path) -> None:
    reading = read(tmp_path, page(b"/Annots [6 0 R]"), stream(b""), HELVETICA, *STAMP)
    assert (reading.outcome.kind, reading.text) == (OutcomeKind.WHOLE, "Received on the fourth of May")
    assert reading.pages[0].outcome is OutcomeKind.WHOLE


def test_figures_alone_do_not_make_a_blank_page_text(tmp_path: Path) -> None:
    field = drawn("1 2 3", b"/Subtype /Widget /FT /Tx /T (rows) /V (1 2 3)")
    reading = read(tmp_path, page(b"/Annots [6 0 R]"), stream(b""), HELVETICA, *field)
    assert (reading.outcome.kind, reading.text) == (OutcomeKind.EMPTY, "")


def test_a_value_that_is_drawn_too_is_read_once(tmp_path: Path) -> None:
    field = drawn("Ada Lovelace", b"/Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace)")
    reading = read(tmp_path, page(b"/Annots [6 0 R]"), WORDS, HELVETICA, *field)
    assert reading.text.count("Lovelace") == 1
    assert reading.blocks[1].place is not None
    assert reading.blocks[1].place.field == "name"


def test_columns_under_a_wide_table_are_read_one_after_the_other(tmp_path: Path) -> None:
    table = [(f"Source of loss number {row} and its class     rated {row}.5", 72, 700 - 14 * row) for row in range(12)]
    left = [f"left line {word} of a paper that is set in columns" for word in ("one", "two", "three", "four", "five")]
    right = [line.replace("left", "right") for line in left]
    # The file sets the lines of both columns in turn, the right one first, the left one a little lower.
    rows = [
        placed
        for row, pair in enumerate(zip(right, left, strict=True))
        for placed in zip(pair, (300, 72), (480 - 14 * row, 476 - 14 * row), strict=True)
    ]
    content = shown(*table, *rows, encoding="ascii")
    text = " ".join(read(tmp_path, page(), content, HELVETICA).text.split())
    assert " ".join([*left, *right]) in text
