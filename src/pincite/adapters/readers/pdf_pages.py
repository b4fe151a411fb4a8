"""One page of a PDF: its lines, its form fields, and what became of it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.adapters.readers.ocr_hint import HOW_TO_OCR, NOTHING_SEEN
from pincite.adapters.readers.pdf_columns import apart
from pincite.adapters.readers.pdf_lines import Line, PageText
from pincite.adapters.readers.pdf_tables import with_tables
from pincite.adapters.readers.recognise import DPI, FALLBACK_DPI, MOST_PIXELS, Recogniser, lines_of, read_picture
from pincite.core.documents import Outcome, OutcomeKind

_MEANINGLESS = re.compile("[\x00-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
_ALPHANUMERIC = re.compile(r"[^\W_]")
_POINTS = 72.0
_ENOUGH = re.compile(r"(?:[\W_]*[^\W_]){40}")
"""The letters and digits from which a page is taken for text."""
_LEAST_SEEN = 0.3
_MOST_FIELDS = 2_000


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
    tables: int = 0
    """How many tables the document has up to here."""
    ocr: float | None = None
    hidden: int = 0
    """Texts that the page sets and PDFium gives no characters of."""


def read_page(document: pypdfium2.PdfDocument, index: int, tables: int, recogniser: Recogniser | None) -> PageInfo:
    """One page; a page that PDFium cannot load is counted all the same."""
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
                info.fields = list(_fields(page.page))
                info.lines, info.tables = with_tables(page, apart(page, info.lines), tables)
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


def _fields(page: object) -> Iterator[tuple[str, str]]:
    """Values of form fields and words of notes, in the order of the file."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_FIELDS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == pdfium.FPDF_ANNOT_WIDGET:
            name, text = _string(annotation, b"T"), _string(annotation, b"V")
        elif kind in (pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_TEXT):
            name, text = "note", _string(annotation, b"Contents")
        else:
            name = text = ""
        pdfium.FPDFPage_CloseAnnot(annotation)
        if text.strip():
            yield name or "field", text


def _string(annotation: object, key: bytes) -> str:
    length = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if not 2 < length < 1 << 20:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\x00")


def document_outcome(pages: Sequence[PageInfo], recognised: bool) -> Outcome:
    """Of the document, from those of its pages. A blank page is no loss."""
    lost = [page for page in pages if page.outcome not in (OutcomeKind.WHOLE, OutcomeKind.EMPTY)]
    words = any(page.lines for page in pages if page.outcome is OutcomeKind.WHOLE)
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
