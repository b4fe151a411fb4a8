"""Tiny PDFs, written by hand, so that a test knows every byte of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Sheet:
    """One page: lines of (text, size, x, y from the bottom, bold), maybe a picture, maybe rotated."""

    lines: Sequence[tuple[str, float, float, float, bool]] = field(default_factory=tuple)
    picture: bool = False
    rotate: int = 0


def plain(*texts: str, size: float = 11, top: float = 700) -> Sheet:
    """A page of lines under each other."""
    return Sheet([(text, size, 72, top - 16 * place, False) for place, text in enumerate(texts)])


def pdf(sheets: Sequence[Sheet], *, labels: str = "", outline: Sequence[tuple[str, int]] = ()) -> bytes:
    """The bytes of a PDF. `labels` is the inside of /PageLabels /Nums; `outline` titles with page indices."""
    objects: list[bytes] = [b"", b"", b"", b""]
    objects[2] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
    image = b"\xff" * 64
    objects.append(
        b"<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8"
        b" /Length 64 >>\nstream\n" + image + b"\nendstream"
    )
    kids = []
    for sheet in sheets:
        content = "\n".join(_shown(*line) for line in sheet.lines)
        if sheet.picture:
            content += "\nq 500 0 0 700 50 50 cm /Im Do Q"
        data = content.encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n" % len(data) + data + b"\nendstream")
        stream = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate %d /Contents %d 0 R"
            b" /Resources << /Font << /F 3 0 R /B 4 0 R >> /XObject << /Im 5 0 R >> >> >>" % (sheet.rotate, stream)
        )
        kids.append(len(objects))
    extra = b" /PageLabels << /Nums [" + labels.encode() + b"] >>" if labels else b""
    if outline:
        extra += b" /Outlines %d 0 R" % _outline(objects, outline, kids)
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R" + extra + b" >>"
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [" + listed + b"] /Count %d >>" % len(kids)
    return assemble(objects)


def _shown(text: str, size: float, x: float, y: float, bold: bool) -> str:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{'B' if bold else 'F'} {size} Tf {x} {y} Td ({escaped}) Tj ET"


def _outline(objects: list[bytes], entries: Sequence[tuple[str, int]], kids: Sequence[int]) -> int:
    root = len(objects) + 1
    first = root + 1
    last = root + len(entries)
    objects.append(b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>" % (first, last, len(entries)))
    for place, (title, page) in enumerate(entries):
        number = first + place
        links = b" /Prev %d 0 R" % (number - 1) if number > first else b""
        links += b" /Next %d 0 R" % (number + 1) if number < last else b""
        objects.append(
            b"<< /Title (%s) /Parent %d 0 R /Dest [%d 0 R /XYZ 0 700 0]%s >>"
            % (title.encode(), root, kids[page], links)
        )
    return root


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """The body of a stream object."""
    return b"<< /Length %d %s >>\nstream\n" % (len(data), entries) + data + b"\nendstream"


def assemble(objects: Sequence[bytes]) -> bytes:
    """A PDF of the bodies of its objects; the first is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def locked(content: bytes, password: str = "", owner: str = "owner") -> bytes:
    """The same PDF under 40-bit RC4 (PDF 32000-1, 7.6, revision 2). Only strings and streams would need to be
    encrypted; a reader asks for the password before it looks at any."""
    mark = bytes(range(16))
    pad = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
    user_key = (password.encode() + pad)[:32]
    o = _rc4(hashlib.md5((owner.encode() + pad)[:32]).digest()[:5], user_key)
    rights = (-4 & 0xFFFFFFFF).to_bytes(4, "little")
    key = hashlib.md5(user_key + o + rights + mark).digest()[:5]
    u = _rc4(key, pad)
    entry = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >> /ID [<%s> <%s>]" % (
        o.hex().encode(),
        u.hex().encode(),
        mark.hex().encode(),
        mark.hex().encode(),
    )
    parts = re.split(rb"(\d+ 0 obj\n)", content)
    for place in range(1, len(parts), 2):
        number = int(parts[place].split()[0])
        parts[place + 1] = _with_locked_stream(parts[place + 1], key, number)
    return b"".join(parts).replace(b"trailer\n<<", b"trailer\n<< " + entry)


def _with_locked_stream(body: bytes, key: bytes, number: int) -> bytes:
    begin, end = body.find(b"stream\n"), body.rfind(b"\nendstream")
    if begin < 0 or end < begin:
        return body
    own = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
    return body[: begin + 7] + _rc4(own, body[begin + 7 : end]) + body[end:]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def cells(rows: Sequence[Sequence[str]], *, top: float = 700, left: float = 72, width: float = 120) -> Sheet:
    """A page with a table, row after row, each cell a text of its own."""
    lines = []
    for place, row in enumerate(rows):
        lines += [(text, 10, left + width * column, top - 15 * place, False) for column, text in enumerate(row)]
    return Sheet(lines)
