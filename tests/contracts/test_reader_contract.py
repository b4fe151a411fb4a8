"""What every reader of the table must do, whatever it is given."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import samples
from builders import SHARED, needs_shared
from pdfs import Sheet, pdf, plain
from pincite.adapters.readers import TABLE
from pincite.adapters.readers.content import Content
from pincite.core.codec import reading_of, reading_text
from pincite.core.documents import OutcomeKind, Reading

OFFICE = "application/vnd.openxmlformats-officedocument."
OPEN = "application/vnd.oasis.opendocument."
BOOK = samples.xlsx({"Prices": {"A1": "Part", "B1": "Price", "A2": "Hinge", "B2": 4, "A3": "Gate", "B3": 120}})
ROWS = [["Part", "Price"], ["Hinge", "4"], ["Gate", "120"]]
SAMPLES: dict[str, list[bytes]] = {
    "application/pdf": [
        pdf([plain("One page of words about doors.")]),
        pdf([plain("First."), Sheet(), plain("Third.")]),
    ],
    "text/markdown": [
        b"# Title\n\nA paragraph.\n\n- item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "Straße\n\n東京".encode(),
    ],
    "text/html": [b"<h1>Title</h1><p>A paragraph.</p><ul><li>item</li></ul>", "<p>Straße</p><p>東京</p>".encode()],
    "text/plain": [b"A paragraph.\n\nAnother.\n", "Straße\n\n東京".encode(), b"Page one.\n\fPage two.\n"],
    "text/csv": [b"part,price\nhinge,4\ngate,120\n", 'Straße;"東京; 日本"\n1;2\n'.encode()],
    "text/tab-separated-values": [b"part\tprice\nhinge\t4\n"],
    "application/json": [b'[{"part": "hinge", "price": 4}, {"part": "gate"}]', b'{"a": {"b": ["x", "y"]}}'],
    "application/x-ndjson": [b'{"part": "hinge"}\n{"part": "gate"}\n'],
    "application/xml": [b"<?xml version='1.0'?><a><b>Doors.</b><c>Gates <i>are</i> open.</c></a>"],
    OFFICE + "wordprocessingml.document": [
        samples.docx(samples.paragraph("Doors", "H1") + samples.paragraph("A door.") + samples.table(ROWS, 1))
    ],
    OFFICE + "presentationml.presentation": [
        samples.pptx([["Doors", "A door."], ["Gates", "A gate."]], {2: "Say it."})
    ],
    OFFICE + "spreadsheetml.sheet": [BOOK],
    "application/vnd.ms-excel": [BOOK],
    OPEN + "spreadsheet": [samples.ods(ROWS)],
    OPEN + "text": [samples.odt('<text:h text:outline-level="1">Doors</text:h><text:p>A door.</text:p>')],
    OPEN + "presentation": [samples.odt("<draw:page><text:p>A door.</text:p></draw:page>", "presentation")],
    "application/rtf": [rb"{\rtf1\ansi A door.\par Another.\par}"],
    "application/epub+zip": [samples.epub({"one.xhtml": "<h1>One</h1><p>A door.</p>", "two.xhtml": "<p>A gate.</p>"})],
    "message/rfc822": [samples.eml("Doors", "A door.\n\nAnother.", {"list.csv": b"part,price\nhinge,4\n"})],
    "application/mbox": [samples.mbox([samples.eml("One", "A door."), samples.eml("Two", "A gate.")])],
}
WITHOUT_SAMPLE = {"application/msword": "legacy_sample.doc", "application/vnd.ms-outlook": "testMSG_chinese.msg"}
"""Compound files, which nothing here can write: these kinds are tried on files of the shared corpus."""
PICTURES = {media_type for media_type in TABLE if media_type.startswith("image/")}
CASES = [(media_type, sample) for media_type, samples in SAMPLES.items() for sample in samples]


def reader_for(media_type: str) -> Any:
    module, _, name = TABLE[media_type][1].partition(":")
    return getattr(import_module(module), name)()


def read(media_type: str, content: bytes, tmp_path: Path) -> Reading:
    path = tmp_path / "file"
    path.write_bytes(content)
    reading: Reading = reader_for(media_type).read(Content(path))
    return reading


def hold_laws(reading: Reading) -> None:
    """Pages tile the text; blocks are in order, hold something, and lie inside their page."""
    if reading.pages:
        assert reading.pages[0].start == 0
        assert reading.pages[-1].end == len(reading.text)
        assert all(first.end == second.start for first, second in pairwise(reading.pages))
        assert [page.number for page in reading.pages] == list(range(1, len(reading.pages) + 1))
    assert all(first.end < second.start for first, second in pairwise(reading.blocks))
    for block in reading.blocks:
        assert reading.text[block.start : block.end].strip() == reading.text[block.start : block.end] != ""
        assert block.title_end == 0 or block.start < block.title_end <= block.end
        if block.page is not None:
            page = reading.pages[block.page - 1]
            assert page.start <= block.start < block.end <= page.end
    assert reading.outcome.usable == bool(reading.blocks)
    assert reading.outcome.usable or reading.outcome.message
    reading.text.encode("utf-8")


def test_every_reader_has_samples_and_one_name() -> None:
    assert set(SAMPLES) | set(WITHOUT_SAMPLE) | PICTURES == set(TABLE)
    for media_type, (name, _) in TABLE.items():
        assert reader_for(media_type).name == name


@pytest.mark.parametrize(("media_type", "content"), CASES)
def test_laws_hold_on_samples(media_type: str, content: bytes, tmp_path: Path) -> None:
    reading = read(media_type, content, tmp_path)
    assert reading.outcome.kind is OutcomeKind.WHOLE
    hold_laws(reading)
    assert reading_of(reading_text(reading)) == reading
    assert read(media_type, content, tmp_path) == reading


@pytest.mark.parametrize("media_type", sorted(TABLE))
@pytest.mark.parametrize("content", [b"", b" \n \n", b"\x00" * 40, b"\xff\xfe", b"\xef\xbb\xbf"])
def test_next_to_nothing_is_told_so(media_type: str, content: bytes, tmp_path: Path) -> None:
    reading = read(media_type, content, tmp_path)
    assert not reading.outcome.usable
    hold_laws(reading)


@pytest.mark.parametrize("media_type", sorted(TABLE))
@given(content=st.binary(max_size=300))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_bytes_give_a_reading(media_type: str, content: bytes, tmp_path: Path) -> None:
    hold_laws(read(media_type, content, tmp_path))


@pytest.mark.parametrize("media_type", sorted(TABLE))
@given(cut=st.integers(0, 2_000), noise=st.binary(min_size=1, max_size=40))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_damaged_files_give_a_reading(media_type: str, cut: int, noise: bytes, tmp_path: Path) -> None:
    content = SAMPLES.get(media_type, [pdf([plain("Words.")])])[-1]
    at = cut % len(content)
    hold_laws(read(media_type, content[:at] + noise + content[at + len(noise) :], tmp_path))


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("media_type", sorted(WITHOUT_SAMPLE))
def test_laws_hold_on_compound_files_whole_and_damaged(media_type: str, tmp_path: Path) -> None:
    content = (SHARED / "corpus" / "files" / WITHOUT_SAMPLE[media_type]).read_bytes()
    whole = read(media_type, content, tmp_path)
    assert whole.outcome.kind is OutcomeKind.WHOLE
    hold_laws(whole)
    assert reading_of(reading_text(whole)) == whole
    for step in range(0, len(content), len(content) // 40):
        hold_laws(read(media_type, content[:step] + b"\xff" * 64 + content[step + 64 :], tmp_path))
        hold_laws(read(media_type, content[:step], tmp_path))
