"""A face for fonts that neither the file nor the machine has, so that PDFium keeps their vertical text.

PDFium leaves out a text whose box has no width. Of vertical writing it takes the width from the glyphs, and a font
that is not embedded has none where the machine has no font for Chinese, Japanese or Korean: the text of the page
would depend on the fonts installed. The face lent here is an empty em square for every character: it has a box and
draws nothing, as nothing was drawn before.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from typing import Any

import pypdfium2.raw as pdfium

_EAST_ASIAN = (128, 129, 134, 136)
"""Character sets as PDFium asks for them: Shift-JIS, Hangul, GB 2312, Big5."""
_EM, _TOP, _BOTTOM = 1000, 880, -120
_lent: list[object] = []
"""What PDFium holds on to until the process ends."""


def lend_face() -> None:
    """From now on PDFium finds a face for every East Asian font; once a process, after that without effect."""
    if _lent:
        return
    data = _face()
    buffer = ctypes.create_string_buffer(data, len(data))
    base = pdfium.FPDF_GetDefaultSystemFontInfo()
    if not base:
        return
    info = pdfium.FPDF_SYSFONTINFO()
    info.version = base.contents.version
    kinds = dict(pdfium.FPDF_SYSFONTINFO._fields_)
    for name, answer in _answers(base, buffer).items():
        setattr(info, name, kinds[name](answer))
    _lent.extend((info, buffer, base))
    pdfium.FPDF_SetSystemFontInfo(info)


def _answers(base: Any, buffer: Any) -> Mapping[str, Callable[..., Any]]:
    """What PDFium asks about fonts: the machine answers, and only where it has none the lent face does."""
    system, lent = base.contents, ctypes.addressof(buffer)

    def map_font(_: object, weight: int, italic: int, charset: int, pitch: int, face: object, exact: object) -> Any:
        found = system.MapFont(base, weight, italic, charset, pitch, face, exact)
        return lent if not found and charset in _EAST_ASIAN else found

    def get_data(_: object, font: Any, table: int, into: Any, size: int) -> int:
        if font != lent:
            return int(system.GetFontData(base, font, table, into, size))
        if table:
            return 0
        if into and size >= len(buffer):
            ctypes.memmove(into, buffer, len(buffer))
        return len(buffer)

    return {
        "Release": lambda _: None,
        "EnumFonts": lambda _, mapper: system.EnumFonts(base, mapper),
        "MapFont": map_font,
        "GetFont": lambda _, face: system.GetFont(base, face),
        "GetFontData": get_data,
        "GetFaceName": lambda _, font, into, size: 0 if font == lent else system.GetFaceName(base, font, into, size),
        "GetFontCharset": lambda _, font: 1 if font == lent else system.GetFontCharset(base, font),
        "DeleteFont": lambda _, font: None if font == lent else system.DeleteFont(base, font),
    }


def _face() -> bytes:
    """A TrueType font of one glyph for every character: two corners of the em square and no line between them."""
    corners = struct.pack(">hhhh", 0, _EM, _BOTTOM, _TOP - _BOTTOM)
    glyph = struct.pack(">hhhhhHHHBB", 2, 0, _BOTTOM, _EM, _TOP, 0, 1, 0, 1, 1) + corners
    glyph += bytes(-len(glyph) % 4)
    tables = {
        # Format 13: all characters from the space on have glyph 1.
        b"cmap": struct.pack(">HHHHI", 0, 1, 3, 10, 12) + struct.pack(">HHIIIIII", 13, 0, 28, 0, 1, 32, 0x10FFFF, 1),
        b"glyf": glyph,
        b"head": struct.pack(
            ">4I2H16x4h2H3h", 1 << 16, 1 << 16, 0, 0x5F0F3CF5, 0, _EM, 0, _BOTTOM, _EM, _TOP, 0, 8, 2, 1, 0
        ),
        b"hhea": struct.pack(">I3hH11hH", 1 << 16, _TOP, _BOTTOM, 0, _EM, 0, 0, _EM, 1, 0, 0, 0, 0, 0, 0, 0, 2),
        b"hmtx": struct.pack(">4H", _EM, 0, _EM, 0),
        b"loca": struct.pack(">3I", 0, 0, len(glyph)),
        b"maxp": struct.pack(">I14H", 1 << 16, 2, 2, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"post": struct.pack(">I28x", 3 << 16),
    }
    return _font(tables)


def _font(tables: Mapping[bytes, bytes]) -> bytes:
    directory = struct.pack(">IHHHH", 1 << 16, len(tables), 128, 3, 16 * len(tables) - 128)
    place, body = len(directory) + 16 * len(tables), b""
    for tag, data in sorted(tables.items()):
        directory += tag + struct.pack(">III", 0, place + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return directory + body
