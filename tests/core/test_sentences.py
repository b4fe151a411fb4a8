"""Sentences: nothing is lost, nothing overlaps, abbreviations and numbers do not end one."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.sentences import cut_span, line_spans, sentence_spans


def texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@given(st.text(alphabet=st.sampled_from("aB1 .!?。\n\t\"')(e.g;ท ไ")))
def test_every_character_but_white_space_is_in_exactly_one_sentence(text: str) -> None:
    spans = sentence_spans(text)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("See Fig. 3 and No. 4. Then stop.", 2),
        ("It is 3.5 inches wide. It fits.", 2),
        ("Doors, e.g. gates, comply. So do we!", 2),
        ("J. Smith wrote it. Nobody read it.", 2),
        ("404.2.3 Clear width. Doors shall open.", 2),
        ("1. First item stays with its number.", 1),
        ('He said "Stop." Then he left.', 2),
        ("本章所稱高層建築物。高度五十公尺以上！真的？", 3),
        ("यह पहला है। यह दूसरा है।", 2),
        ("هل هذا سؤال؟ نعم.", 2),
        ("It is the law.16 The Department agrees.", 2),
        ("They said “so.”7 Others did not.", 2),
        ("See section 404.2 The rest is open.", 1),
        ("no capital. follows here", 1),
        ("One paragraph\n\nAnother paragraph", 2),
    ],
)
def test_counts(text: str, count: int) -> None:
    assert len(texts(text)) == count


def test_thai_is_parted_at_spaces_once_it_is_long() -> None:
    clause = "ภาษาไทยเป็นภาษาราชการของประเทศไทยและมีผู้พูดจำนวนมากทั่วประเทศไทยของเรา"
    assert len(texts(f"{clause} {clause}")) == 2
    assert len(texts("สวัสดี ครับ")) == 1


@given(st.text(alphabet="ab ,;\n。", max_size=300), st.integers(20, 60))
def test_cut_pieces_are_short_and_lose_nothing(text: str, cap: int) -> None:
    pieces = list(cut_span(text, 0, len(text), cap))
    assert all(end - start <= cap for start, end in pieces)
    assert "".join("".join(text[s:e].split()) for s, e in pieces) == "".join(text.split())


def test_lines_of_a_table() -> None:
    text = "a | b\n\n1 | 2  \n"
    assert [text[s:e] for s, e in line_spans(text, 0, len(text))] == ["a | b", "1 | 2"]
