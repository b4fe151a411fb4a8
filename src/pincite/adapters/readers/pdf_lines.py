"""One PDF page to lines: text, edges on the upright page, type size, weight. PDFium's own order is kept.

PDFium answers a question about one character in about a microsecond, and a page has thousands. So the text
comes in one call, and only the first and the last character of a line are asked about.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.adapters.readers.pdf_utf8 import put_right
from pincite.core.documents import Box

SOFT_HYPHEN = "\x02"
"""PDFium puts this where a line ends in a hyphen that it takes for hyphenation."""
_BULK_HYPHEN = "\ufffe"
"""What stands for it in text that is asked for at once."""
_LINE = re.compile(r"[^\s\x00\x02](?:[^\r\n\x02]*[^\s\x00\x02])?")
"""A line without the white space around it."""
_SPACE = re.compile(r"\s+")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNITS = ctypes.POINTER(ctypes.c_ushort)
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_FORCE_BOLD = 1 << 18
_SLANTED = 1 << 6
_BOLD_WEIGHT = 600
_PLAIN, _ITALIC, _BOLD = range(3)
_DEEPEST_FORM = 2
_FEW = 200
"""Characters of a page below which it is asked whether there should be more."""
_MOST_OBJECTS = 20_000
"""Of a page with next to no text, looked at in search of its pictures."""

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom in points from the top left corner of the upright page."""


@dataclass(slots=True)
class Line:
    """A line of text as it is set, and what the layout makes of it."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    """Type size in points, taken as the height of the loose box of a glyph: the declared size ignores the
    text matrix."""
    bold: bool
    """From the first glyph to the last."""
    page: int
    span: tuple[int, int] = (0, 0)
    """Characters of PDFium's text page."""
    lead: int = 0
    """Characters of a beginning in bold or italics, when the end is in neither."""
    hyphen: bool = False
    """The line ends in a hyphen that may be hyphenation; the hyphen is not in `text`."""
    furniture: bool = False
    level: int = 0
    """Of a heading; 0 for anything else."""
    cells: tuple[str, ...] = ()
    """For a row of a table: what stands in each column."""
    italic: bool = False
    """From the first glyph to the last."""
    table: int = 0
    """Which table of the document the row belongs to, from 1; 0 for none."""

    @property
    def box(self) -> Box:
        edges = (round(edge, 1) for edge in (self.left, self.top, self.right, self.bottom))
        return Box(self.page, *edges)


class PageText:
    """The characters of one page. Use as a context manager: PDFium frees what it holds.

    Raises LookupError when PDFium cannot load the page. The raw calls spare a tenth of the time that a page
    takes with the library's objects around them.
    """

    def __init__(self, document: pypdfium2.PdfDocument, index: int) -> None:
        self.number = index + 1
        self.page = pdfium.FPDF_LoadPage(document.raw, index)
        self._raw = pdfium.FPDFText_LoadPage(self.page) if self.page else None
        if not self._raw:
            self.close()
            raise LookupError(index)
        self.count = pdfium.FPDFText_CountChars(self._raw)
        self.rotation = 90 * pdfium.FPDFPage_GetRotation(self.page)
        self.width = float(pdfium.FPDF_GetPageWidthF(self.page))
        self.height = float(pdfium.FPDF_GetPageHeightF(self.page))
        left, bottom, right, top = self._shown()
        self._origin = (left, bottom)
        self._extent = (right - left, top - bottom)
        self._corner = (left, top)
        self._rectangle = pdfium.FS_RECTF()
        self._pointer = ctypes.byref(self._rectangle)
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._fonts: dict[tuple[bytes, int], int] = {}
        self.letters = put_right(self._characters(), self._code)
        """One character a place of PDFium's text page."""

    def close(self) -> None:
        if self._raw:
            pdfium.FPDFText_ClosePage(self._raw)
        if self.page:
            pdfium.FPDF_ClosePage(self.page)
        self._raw = self.page = None

    def __enter__(self) -> PageText:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _shown(self) -> Edges:
        """The part of user space that is shown: left, bottom, right, top."""
        edges = [ctypes.c_float() for _ in range(4)]
        for ask in (pdfium.FPDFPage_GetCropBox, pdfium.FPDFPage_GetMediaBox):
            if ask(self.page, *edges):
                left, bottom, right, top = (edge.value for edge in edges)
                return left, bottom, right, top
        # Letter, as PDFium takes it when a file says nothing.
        return 0.0, 0.0, 612.0, 792.0

    def words(self, start: int, end: int) -> str:
        """The text from one character to another."""
        return " ".join(_plain(self.letters[start:end]).split())

    def spaces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where white space stands between two words."""
        for match in _SPACE.finditer(self.letters, start, end):
            yield match.span()

    def _characters(self) -> str:
        """One character a place of PDFium's text page: NUL where it has no Unicode value, halves of a surrogate
        pair apart."""
        if self.count <= 0:
            return ""
        buffer = ctypes.create_string_buffer(2 * (self.count + 1))
        units = pdfium.FPDFText_GetText(self._raw, 0, self.count, ctypes.cast(buffer, _UNITS))
        if units == self.count + 1:
            text = buffer.raw[: 2 * self.count].decode("utf-16-le", "surrogatepass")
            if len(text) == self.count:
                return text.replace(_BULK_HYPHEN, SOFT_HYPHEN)
            return "".join(map(chr, memoryview(buffer).cast("B")[: 2 * self.count].cast("H"))).replace(
                _BULK_HYPHEN, SOFT_HYPHEN
            )
        codes = (pdfium.FPDFText_GetUnicode(self._raw, index) for index in range(self.count))
        return "".join(chr(code) if code <= 0x10FFFF else "\0" for code in codes)

    def _code(self, index: int) -> int:
        return int(pdfium.FPDFText_GetUnicode(self._raw, index))

    def lines(self) -> Iterator[Line]:
        ask = True
        for match in _LINE.finditer(self.letters):
            text = match[0]
            start, end = match.span()
            left, top, right, bottom = self.edges(start)
            size = bottom - top if right > left else 0.0
            if end - start > 1:
                last = self.edges(end - 1)
                if last[0] < left:
                    left, right = self._range(start, end, left, right)
                if last[3] - last[1] > 1.5 * size:
                    size = last[3] - last[1]
                top = last[1] if last[1] < top else top
                right = last[2] if last[2] > right else right
                bottom = last[3] if last[3] > bottom else bottom
            # No heading and no run-in title begins with a small letter, but their second line may.
            face, lead = self._face(start) if ask or not text[0].islower() else _PLAIN, 0
            if face and self._face(end - 1) != face:
                face, lead = _PLAIN, self._lead(start, end)
            ask = face != _PLAIN
            if not text.isascii() or "\0" in text:
                text = _plain(text)
            line = Line(text, left, top, right, bottom, size, face == _BOLD, self.number, (start, end), lead)
            line.italic = face == _ITALIC
            line.hyphen = self.letters.startswith(SOFT_HYPHEN, end)
            yield line

    def _range(self, start: int, end: int, left: float, right: float) -> tuple[float, float]:
        """Left and right of a line that does not run from left to right, from every character of it."""
        for index in range(start, end):
            edges = self.edges(index)
            if edges[2] > edges[0]:
                left, right = min(left, edges[0]), max(right, edges[2])
        return left, right

    def _lead(self, start: int, end: int) -> int:
        """Characters before the first word that is not bold."""
        for _, following in self.spaces(start, end):
            if not self._face(following):
                return len(_plain(self.letters[start:following]).rstrip())
        return 0

    def _face(self, index: int) -> int:
        pdfium.FPDFText_GetFontInfo(self._raw, index, self._name, 128, self._flags)
        key = (self._name.value, self._flags.value)
        found = self._fonts.get(key)
        if found is None:
            lowered = key[0].lower()
            heavy = pdfium.FPDFText_GetFontWeight(self._raw, index) >= _BOLD_WEIGHT
            if heavy or b"bold" in lowered or b"black" in lowered or key[1] & _FORCE_BOLD:
                found = _BOLD
            else:
                slanted = b"ital" in lowered or b"obli" in lowered or bool(key[1] & _SLANTED)
                found = _ITALIC if slanted else _PLAIN
            self._fonts[key] = found
        return found

    def edges(self, index: int) -> Edges:
        """The loose box of a character on the upright page."""
        box = self._rectangle
        pdfium.FPDFText_GetLooseCharBox(self._raw, index, self._pointer)
        if self.rotation:
            return self.upright(box.left, box.bottom, box.right, box.top)
        left, top = self._corner
        return box.left - left, top - box.top, box.right - left, top - box.bottom

    def mark(self, index: int) -> int:
        """The number of the marked content that a character belongs to; -1 for none."""
        item = pdfium.FPDFText_GetTextObject(self._raw, index)
        return int(pdfium.FPDFPageObj_GetMarkedContentID(item)) if item else -1

    def upright(self, left: float, bottom: float, right: float, top: float) -> Edges:
        """A rectangle of user space (origin bottom left, unrotated) as left, top, right, bottom of the page as
        it is shown (origin top left)."""
        x, y = self._origin
        width, height = self._extent
        left, right, bottom, top = left - x, right - x, bottom - y, top - y
        if self.rotation == 90:
            return bottom, left, top, right
        if self.rotation == 180:
            return width - right, bottom, width - left, top
        if self.rotation == 270:
            return height - top, width - right, height - bottom, width - left
        return left, height - top, right, height - bottom

    def image_share(self) -> float:
        """The part of the page that its largest image covers, 0 to 1."""
        area = max(1.0, self._extent[0] * self._extent[1])
        return min(1.0, max(self._image_areas(self.page, 0), default=0.0) / area)

    def hidden_texts(self) -> int:
        """How many texts the page sets, where those are far more than PDFium has characters of: it drops vertical
        writing in some fonts without a word. 0 where all is well."""
        if self.count >= _FEW:
            return 0
        count = min(pdfium.FPDFPage_CountObjects(self.page), _MOST_OBJECTS)
        kinds = (pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(self.page, index)) for index in range(count))
        texts = sum(int(kind == pdfium.FPDF_PAGEOBJ_TEXT) for kind in kinds)
        return texts if texts > max(50, 2 * self.count) else 0

    def _image_areas(self, holder: object, depth: int) -> Iterator[float]:
        """Of the images of the page, or of one of its forms."""
        count, take = (
            (pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject)
            if depth
            else (pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject)
        )
        edges = [ctypes.c_float() for _ in range(4)]
        for index in range(min(count(holder), _MOST_OBJECTS)):
            item = take(holder, index)
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE and pdfium.FPDFPageObj_GetBounds(item, *edges):
                left, bottom, right, top = (edge.value for edge in edges)
                yield abs((right - left) * (top - bottom))
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
                yield from self._image_areas(item, depth + 1)


def _plain(text: str) -> str:
    """The text of some places: ligatures as the letters that they stand for, surrogate pairs as one character,
    places without a character left out."""
    if text.isascii():
        return text.replace("\0", "")
    text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text.replace("\0", ""))
    if _SURROGATE.search(text):
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
