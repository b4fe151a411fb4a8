"""PDF: every page counted, every line with its place, pictures of text through a recogniser where one is there,
no guess that loses a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.pdf_faces import lend_face
from pincite.adapters.readers.pdf_layout import mark_furniture
from pincite.adapters.readers.pdf_outline import mark_outline
from pincite.adapters.readers.pdf_pages import PageInfo, document_outcome, read_page
from pincite.adapters.readers.pdf_tags import mark_told
from pincite.adapters.readers.pdf_text import Paragraphs
from pincite.core.documents import OutcomeKind, Reading

MOST_PAGES = 20_000
_LONG_WITHOUT = 30
"""Pages without a tagged heading after which none is looked for: the structure of a page costs a third of its text."""
_STEP = 10
"""Pages between two words on how far it has got."""


class PdfReader:
    name = "pdf/3"

    @outcomes
    def read(self, content: Content) -> Reading:
        lend_face()
        try:
            document = pypdfium2.PdfDocument(content.path if content.data is None else content.data)
        except pypdfium2.PdfiumError as fault:
            raise _not_opened(fault) from fault
        try:
            return self._read(document, content)
        finally:
            document.close()

    def _read(self, document: pypdfium2.PdfDocument, content: Content) -> Reading:
        if len(document) == 0:
            raise Refused(OutcomeKind.CORRUPT, "The PDF has no pages.", "no_pages")
        if len(document) > MOST_PAGES:
            message = f"The PDF has {len(document):,} pages; {MOST_PAGES:,} are the most."
            raise Refused(OutcomeKind.TOO_BIG, message, "pages", "Split it.")
        pages = list(_pages(document, content))
        lines = [page.lines for page in pages]
        mark_furniture(lines, [page.height for page in pages])
        tagged = [heading for page in pages for heading in page.tagged]
        mark_told(lines, tagged, mark_outline(document, lines))
        recognised = [page.number for page in pages if page.ocr is not None]
        # Also where it saw nothing: what was tried is settled until there is another engine.
        engine = f"+{content.recogniser.name}" if content.recogniser else ""
        builder = Builder(self.name + engine)
        builder.title, builder.metadata = _metadata(document)
        if recognised:
            builder.metadata["recognised_pages"] = _numbers(recognised)
        _add_pages(builder, pages)
        return builder.finish(document_outcome(pages, content.recogniser is not None))


def _pages(document: pypdfium2.PdfDocument, content: Content) -> Iterator[PageInfo]:
    tables, seen, tags = 0, False, bool(pdfium.FPDFCatalog_IsTagged(document.raw))
    for index in range(len(document)):
        page = read_page(document, index, tables, content.recogniser, tags)
        tables = page.tables
        seen = seen or bool(page.tagged)
        tags = tags and (seen or page.number < _LONG_WITHOUT)
        if page.number % _STEP == 0 or page.ocr is not None:
            content.step(page.number, len(document))
        yield page


def _add_pages(builder: Builder, pages: Sequence[PageInfo]) -> None:
    paragraphs = Paragraphs(builder, [page.lines for page in pages])
    for page in pages:
        paragraphs.add(page.lines, page.vertical)
        for name, text in page.fields:
            paragraphs.add_field(name, text, page.number)
        builder.end_page(page.number, page.label, page.outcome, page.width, page.height, page.ocr)


def _not_opened(fault: pypdfium2.PdfiumError) -> Refused:
    code = getattr(fault, "err_code", None)
    if code == pdfium.FPDF_ERR_PASSWORD:
        hint = "Save a copy without the password and ingest that."
        return Refused(OutcomeKind.PASSWORD, "The PDF asks for a password.", "encrypted", hint)
    if code == pdfium.FPDF_ERR_SECURITY:
        hint = "Save a copy without protection and ingest that."
        return Refused(OutcomeKind.PASSWORD, "The PDF is protected in a way that cannot be read.", "", hint)
    hint = "Open it in a viewer and save it again, or fetch it anew."
    return Refused(OutcomeKind.CORRUPT, "The file is not a readable PDF.", "not_a_pdf", hint)


def _metadata(document: pypdfium2.PdfDocument) -> tuple[str, dict[str, str]]:
    plain = {key.lower(): value for key, value in document.get_metadata_dict(skip_empty=True).items()}
    title = plain.pop("title", "")
    return title, {key: plain[key] for key in ("author", "subject", "creationdate", "moddate") if key in plain}


def _numbers(pages: Sequence[int]) -> str:
    """1-3, 7 for 1, 2, 3, 7."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1][1:] = [page]
        else:
            runs.append([page])
    return ", ".join("-".join(map(str, run)) for run in runs)
