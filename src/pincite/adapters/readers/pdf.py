"""PDF with a text layer: every page counted, every line with its place, no guess that loses a word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.adapters.readers.builder import Builder, refused
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.pdf_layout import Placed, mark_furniture, mark_headings, paragraphs
from pincite.adapters.readers.pdf_lines import PageText
from pincite.core.documents import BlockKind, Box, Outcome, OutcomeKind, Reading

_LIST = re.compile(r"(?:[•●▪■◦‣·–—-]\s|\(?[0-9]{1,3}[.)]\s|\(?[a-z]{1}[.)]\s|\([ivxlc]{1,5}\)\s)")
_WORD = re.compile(r"\w+(?:-\w+)+|\w+")
_HOW_TO_OCR = "The page is a picture. Run it through OCR first; pincite reads text layers."


@dataclass
class _PageInfo:
    number: int
    label: str
    width: float
    height: float
    outcome: OutcomeKind
    lines: list[Placed]


class PdfReader:
    name = "pdf/1"

    def read(self, content: Content) -> Reading:
        try:
            document = pypdfium2.PdfDocument(content.path if content.data is None else content.data)
        except pypdfium2.PdfiumError as fault:
            return _not_opened(self.name, fault)
        try:
            return self._read(document, content)
        finally:
            document.close()

    def _read(self, document: pypdfium2.PdfDocument, content: Content) -> Reading:
        if len(document) == 0:
            return refused(self.name, OutcomeKind.CORRUPT, "The PDF has no pages.", code="no_pages")
        pages = [_page(document, index) for index in range(len(document))]
        mark_furniture([page.lines for page in pages], [page.height for page in pages])
        depth = _mark_outline(document, pages)
        mark_headings([page.lines for page in pages], depth)
        builder = Builder(self.name)
        builder.title, builder.metadata = _metadata(document)
        vocabulary = _vocabulary(pages)
        for page in pages:
            for group in paragraphs(page.lines):
                _add(builder, group, vocabulary)
            builder.end_page(page.number, page.label, page.outcome, page.width, page.height)
        return builder.finish(_outcome(pages))


def _not_opened(reader: str, fault: pypdfium2.PdfiumError) -> Reading:
    code = getattr(fault, "err_code", None)
    if code == pdfium.FPDF_ERR_PASSWORD:
        hint = "Save a copy without the password and ingest that."
        return refused(reader, OutcomeKind.PASSWORD, "The PDF asks for a password.", code="encrypted", hint=hint)
    if code == pdfium.FPDF_ERR_SECURITY:
        hint = "Save a copy without protection and ingest that."
        return refused(reader, OutcomeKind.PASSWORD, "The PDF is protected in a way that cannot be read.", hint=hint)
    hint = "Open it in a viewer and save it again, or fetch it anew."
    return refused(reader, OutcomeKind.CORRUPT, "The file is not a readable PDF.", code="not_a_pdf", hint=hint)


def _page(document: pypdfium2.PdfDocument, index: int) -> _PageInfo:
    """One page; a page that PDFium cannot load is counted all the same."""
    number = index + 1
    label = document.get_page_label(index) or ""
    label = "" if label == str(number) else label
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return _PageInfo(number, label, 0.0, 0.0, OutcomeKind.CORRUPT, [])
    try:
        with PageText(page, number) as text:
            lines = [Placed(line, number) for line in text.lines()]
            outcome = _page_outcome(text, "".join(item.line.text for item in lines))
            readable = outcome in (OutcomeKind.WHOLE, OutcomeKind.NO_TEXT_LAYER)
            return _PageInfo(number, label, text.width, text.height, outcome, lines if readable else [])
    finally:
        page.close()


def _page_outcome(page: PageText, text: str) -> OutcomeKind:
    """Whole, or why not: a picture of text, characters without meaning, or nothing there at all."""
    visible = [character for character in text if not character.isspace()]
    meaningless = sum(_meaningless(character) for character in visible)
    if visible and meaningless * 4 >= len(visible):
        return OutcomeKind.FAILED
    alphanumeric = sum(character.isalnum() for character in visible)
    if alphanumeric >= 40:
        return OutcomeKind.WHOLE
    share = page.image_share()
    if share >= 0.2 or (alphanumeric < 10 and share >= 0.03):
        return OutcomeKind.NO_TEXT_LAYER
    return OutcomeKind.WHOLE if visible else OutcomeKind.EMPTY


def _meaningless(character: str) -> bool:
    code = ord(character)
    return code < 32 or code == 0xFFFD or 0xE000 <= code <= 0xF8FF or 0x7F <= code < 0xA0


def _outcome(pages: Sequence[_PageInfo]) -> Outcome:
    """Of the document, from those of its pages. A blank page is no loss."""
    lost = [page for page in pages if page.outcome not in (OutcomeKind.WHOLE, OutcomeKind.EMPTY)]
    words = any(page.lines for page in pages if page.outcome is OutcomeKind.WHOLE)
    numbers = tuple(page.number for page in lost)
    if words and not lost:
        return Outcome(OutcomeKind.WHOLE)
    pictures = all(page.outcome is OutcomeKind.NO_TEXT_LAYER for page in lost)
    hint = _HOW_TO_OCR if pictures else ""
    if words:
        what = "have no text layer" if pictures else "could not be read"
        message = f"{len(lost)} of {len(pages)} pages {what}."
        return Outcome(OutcomeKind.PARTIAL, "no_text_layer" if pictures else "unreadable_pages", message, hint, numbers)
    if not lost:
        return Outcome(OutcomeKind.EMPTY, message="The PDF holds no text and no picture of any.")
    if all(page.outcome is OutcomeKind.CORRUPT for page in lost):
        return Outcome(OutcomeKind.CORRUPT, "no_page_loads", "No page of the PDF can be loaded.", "", numbers)
    code = "" if pictures else "no_unicode"
    message = "No page has a text layer." if pictures else "The text of the PDF cannot be told: its fonts lack a map."
    return Outcome(OutcomeKind.NO_TEXT_LAYER, code, message, _HOW_TO_OCR, numbers)


def _metadata(document: pypdfium2.PdfDocument) -> tuple[str, dict[str, str]]:
    plain = {key.lower(): value for key, value in document.get_metadata_dict(skip_empty=True).items()}
    title = plain.pop("title", "")
    return title, {key: plain[key] for key in ("author", "subject", "creationdate", "moddate") if key in plain}


def _mark_outline(document: pypdfium2.PdfDocument, pages: Sequence[_PageInfo]) -> int:
    """Mark as headings the lines that bookmarks name, where they stand on the page that the bookmark targets
    or the next. Returns the greatest depth that was found."""
    depth = 0
    for entry, index in _bookmarks(document):
        wanted = _letters(entry)
        for page in pages[index[0] : index[0] + 2]:
            items = _matching(page.lines, wanted)
            if items:
                depth = max(depth, index[1])
                for item in items:
                    item.level = index[1]
                break
    return depth


def _bookmarks(document: pypdfium2.PdfDocument) -> Iterator[tuple[str, tuple[int, int]]]:
    """Title, page index and level (from 1) of each bookmark that has a target."""
    for count, bookmark in enumerate(document.get_toc(max_depth=8)):
        if count >= 5_000:
            return
        target = bookmark.get_dest()
        index = target.get_index() if target is not None else None
        if index is not None and index >= 0:
            yield bookmark.get_title(), (index, bookmark.level + 1)


def _matching(lines: Sequence[Placed], wanted: str) -> list[Placed]:
    """Up to three lines in a row that together are the title of a bookmark."""
    if len(wanted) < 3:
        return []
    for place, item in enumerate(lines):
        if item.furniture or item.level:
            continue
        joined = ""
        for end in range(place, min(place + 3, len(lines))):
            joined += _letters(lines[end].line.text)
            if joined == wanted:
                return list(lines[place : end + 1])
            if not wanted.startswith(joined):
                break
    return []


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _vocabulary(pages: Sequence[_PageInfo]) -> Counter[str]:
    """The words inside lines, hyphenated ones whole: what tells a hyphenation from a compound."""
    words: Counter[str] = Counter()
    for page in pages:
        for item in page.lines:
            words.update(word.lower() for word in _WORD.findall(item.line.text)[1:])
    return words


def _add(builder: Builder, group: Sequence[Placed], vocabulary: Counter[str]) -> None:
    text, lead = _joined(group, vocabulary)
    first = group[0]
    if first.furniture:
        kind = BlockKind.FURNITURE
    elif first.level:
        kind, text, lead = BlockKind.HEADING, " ".join(text.split()), 0
    else:
        kind = BlockKind.LIST_ITEM if _LIST.match(text) else BlockKind.PARAGRAPH
    builder.add(
        kind, text, level=first.level, lead=lead, page=first.page, boxes=_boxes(item.line.box for item in group)
    )


def _joined(group: Sequence[Placed], vocabulary: Counter[str]) -> tuple[str, int]:
    """The lines of a group as text, hyphenation undone, and the length of its bold beginning."""
    text, lead, leading = "", 0, True
    for place, item in enumerate(group):
        line = item.line
        begun = len(text)
        text += line.text
        if leading:
            lead = len(text) if line.bold else (begun + line.lead if line.lead else lead)
            leading = line.bold
        if not line.hyphen:
            text += "\n"
        elif place == len(group) - 1 or _keeps_hyphen(text, group[place + 1].line.text, vocabulary):
            text += "-"
    return text.rstrip("\n"), 0 if leading else lead


def _keeps_hyphen(before: str, after: str, vocabulary: Counter[str]) -> bool:
    """Whether a line-end hyphen belongs to the word: only the hyphenated form stands elsewhere in the
    document, or what follows is no small letter."""
    left = re.search(r"\w+$", before)
    right = re.match(r"\w+", after)
    if not left or not right or not right[0][0].islower():
        return True
    joined = (left[0] + right[0]).lower()
    hyphenated = f"{left[0]}-{right[0]}".lower()
    return vocabulary[joined] == 0 and vocabulary[hyphenated] > 0


def _boxes(boxes: Iterator[Box]) -> list[Box]:
    """One box a column of lines: neighbours that overlap from left to right become one."""
    merged: list[Box] = []
    for box in boxes:
        last = merged[-1] if merged else None
        if last and box.left < last.right and last.left < box.right and box.top >= last.top - 1:
            merged[-1] = Box(
                box.page,
                min(last.left, box.left),
                min(last.top, box.top),
                max(last.right, box.right),
                max(last.bottom, box.bottom),
            )
        else:
            merged.append(box)
    return merged
