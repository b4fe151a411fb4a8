"""Files on disk: which there are, what they are by content, and the fingerprint of their bytes."""

from __future__ import annotations

import hashlib
import os
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.core.documents import Outcome, OutcomeKind, Source
from pincite.core.errors import UsageError

_HEAD = 8192
_SKIPPED = frozenset({"__pycache__", "node_modules", "lost+found"})
UNKNOWN = "application/octet-stream"

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
ENCRYPTED_OFFICE = "application/x-encrypted-office"
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
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".ndjson": "application/x-ndjson",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".eml": "message/rfc822",
    ".mbox": "application/mbox",
}


def discover(paths: Sequence[str | Path]) -> Iterator[Path]:
    """The files under these paths, each once, in sorted order within a folder.

    Hidden files and folders are passed over unless named outright. Symbolic links are followed only to places
    under the folder that was given. Raises UsageError for a path that does not exist.
    """
    seen: set[Path] = set()
    for given in paths:
        root = Path(given).expanduser()
        if not os.path.lexists(root):
            raise UsageError(f"There is no file or folder {root}.", "Check the spelling.")
        found = _walk(root, root.resolve(), set()) if root.is_dir() else iter([root])
        for path in found:
            resolved = path.resolve()
            if resolved not in seen:
                seen.add(resolved)
                yield path


def _walk(folder: Path, root: Path, entered: set[Path]) -> Iterator[Path]:
    resolved = folder.resolve()
    if resolved in entered:
        return
    entered.add(resolved)
    try:
        names = sorted(folder.iterdir())
    except OSError:
        yield folder
        return
    for path in names:
        if path.name.startswith(".") or path.name in _SKIPPED:
            continue
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            continue
        if path.is_dir():
            yield from _walk(path, root, entered)
        elif path.is_file() or not path.exists():
            yield path


def source_of(path: Path) -> Source | Outcome:
    """What a file is, by its bytes; or why it cannot be opened."""
    try:
        digest, size = _fingerprint(path)
        media_type = sniff(path)
    except OSError as fault:
        why = fault.strerror or type(fault).__name__
        return Outcome(OutcomeKind.FAILED, "unreadable", f"The file cannot be opened: {why}.", "Check its permissions.")
    return Source(
        uri=uri_of(path), name=_clean(path.name), media_type=media_type, sha256=digest, size=size, path=str(path)
    )


def uri_of(path: Path) -> str:
    """The identity of a file in a store: its absolute path, forward slashes, composed characters."""
    return _clean(unicodedata.normalize("NFC", path.resolve().as_posix()))


def _clean(name: str) -> str:
    """A name that can be stored as UTF-8, whatever bytes the file system holds."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _fingerprint(path: Path) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
            size += len(part)
    return digest.hexdigest(), size


def sniff(path: Path) -> str:
    """The media type by content; the name decides only between kinds of text. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    for magic, media_type in _MAGIC:
        if head.startswith(magic):
            return media_type
    if b"%PDF-" in head[:1024]:
        return "application/pdf"
    if head.startswith(b"PK\x03\x04"):
        return _zip_type(path)
    if head.startswith(_OLE):
        return _ole_type(path)
    return _text_type(path, head)


def _zip_type(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                declared = archive.read("mimetype").decode("ascii", "replace").strip()
                if declared.startswith(_OPEN_DOCUMENT) or declared == "application/epub+zip":
                    return declared
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return "application/zip"
    for prefix, media_type in _ZIP_PARTS:
        if any(name.startswith(prefix) for name in names):
            return media_type
    return "application/zip"


def _ole_type(path: Path) -> str:
    """By the names of the streams, which stand in the directory as UTF-16."""
    with path.open("rb") as file:
        content = file.read(64 << 20)
    for name, media_type in _OLE_STREAMS:
        if name.encode("utf-16-le") in content:
            return media_type
    return "application/x-ole-storage"


def _text_type(path: Path, head: bytes) -> str:
    """For what may be text: the name if it tells, else the beginning."""
    suffix = path.suffix.lower()
    if suffix in _TEXT_SUFFIXES:
        return _TEXT_SUFFIXES[suffix]
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff"))
    if b"\x00" in head and not wide:
        return UNKNOWN
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:256].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "text/html"
    if start.startswith(b"<?xml"):
        return "application/xml"
    if head.startswith(b"From ") and b"\nFrom: " in head:
        return "application/mbox"
    return "text/plain" if suffix in ("", ".txt", ".text", ".log", ".rst", ".adoc") or _looks_textual(head) else UNKNOWN


def _looks_textual(head: bytes) -> bool:
    """Few control characters: text in some encoding, whatever it is called."""
    controls = sum(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in head)
    return controls * 100 <= len(head)
