"""One page of a PDF: its lines, its form fields, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import pypdfium2

from pincite.adapters.readers.ocr_hint import HOW_TO_OCR, NOTHING_SEEN
from pincite.adapters.readers.pdf_columns import apart
from pincite.adapters.readers.pdf_lines import Line, PageText
from pincite.adapters.readers.pdf_notes import drawn_notes, fields
from pincite.adapters.readers.pdf_tables import with_tables
from pincite.adapters.readers.pdf_tags import TaggedHeading, tagged_headings
from pincite.adapters.readers.pdf_vertical import top_down
from pincite.adapters.readers.recognise import DPI, FALLBACK_DPI, MOST_PIXELS, Recogniser, lines_of, read_picture
from pincite.core.documents import Outcome, OutcomeKind

_MEANINGLESS = re.compile("[\x00-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
_ALPHANUMERIC = re.compile(r"[^\W_]")
_WORD = re.compile(r"[^\W\d_]{2}")
_POINTS = 72.0
_ENOUGH = re.compile(r"(?:[\W_]*[^\W_]){40}")
"""The letters and digits from which a page is taken for text."""
_LEAST_SEEN = 0.3


@dataclass(slots=True)
class PageInfo:
    """What was read of one page."""

    number: int
    label: str
    width: float = 0.0
    height: float = 0.0
    outcome: OutcomeKind = OutcomeKind.CORRUPT
    lines: list[Line] = field(default_factory=list)
    fields: list[tuple[str, str]] = field(default_factory=list)
    """Name and value of filled form fields, and the words of notes, which are no part of the page's text."""
    vertical: bool = False
    """Its lines run from the top down and follow each other from the right."""
    tagged: list[TaggedHeading] = field(default_factory=list)
    tables: int = 0
    """How many tables the document has up to here."""
    ocr: float | None = None
    hidden: int = 0
    """Texts that the page sets and PDFium gives no characters of."""


def read_page(
    document: pypdfium2.PdfDocument, index: int, tables: int, recogniser: Recogniser | None, tags: bool = False
) -> PageInfo:
    """One page, with the headings that its `tags` name; a page that PDFium cannot load is counted all the same."""
    number = index + 1
    label = document.get_page_label(index) or ""
    info = PageInfo(number, "" if label == str(number) else label, tables=tables)
    try:
        with PageText(document, index) as page:
            info.width, info.height = page.width, page.height
            info.lines = list(page.lines())
            info.hidden = page.hidden_texts()
            info.outcome = OutcomeKind.FAILED if info.hidden else _outcome(page, info.lines)
            if info.outcome is OutcomeKind.WHOLE:
                _put_in_order(info, page)
                if tags:
                    info.lines, info.tagged = tagged_headings(page, info.lines)
            if info.outcome in (OutcomeKind.WHOLE, OutcomeKind.EMPTY):
                _add_notes(info, document, page)
    except LookupError:
        return info
    if info.outcome is OutcomeKind.FAILED:
        info.lines = []
    for line in info.lines:
        # Text that the page does not show is kept, but nobody could look it up.
        line.furniture = not (
            line.right >= 0 and line.left <= info.width and line.bottom >= 0 and line.top <= info.height
        )
    if recogniser is not None and info.outcome in (OutcomeKind.NO_TEXT_LAYER, OutcomeKind.FAILED):
        _recognise(info, document, recogniser)
    return info


def _put_in_order(info: PageInfo, page: PageText) -> None:
    """The lines in reading order, those of tables as rows."""
    down = top_down(info.lines)
    info.vertical = down is not info.lines
    if info.vertical:
        info.lines = down
    else:
        info.lines, info.tables = with_tables(page, apart(page, info.lines), info.tables)


def _add_notes(info: PageInfo, document: pypdfium2.PdfDocument, page: PageText) -> None:
    """What was filled in and written over a page; on a blank one it is the text, if there is a word in it."""
    told = list(fields(page.page))
    drawn = drawn_notes(document, page, told)
    if info.outcome is OutcomeKind.EMPTY:
        if not _WORD.search(" ".join([*(text for _, text in told), *(line.text for line in drawn)])):
            return
        info.outcome = OutcomeKind.WHOLE
    info.fields = told
    info.lines += drawn


def _outcome(page: PageText, lines: Sequence[Line]) -> OutcomeKind:
    """Whole, or why not: a picture of text, characters without meaning, or nothing there at all."""
    text = "".join([line.text for line in lines])
    if _MEANINGLESS.search(text) and len(_MEANINGLESS.findall(text)) * 4 >= len(text) - text.count(" "):
        return OutcomeKind.FAILED
    if _ENOUGH.match(text):
        return OutcomeKind.WHOLE
    alphanumeric = len(_ALPHANUMERIC.findall(text))
    share = page.image_share()
    if share >= 0.2 or (alphanumeric < 10 and share >= 0.03):
        return OutcomeKind.NO_TEXT_LAYER
    return OutcomeKind.WHOLE if text else OutcomeKind.EMPTY


def _recognise(info: PageInfo, document: pypdfium2.PdfDocument, recogniser: Recogniser) -> None:
    """Replace what there is of text by what is seen on the picture of the page."""
    scale = DPI / _POINTS
    if info.width * info.height * scale * scale > MOST_PIXELS:
        scale = min(FALLBACK_DPI / _POINTS, (MOST_PIXELS / max(1.0, info.width * info.height)) ** 0.5)
    page = document[info.number - 1]
    try:
        image = page.render(scale=scale, rev_byteorder=False).to_numpy()
    finally:
        page.close()
    seen, sureness = read_picture(recogniser, image[:, :, :3])
    if sum(len(item.text) for item in seen) < _LEAST_SEEN * info.hidden:
        # Vertical writing again: a few figures of a full page are not the page.
        return
    info.lines = lines_of(seen, info.number, 1 / scale)
    info.outcome = OutcomeKind.WHOLE if seen else OutcomeKind.EMPTY
    info.ocr = round(sureness, 3)


def document_outcome(pages: Sequence[PageInfo], recognised: bool) -> Outcome:
    """Of the document, from those of its pages. A blank page is no loss."""
    lost = [page for page in pages if page.outcome not in (OutcomeKind.WHOLE, OutcomeKind.EMPTY)]
    words = any(page.lines or page.fields for page in pages if page.outcome is OutcomeKind.WHOLE)
    numbers = tuple(page.number for page in lost)
    if words and not lost:
        return Outcome(OutcomeKind.WHOLE)
    pictures = all(page.outcome is OutcomeKind.NO_TEXT_LAYER for page in lost)
    hint = HOW_TO_OCR if not recognised and any(page.outcome is not OutcomeKind.CORRUPT for page in lost) else ""
    if words:
        what = "have no text layer" if pictures else "could not be read"
        message = f"{len(lost)} of {len(pages)} pages {what}."
        return Outcome(OutcomeKind.PARTIAL, "no_text_layer" if pictures else "unreadable_pages", message, hint, numbers)
    if not lost:
        message = NOTHING_SEEN if recognised else "The PDF holds no text and no picture of any."
        return Outcome(OutcomeKind.EMPTY, message=message)
    if all(page.outcome is OutcomeKind.CORRUPT for page in lost):
        return Outcome(OutcomeKind.CORRUPT, "no_page_loads", "No page of the PDF can be loaded.", "", numbers)
    code = "" if pictures else "no_unicode"
    message = "No page has a text layer." if pictures else "The text of the PDF cannot be told: its fonts lack a map."
    return Outcome(OutcomeKind.NO_TEXT_LAYER, code, message, hint, numbers)
