"""One PDF page to lines: text, box on the upright page, type size, weight. PDFium's own order is kept."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.core.documents import Box

SOFT_HYPHEN = "\x02"
"""PDFium puts this where a line ends in a hyphen that it takes for hyphenation."""
_BREAKS = "\r\n" + SOFT_HYPHEN
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_EXPAND = str.maketrans(_LIGATURES)
_FORCE_BOLD = 1 << 18


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text as it is set."""

    text: str
    box: Box
    size: float
    """Type size in points, taken as the height of the loose box of a glyph: the declared size ignores the
    text matrix."""
    bold: bool
    """From the first glyph to the last."""
    lead: int = 0
    """Characters of a bold beginning, when the end is not bold."""
    hyphen: bool = False
    """The line ends in a hyphen that may be hyphenation; the hyphen is not in `text`."""


class PageText:
    """The characters of one page. Use as a context manager: PDFium frees what it holds."""

    def __init__(self, page: pypdfium2.PdfPage, number: int) -> None:
        self.number = number
        self.page = page
        self.text = page.get_textpage()
        self.count = self.text.count_chars()
        self.rotation = page.get_rotation()
        self.width, self.height = page.get_size()
        left, bottom, right, top = page.get_cropbox()
        self._origin = (left, bottom)
        self._extent = (right - left, top - bottom)
        self._fonts: dict[tuple[bytes, int], bool] = {}

    def close(self) -> None:
        self.text.close()

    def __enter__(self) -> PageText:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def characters(self) -> list[str]:
        """One entry a character of PDFium's text page; empty where it has no Unicode value."""
        codes = [pdfium.FPDFText_GetUnicode(self.text, index) for index in range(self.count)]
        return _joined_surrogates(codes)

    def lines(self) -> Iterator[Line]:
        characters = self.characters()
        begun = 0
        for index in range(self.count + 1):
            if index == self.count or (characters[index] and characters[index] in _BREAKS):
                hyphen = index < self.count and characters[index] == SOFT_HYPHEN
                line = self._line(characters, begun, index, hyphen)
                if line is not None:
                    yield line
                begun = index + 1

    def _line(self, characters: list[str], start: int, end: int, hyphen: bool) -> Line | None:
        while start < end and not characters[start].strip():
            start += 1
        while end > start and not characters[end - 1].strip():
            end -= 1
        if start == end:
            return None
        text = "".join(characters[start:end]).translate(_EXPAND)
        first, last = self._bold(start), self._bold(end - 1)
        return Line(
            text=text,
            box=self._box(start, end),
            size=self._size(start),
            bold=first and last,
            lead=self._lead(characters, start, end) if first and not last else 0,
            hyphen=hyphen,
        )

    def _lead(self, characters: list[str], start: int, end: int) -> int:
        """Characters before the first word that is not bold."""
        for index in range(start + 1, end):
            if characters[index - 1].isspace() and not characters[index].isspace() and not self._bold(index):
                return len("".join(characters[start:index]).translate(_EXPAND).rstrip())
        return 0

    def _bold(self, index: int) -> bool:
        if pdfium.FPDFText_GetFontWeight(self.text, index) >= 600:
            return True
        name = ctypes.create_string_buffer(128)
        flags = ctypes.c_int()
        pdfium.FPDFText_GetFontInfo(self.text, index, name, 128, flags)
        key = (name.value, flags.value)
        if key not in self._fonts:
            lowered = name.value.lower()
            self._fonts[key] = b"bold" in lowered or b"black" in lowered or bool(flags.value & _FORCE_BOLD)
        return self._fonts[key]

    def _size(self, index: int) -> float:
        rectangle = pdfium.FS_RECTF()
        pdfium.FPDFText_GetLooseCharBox(self.text, index, rectangle)
        left, top, right, bottom = self._upright(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        return round(bottom - top, 1) if right > left else 0.0

    def _box(self, start: int, end: int) -> Box:
        edges = [ctypes.c_double() for _ in range(4)]
        rectangles = []
        for index in range(max(0, pdfium.FPDFText_CountRects(self.text, start, end - start))):
            left, top, right, bottom = edges
            pdfium.FPDFText_GetRect(self.text, index, left, top, right, bottom)
            rectangles.append(self._upright(left.value, bottom.value, right.value, top.value))
        if not rectangles:
            return Box(self.number, 0.0, 0.0, 0.0, 0.0)
        lefts, tops, rights, bottoms = zip(*rectangles, strict=True)
        edges_of_all = (min(lefts), min(tops), max(rights), max(bottoms))
        return Box(self.number, *(round(edge, 1) for edge in edges_of_all))

    def _upright(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
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
        largest = 0.0
        for item in self.page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=3):
            left, bottom, right, top = item.get_bounds()
            largest = max(largest, abs((right - left) * (top - bottom)))
        return float(min(1.0, largest / area))


def _joined_surrogates(codes: list[int]) -> list[str]:
    """Code units to characters; the second half of a pair becomes an empty entry, so that places stay."""
    characters = []
    high = 0
    for code in codes:
        if 0xD800 <= code < 0xDC00:
            high = code
            characters.append("")
        elif 0xDC00 <= code < 0xE000:
            characters.append(chr(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)) if high else "\ufffd")
            high = 0
        else:
            high = 0
            characters.append(chr(code) if 0 < code <= 0x10FFFF else "")
    return characters
