"""Chunks: slices of the text, inside one section, inside the window, with every sentence in exactly one."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.chunking import PROFILES, chunk_reading
from pincite.core.documents import Block, BlockKind, Outcome, OutcomeKind, Page, Reading
from pincite.core.headings import heading_paths, with_run_in_headings
from pincite.core.locating import locate
from strategies import readings

PLAIN = Outcome(OutcomeKind.WHOLE)


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) + 2 for text in texts]


@given(readings(), st.sampled_from(sorted(PROFILES)))
@settings(max_examples=60)
def test_a_chunk_is_a_slice_and_no_text_is_lost(reading: Reading, name: str) -> None:
    profile = PROFILES[name]
    chunks = chunk_reading(reading, "0" * 64, profile)
    indexed = [chunk for chunk in chunks if chunk.indexed]
    for chunk in chunks:
        assert reading.text[chunk.start : chunk.end] == chunk.text
        if chunk.indexed:
            assert len(chunk.text) <= profile.cap
    kept = [block for block in reading.blocks if block.kind is not BlockKind.FURNITURE]
    wanted = "".join("".join(reading.text[b.start : b.end].split()) for b in kept)
    assert "".join("".join(chunk.text.split()) for chunk in indexed) == wanted
    assert all(a.end <= b.start for a, b in pairwise(indexed))


@given(readings())
@settings(max_examples=40)
def test_no_chunk_is_longer_than_the_window(reading: Reading) -> None:
    chunks = chunk_reading(reading, "0" * 64, PROFILES["sections"], count_words, 30)
    for chunk in chunks:
        assert count_words([chunk.searchable])[0] <= 30 or len(chunk.text) <= 40


@given(readings())
@settings(max_examples=40)
def test_the_same_bytes_give_the_same_chunks(reading: Reading) -> None:
    one = chunk_reading(reading, "a" * 64, PROFILES["sections"])
    assert one == chunk_reading(reading, "a" * 64, PROFILES["sections"])
    assert len({chunk.id for chunk in one}) == len(one)


@given(readings())
@settings(max_examples=40)
def test_children_lie_inside_their_parent(reading: Reading) -> None:
    chunks = chunk_reading(reading, "0" * 64, PROFILES["children"])
    parents = {chunk.id: chunk for chunk in chunks if not chunk.indexed}
    for chunk in chunks:
        if chunk.indexed:
            parent = parents[chunk.parent or ""]
            assert parent.start <= chunk.start <= chunk.end <= parent.end


@given(readings(paged=True))
@settings(max_examples=40)
def test_pages_of_a_chunk_hold_its_text(reading: Reading) -> None:
    by_number = {page.number: page for page in reading.pages}
    for chunk in chunk_reading(reading, "0" * 64, PROFILES["sections"]):
        first, last = chunk.locator.first_page, chunk.locator.last_page
        assert first is not None
        assert last is not None
        assert by_number[first].start <= chunk.start < by_number[first].end
        assert by_number[last].start < chunk.end <= by_number[last].end


def paragraphs(*lines: tuple[BlockKind, int, str]) -> Reading:
    text, blocks = "", []
    for kind, level, line in lines:
        start = len(text)
        text += line
        blocks.append(Block(kind, start, len(text), level=level))
        text += "\n\n"
    return Reading(PLAIN, "test/1", text, (), tuple(blocks))


def test_a_chunk_never_crosses_a_heading_and_opens_with_it() -> None:
    reading = paragraphs(
        (BlockKind.HEADING, 1, "404 Doors"),
        (BlockKind.HEADING, 2, "404.2 Manual doors"),
        (BlockKind.PARAGRAPH, 0, "Manual doors shall comply with 404.2."),
        (BlockKind.HEADING, 2, "404.3 Automatic doors"),
        (BlockKind.PARAGRAPH, 0, "Automatic doors shall comply with 404.3."),
    )
    chunks = chunk_reading(reading, "0" * 64, PROFILES["sections"])
    assert [chunk.locator.headings for chunk in chunks] == [
        ("404 Doors", "404.2 Manual doors"),
        ("404 Doors", "404.3 Automatic doors"),
    ]
    assert chunks[0].text.startswith("404 Doors\n\n404.2 Manual doors\n\nManual")
    assert chunks[1].searchable.startswith("404 Doors\n404.3 Automatic doors")


def test_run_in_headings_open_sections_where_the_numbers_follow() -> None:
    reading = paragraphs(
        (BlockKind.HEADING, 3, "404 Doors, Doorways, and Gates"),
        (BlockKind.PARAGRAPH, 0, "404.1 General. Doors shall comply with 404."),
        (BlockKind.PARAGRAPH, 0, "404.2 Manual Doors. Manual doors shall comply with 404.2."),
        (BlockKind.PARAGRAPH, 0, "404.2.3 Clear Width. Door openings shall provide 32 inches."),
        (BlockKind.PARAGRAPH, 0, "12.5 mm minimum width is required. It is measured at the door."),
        (BlockKind.PARAGRAPH, 0, "404.3 Automatic Doors. Automatic doors shall comply with 404.3."),
    )
    blocks = with_run_in_headings(reading.text, reading.blocks)
    paths = heading_paths(reading.text, blocks)
    assert [path[1:] for path in paths] == [
        (),
        ("404.1 General",),
        ("404.2 Manual Doors",),
        ("404.2 Manual Doors", "404.2.3 Clear Width"),
        ("404.2 Manual Doors", "404.2.3 Clear Width"),
        ("404.3 Automatic Doors",),
    ]


@pytest.mark.parametrize("line", ["10 Downing Street is a house. It is old.", "1999 was long ago. We moved on."])
def test_a_bare_number_is_no_heading(line: str) -> None:
    reading = paragraphs((BlockKind.HEADING, 1, "9 Before"), (BlockKind.PARAGRAPH, 0, line))
    assert with_run_in_headings(reading.text, reading.blocks) == reading.blocks


def test_a_blank_page_never_shifts_the_numbers() -> None:
    text = "first page\n\nthird page"
    reading = Reading(
        PLAIN,
        "test/1",
        text,
        (Page(1, 0, 12), Page(2, 12, 12), Page(3, 12, 22, label="iii")),
        (Block(BlockKind.PARAGRAPH, 0, 10, page=1), Block(BlockKind.PARAGRAPH, 12, 22, page=3)),
    )
    locator = locate(reading, 12, 22, ())
    assert (locator.first_page, locator.last_page, locator.first_label) == (3, 3, "iii")
