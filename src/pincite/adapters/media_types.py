"""What kind of file bytes are: by the bytes, and by the name only between kinds of text."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from pathlib import PurePath
from typing import BinaryIO

_HEAD = 8192
UNKNOWN = "application/octet-stream"
ENCRYPTED_OFFICE = "application/x-encrypted-office"

_MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x1f\x8b", "application/gzip"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
_OFFICE = "application/vnd.openxmlformats-officedocument."
_ZIP_PARTS = (
    ("word/", _OFFICE + "wordprocessingml.document"),
    ("xl/", _OFFICE + "spreadsheetml.sheet"),
    ("ppt/", _OFFICE + "presentationml.presentation"),
)
_ZIP_SUFFIXES = {
    ".docx": _OFFICE + "wordprocessingml.document",
    ".xlsx": _OFFICE + "spreadsheetml.sheet",
    ".pptx": _OFFICE + "presentationml.presentation",
    ".odt": _OPEN_DOCUMENT + "text",
    ".ods": _OPEN_DOCUMENT + "spreadsheet",
    ".odp": _OPEN_DOCUMENT + "presentation",
    ".epub": "application/epub+zip",
}
"""For containers too damaged to look into: their reader says what is wrong."""
_MOST_DIRECTORY = 16 << 20
"""Bytes of a ZIP directory that are looked at outside of the sandbox; the directory of an office file has some
kilobytes."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("EncryptedPackage", ENCRYPTED_OFFICE),
    ("WordDocument", "application/msword"),
    ("Workbook", "application/vnd.ms-excel"),
    ("Book", "application/vnd.ms-excel"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
    ("__properties_version1.0", "application/vnd.ms-outlook"),
)
_TEXT_SUFFIXES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdown": "text/markdown",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".tab": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".ndjson": "application/x-ndjson",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".eml": "message/rfc822",
    ".mht": "message/rfc822",
    ".mhtml": "message/rfc822",
    ".mbox": "application/mbox",
}
_PLAIN_SUFFIXES = frozenset({"", ".txt", ".text", ".log", ".rst", ".adoc"})
_MAIL_HEADER = re.compile(
    rb"^(?:received|return-path|delivered-to|message-id|mime-version|from|to|cc|date|subject|x-[\w-]+"
    rb"|content-type|reply-to|dkim-signature|arc-[\w-]+):",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL_BEGINS = re.compile(rb"(?:>?From [^\n]*\n)?[A-Za-z][A-Za-z0-9-]*:[^\n]*\n")
_JSON_BEGINS = re.compile(rb"\s*(?:\{\s*(?:\"|\})|\[\s*[\[{\"])")


def sniff(file: BinaryIO, name: str) -> str:
    """The media type of an open file. Reads little of it, and bounded. Raises OSError."""
    head = file.read(_HEAD)
    for magic, media_type in _MAGIC:
        if head.startswith(magic):
            return media_type
    if b"%PDF-" in head[:1024]:
        return "application/pdf"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith(b"BM") and head[6:10] == b"\x00\x00\x00\x00":
        return "image/bmp"
    if head.startswith(b"PK\x03\x04"):
        return _zip_type(file, PurePath(name).suffix.lower())
    if head.startswith(_OLE):
        return _ole_type(file)
    return _text_type(PurePath(name).suffix.lower(), head)


def _zip_type(file: BinaryIO, suffix: str) -> str:
    if _directory_size(file) > _MOST_DIRECTORY:
        return "application/zip"
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                declared = archive.read("mimetype").decode("ascii", "replace").strip()
                if declared.startswith(_OPEN_DOCUMENT) or declared == "application/epub+zip":
                    return declared
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error):
        return _ZIP_SUFFIXES.get(suffix, "application/zip")
    for prefix, media_type in _ZIP_PARTS:
        if any(name.startswith(prefix) for name in names):
            return media_type
    return "application/epub+zip" if "META-INF/container.xml" in names else "application/zip"


def _directory_size(file: BinaryIO) -> int:
    """Bytes of the archive's directory, from the record at its end; 0 when there is none."""
    end = file.seek(0, 2)
    file.seek(max(0, end - 66_000))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    file.seek(0)
    return int(struct.unpack("<I", tail[at + 12 : at + 16])[0]) if 0 <= at <= len(tail) - 22 else 0


def _ole_type(file: BinaryIO) -> str:
    """By the names of the streams, which stand in the directory as UTF-16."""
    file.seek(0)
    found: set[str] = set()
    before = b""
    for _ in range(64):
        part = file.read(1 << 20)
        if not part:
            break
        window = before + part
        found.update(name for name, _ in _OLE_STREAMS if name.encode("utf-16-le") in window)
        before = part[-80:]
    return next((kind for name, kind in _OLE_STREAMS if name in found), "application/x-ole-storage")


def _text_type(suffix: str, head: bytes) -> str:
    """For what may be text: the name if it tells, else the beginning."""
    if suffix in _TEXT_SUFFIXES:
        return _TEXT_SUFFIXES[suffix]
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff"))
    if b"\x00" in head and not wide:
        # UTF-16 without a mark, or text with a stray zero; what is no text at all its reader refuses.
        return "text/plain" if suffix in _PLAIN_SUFFIXES - {""} else UNKNOWN
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1024].lower()
    if start.startswith((b"<!doctype html", b"<html")) or (start.startswith(b"<?xml") and b"<html" in start):
        return "text/html"
    if start.startswith(b"<?xml"):
        return "application/xml"
    if head.startswith(b"From ") and b"\nFrom: " in head:
        return "application/mbox"
    if suffix in _PLAIN_SUFFIXES - {""}:
        return "text/plain"
    if _MAIL_BEGINS.match(head) and len(_MAIL_HEADER.findall(head)) >= 3:
        return "message/rfc822"
    if _JSON_BEGINS.match(head):
        return "application/json"
    return "text/plain" if not suffix or _looks_textual(head) else UNKNOWN


def _looks_textual(head: bytes) -> bool:
    """Few control characters: text in some encoding, whatever it is called."""
    controls = sum(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in head)
    return controls * 100 <= len(head)
