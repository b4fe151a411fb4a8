"""PDF: the headings that the structure of a tagged file names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pdfs import assemble, stream
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.pdf import PdfReader
from pincite.core.documents import BlockKind, Reading
from pincite.core.headings import heading_paths

HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
BODY = "The width of a door shall be measured between the face of the door and the stop."
Element = tuple[str, str]
"""What an element is and its text; all are set alike, so that nothing but the tag tells a heading."""


def tagged(elements: Sequence[Element], *, roles: str = "", marked: bool = True, outline: Sequence[str] = ()) -> bytes:
    """A page of elements, one line each or, where one ends without a full stop in `+`, two on a line."""
    shown, y = [], 720
    x = 72.0
    for mark, (kind, text) in enumerate(elements):
        words = text.removesuffix("+")
        shown.append(f"/{kind} << /MCID {mark} >> BDC BT /F 11 Tf {x} {y} Td ({words}) Tj ET EMC")
        x, y = (x + 5.4 * len(words) + 6, y) if text.endswith("+") else (72.0, y - 14)
    first = 8
    kids = b" ".join(b"%d 0 R" % (first + place) for place in range(len(elements)))
    entries = [
        b"<< /Type /StructElem /S /%s /P 7 0 R /Pg 3 0 R /K %d >>" % (kind.encode(), mark)
        for mark, (kind, _) in enumerate(elements)
    ]
    marks = first + len(elements) + len(outline)
    catalogue = b"<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 6 0 R /MarkInfo << /Marked %s >> %s >>" % (
        b"true" if marked else b"false",
        b"/Outlines %d 0 R" % (marks + 1) if outline else b"",
    )
    bookmarks = [
        b"<< /Title (%s) /Parent %d 0 R /Dest [3 0 R /Fit] >>" % (title.encode(), marks + 1) for title in outline
    ]
    return assemble(
        [
            catalogue,
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /StructParents 0"
            b" /Resources << /Font << /F 5 0 R >> >> >>",
            stream("\n".join(shown).encode()),
            HELVETICA,
            b"<< /Type /StructTreeRoot /K 7 0 R /RoleMap << %s >> /ParentTree << /Nums [0 %d 0 R] >> >>"
            % (roles.encode(), marks),
            b"<< /Type /StructElem /S /Document /P 6 0 R /K [%s] >>" % kids,
            *entries,
            *bookmarks,
            b"[%s]" % kids,
            b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count 1 >>" % (marks - 1, marks - 1),
        ]
    )


def read(tmp_path: Path, content: bytes) -> Reading:
    path = tmp_path / "file.pdf"
    path.write_bytes(content)
    return PdfReader().read(Content(path))


def headings(reading: Reading) -> list[tuple[int, str]]:
    found = [block for block in reading.blocks if block.kind is BlockKind.HEADING]
    return [(block.level, reading.text[block.start : block.end]) for block in found]


def page_of(*heads: Element) -> list[Element]:
    """Each heading with enough text under it."""
    return [element for head in heads for element in (head, *[("P", BODY)] * 4)]


def test_tags_name_headings_that_are_set_as_the_text_is(tmp_path: Path) -> None:
    reading = read(tmp_path, tagged(page_of(("H1", "Doors in general"), ("H2", "Clear width"))))
    assert headings(reading) == [(1, "Doors in general"), (2, "Clear width")]
    assert heading_paths(reading.text, reading.blocks)[-1] == ("Doors in general", "Clear width")


def test_names_of_their_own_are_looked_up_in_the_role_map(tmp_path: Path) -> None:
    content = tagged(page_of(("Chapter", "Doors in general"), ("Aside", "Clear width")), roles="/Chapter /H2 /Aside /P")
    assert headings(read(tmp_path, content)) == [(1, "Doors in general")]


def test_a_title_stands_above_the_first_level(tmp_path: Path) -> None:
    reading = read(tmp_path, tagged(page_of(("Title", "Code of buildings"), ("H1", "Doors in general"))))
    assert headings(reading) == [(1, "Code of buildings"), (2, "Doors in general")]


def test_a_heading_at_the_beginning_of_a_line_ends_where_its_tag_does(tmp_path: Path) -> None:
    elements = [
        *page_of(("H1", "Doors in general")),
        ("H2", "Clear width. +"),
        ("P", "It is measured so."),
        ("P", BODY),
    ]
    reading = read(tmp_path, tagged(elements))
    assert headings(reading) == [(1, "Doors in general"), (2, "Clear width.")]
    assert "It is measured so." in reading.text


def test_bookmarks_say_how_deep_the_tags_are(tmp_path: Path) -> None:
    heads = page_of(("H3", "Doors in general"), ("H4", "Clear width"))
    assert headings(read(tmp_path, tagged(heads, outline=["Doors in general"]))) == [
        (1, "Doors in general"),
        (2, "Clear width"),
    ]


def test_tags_that_call_most_of_the_text_a_heading_are_not_believed(tmp_path: Path) -> None:
    reading = read(tmp_path, tagged([("H1", BODY), ("H2", BODY), ("P", BODY)]))
    assert headings(reading) == []


def test_a_file_that_does_not_claim_to_be_tagged_is_not_searched(tmp_path: Path) -> None:
    assert headings(read(tmp_path, tagged(page_of(("H1", "Doors in general")), marked=False))) == []
