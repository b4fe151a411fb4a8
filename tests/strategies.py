"""Readings made at random, true to the law that pages tile the text and blocks lie inside pages."""

from hypothesis import strategies as st

from pincite.core.documents import Block, BlockKind, Outcome, OutcomeKind, Page, Reading

WORDS = st.sampled_from(
    [
        "door",
        "width",
        "shall",
        "32",
        "404.2",
        "gate",
        "車道",
        "寬度。",
        "Clear.",
        "open?",
        "ภาษา",
        "(a)",
        "e.g.",
    ]
)
LINES = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)


@st.composite
def readings(draw: st.DrawFn, paged: bool | None = None) -> Reading:
    has_pages = draw(st.booleans()) if paged is None else paged
    text, blocks, pages = "", [], []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        begun = len(text)
        for _ in range(draw(st.integers(0, 5))):
            kind = draw(st.sampled_from(list(BlockKind)))
            words = draw(LINES)
            level = draw(st.integers(1, 4)) if kind is BlockKind.HEADING else 0
            start = len(text)
            text += words
            blocks.append(Block(kind, start, len(text), page=number if has_pages else None, level=level))
            text += "\n\n"
        pages.append(Page(number, begun, len(text)))
    return Reading(
        outcome=Outcome(OutcomeKind.WHOLE),
        reader="test/1",
        text=text,
        pages=tuple(pages) if has_pages else (),
        blocks=tuple(blocks),
    )
