"""What stands on a page without being its text: form fields, notes, stamps, text typed over it.

PDFium's text of a page knows nothing of them. Values and notes are asked for by name. What an annotation draws (a
caption of a button, a stamp, a typed comment) is told by drawing all of them into the page and reading it again.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.adapters.readers.pdf_lines import Line, PageText

_MOST_FIELDS = 2_000
_DRAWING = (
    pdfium.FPDF_ANNOT_WIDGET,
    pdfium.FPDF_ANNOT_FREETEXT,
    pdfium.FPDF_ANNOT_STAMP,
    pdfium.FPDF_ANNOT_WATERMARK,
)
"""Annotations that may draw text. Links and marks on text draw none, and pop-ups are not drawn."""
_NOT_LETTERS = re.compile(r"[\W_]+")


def fields(page: object) -> Iterator[tuple[str, str]]:
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


def drawn_notes(document: pypdfium2.PdfDocument, page: PageText, told: Sequence[tuple[str, str]]) -> list[Line]:
    """Lines that annotations draw, without those that the values and notes in `told` say already."""
    if not _draws(page.page) or pdfium.FPDFPage_Flatten(page.page, pdfium.FLAT_NORMALDISPLAY) != pdfium.FLATTEN_SUCCESS:
        return []
    known = _letters(" ".join(text for _, text in told))
    with PageText(document, page.number - 1) as flat:
        if not flat.letters.startswith(page.letters):
            return []
        # Only what came in after the text of the page.
        flat.letters = "\n" * page.count + flat.letters[page.count :]
        drawn = list(flat.lines())
    return [line for line in drawn if len(_letters(line.text)) > 1 and _letters(line.text) not in known]


def _draws(page: object) -> bool:
    """Whether a page has an annotation that may draw text."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_FIELDS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        drawing = pdfium.FPDFAnnot_GetSubtype(annotation) in _DRAWING
        # The length of an empty appearance is that of its end mark.
        drawing = drawing and pdfium.FPDFAnnot_GetAP(annotation, pdfium.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None, 0) > 2
        pdfium.FPDFPage_CloseAnnot(annotation)
        if drawing:
            return True
    return False


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text.casefold())
