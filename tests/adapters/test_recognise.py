"""Pictures of text: the order of what is seen, turned pages, files of pictures."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pictures import needs_ocr, picture
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.image import ImageReader
from pincite.adapters.readers.ocr_choice import OcrChoice, choose_ocr
from pincite.adapters.readers.ocr_order import reading_order
from pincite.adapters.readers.recognise import Recogniser, Seen, read_picture
from pincite.core.documents import OutcomeKind, Reading

Box = tuple[float, float, float, float]


def column(left: float, rows: int, top: float = 100, width: float = 200) -> list[Box]:
    return [(left, top + 14 * row, left + width, top + 14 * row + 10) for row in range(rows)]


def test_columns_come_one_after_the_other_under_their_heading() -> None:
    heading = (50.0, 60.0, 480.0, 75.0)
    boxes = [heading, *(box for pair in zip(column(50, 8), column(280, 8), strict=True) for box in pair)]
    order = reading_order(boxes)
    assert order[0] == 0
    assert [boxes[index][0] for index in order[1:]] == [50.0] * 8 + [280.0] * 8


def test_a_heading_between_two_bands_parts_them() -> None:
    upper, lower = column(50, 4) + column(280, 4), column(50, 4, 300) + column(280, 4, 300)
    between = (50.0, 240.0, 480.0, 255.0)
    boxes = [*lower, between, *upper]
    order = reading_order(boxes)
    assert order == [*range(9, 17), 8, *range(8)]


def test_the_cells_of_a_table_are_read_row_by_row() -> None:
    boxes = [box for left in (50, 150, 250) for box in column(left, 5, width=40)]
    assert reading_order(boxes) == [0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14]


@given(st.lists(st.tuples(*[st.floats(0, 500) for _ in range(4)]), max_size=40))
def test_nothing_is_lost_in_any_order(edges: list[Box]) -> None:
    boxes = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in edges]
    assert sorted(reading_order(boxes)) == list(range(len(boxes)))


class OneWay:
    """Sees text only on pictures that stand as it was made for: told by their height."""

    name = "one way"

    def lines(self, image: object) -> list[Seen]:
        height, width = image.shape[:2]  # type: ignore[attr-defined]
        if height > width:
            return [Seen("Doors are wide", 10, 20, 90, 32, 0.99)]
        return [Seen("s", 5, 5, 15, 105, 0.4), Seen("xyz", 20, 10, 32, 110, 0.3), Seen("abc", 40, 10, 52, 110, 0.3)]


def test_a_page_on_its_side_is_turned_and_its_boxes_are_not() -> None:
    import numpy as np

    seen, sureness = read_picture(OneWay(), np.zeros((100, 200, 3), np.uint8))
    (line,) = seen
    assert line.text == "Doors are wide"
    assert sureness == pytest.approx(0.99)
    assert 0 <= line.left < line.right <= 200
    assert 0 <= line.top < line.bottom <= 100
    assert line.bottom - line.top == pytest.approx(80)


@pytest.fixture(scope="module")
def engine() -> Recogniser:
    from pincite.adapters.readers.recognise import recogniser

    return recogniser(OcrChoice("rapidocr"))


def read(tmp_path: Path, image: object, engine: Recogniser | None, **options: object) -> Reading:
    buffer = io.BytesIO()
    image.save(buffer, **options)  # type: ignore[attr-defined]
    return ImageReader().read(Content(tmp_path / "p", buffer.getvalue(), recogniser=engine))


@needs_ocr
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_words_on_a_picture_whichever_way_it_lies(tmp_path: Path, engine: Recogniser, turn: int) -> None:
    words = ["The gate shall be thirty inches wide.", "Its hinges are oiled once a year.", "The door is never locked."]
    reading = read(tmp_path, picture(*words, turn=turn), engine, format="PNG", dpi=(150, 150))
    assert reading.outcome.kind is OutcomeKind.WHOLE
    assert reading.text.replace("\n", " ").split(". ")[0] == words[0].rstrip(".")
    page = reading.pages[0]
    assert page.ocr is not None
    assert page.ocr > 0.8
    assert all(0 <= b.left < b.right <= page.width for block in reading.blocks for b in block.boxes)
    assert reading.reader.startswith("image/1+rapidocr/")


@needs_ocr
def test_a_file_of_several_pictures_has_pages(tmp_path: Path, engine: Recogniser) -> None:
    first, second = picture("Doors are wide."), picture("Gates are open.")
    reading = read(tmp_path, first, engine, format="TIFF", save_all=True, append_images=[second])
    assert len(reading.pages) == 2
    assert "Gates" in reading.text[reading.pages[1].start :]


@needs_ocr
def test_a_picture_without_words_is_empty(tmp_path: Path, engine: Recogniser) -> None:
    reading = read(tmp_path, picture(), engine, format="PNG")
    assert reading.outcome.kind is OutcomeKind.EMPTY
    assert reading.outcome.message


@needs_ocr
def test_without_a_recogniser_a_picture_says_what_to_install(tmp_path: Path) -> None:
    reading = read(tmp_path, picture("Doors."), None, format="JPEG")
    assert reading.outcome.kind is OutcomeKind.NO_TEXT_LAYER
    assert "pincite[ocr]" in reading.outcome.hint


@needs_ocr
def test_a_damaged_picture_is_told_so(tmp_path: Path, engine: Recogniser) -> None:
    (tmp_path / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 40)
    assert ImageReader().read(Content(tmp_path / "p.png", recogniser=engine)).outcome.kind is OutcomeKind.CORRUPT


@needs_ocr
def test_the_engine_that_is_there_is_chosen() -> None:
    chosen = choose_ocr("auto", ("de", "en"))
    assert chosen is not None
    assert chosen.engine == "rapidocr"
    assert chosen.name.startswith("rapidocr/3")
