"""ZIP containers and the XML inside them, opened as if each were hostile: bytes are counted as they inflate,
since headers lie; no entity is resolved and nothing is fetched."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import BinaryIO

from lxml import etree

from pincite.adapters.readers.builder import Refused
from pincite.core.documents import OutcomeKind

MOST_MEMBERS = 10_000
MOST_BYTES = 512 << 20
"""Of all that is read from one archive."""
MOST_XML = 128 << 20
"""Of one XML part: its tree takes several times as much."""
_FAULTS: tuple[type[Exception], ...] = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error)
_FAULTS += (EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
"""What the standard library raises on archives that break the rules."""
RATIO = 200
RATIO_FLOOR = 10 << 20
"""Bytes below which the ratio does not matter: a small sheet of equal cells may shrink a thousandfold."""


class Archive:
    """A ZIP file under limits. Use as a context manager. Raises Refused for what is broken or too much."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._read = 0
        try:
            self._zip = zipfile.ZipFile(file)
        except _FAULTS as fault:
            file.close()
            raise Refused(
                OutcomeKind.CORRUPT,
                "The file is damaged: its container cannot be opened.",
                "bad_archive",
                "Open it in its program and save it again, or fetch it anew.",
            ) from fault
        self.names = {info.filename: info for info in self._zip.infolist()}
        if len(self.names) > MOST_MEMBERS:
            self.close()
            raise Refused(OutcomeKind.TOO_BIG, f"The file holds more than {MOST_MEMBERS} parts.", "members")

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def read(self, name: str, most: int = MOST_BYTES) -> bytes:
        """The bytes of a part. Raises Refused where it is missing, damaged, encrypted or swells too far."""
        info = self.names.get(name)
        if info is None:
            raise Refused(OutcomeKind.CORRUPT, f"The part {name} is missing from the file.", "missing_part")
        if info.flag_bits & 1:
            hint = "Save a copy without the password and ingest that."
            raise Refused(OutcomeKind.PASSWORD, "The file asks for a password.", "encrypted", hint)
        return b"".join(self._pieces(info, most))

    def measure(self) -> None:
        """Inflate every part once and keep none: for files that another library opens next. Raises Refused."""
        for info in self.names.values():
            for _ in self._pieces(info, MOST_BYTES):
                pass

    def xml(self, name: str, *, doctype: bool = False) -> etree._Element:
        """The root of an XML part. `doctype` allows a document type declaration, which is never obeyed."""
        return xml_root(self.read(name, MOST_XML), doctype=doctype)

    def _pieces(self, info: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
        count = 0
        try:
            with self._zip.open(info) as part:
                while piece := part.read(1 << 18):
                    count += len(piece)
                    self._read += len(piece)
                    if count > most or self._read > MOST_BYTES:
                        raise Refused(OutcomeKind.TOO_BIG, "The file unpacks to too much.", "inflated_bytes")
                    if count > RATIO_FLOOR and count > RATIO * max(info.compress_size, 1):
                        raise Refused(OutcomeKind.TOO_BIG, "The file unpacks to far more than it is.", "zip_bomb")
                    yield piece
        except _FAULTS as fault:
            raise Refused(
                OutcomeKind.CORRUPT, f"The part {info.filename[:80]} of the file is damaged.", "bad_archive"
            ) from fault


def xml_root(content: bytes, *, doctype: bool = False, recover: bool = False) -> etree._Element:
    """Parse XML without entities, external or internal, and without network. Raises Refused."""
    if not doctype and b"<!DOCTYPE" in content[:65_536]:
        raise Refused(OutcomeKind.CORRUPT, "The file declares entities where none may stand.", "doctype")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover, remove_comments=True
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as fault:
        raise Refused(OutcomeKind.CORRUPT, f"A part of the file is damaged: {str(fault)[:120]}.", "bad_xml") from fault
    if root is None:
        raise Refused(OutcomeKind.CORRUPT, "A part of the file is not XML.", "bad_xml")
    return root


def check_open_document(archive: Archive) -> None:
    """Raises Refused for an OpenDocument file that asks for a password: its parts are then noise."""
    if "META-INF/manifest.xml" in archive and b"encryption-data" in archive.read("META-INF/manifest.xml", MOST_XML):
        hint = "Save a copy without the password and ingest that."
        raise Refused(OutcomeKind.PASSWORD, "The file asks for a password.", "encrypted", hint)


def local(element: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str, default: str = "") -> str:
    """An attribute by its name without namespace: strict and transitional files use different ones."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return default
