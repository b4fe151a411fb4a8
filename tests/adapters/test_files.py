"""Files: which there are, what they are by content, what becomes of those that cannot be opened."""

from __future__ import annotations

import os
import unicodedata
import zipfile
from pathlib import Path

import pytest

from pincite.adapters.files import discover, source_of, uri_of
from pincite.adapters.media_types import sniff
from pincite.core.documents import Outcome, Source
from pincite.core.errors import UsageError


def names(*paths: Path) -> list[str]:
    return [path.name for path in discover(paths)]


def test_folders_are_read_in_order_without_what_is_hidden(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", "sub/c.md", ".git/config", ".hidden.md", "node_modules/x.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert names(tmp_path) == ["a.md", "b.md", "c.md"]
    assert names(tmp_path / ".hidden.md") == [".hidden.md"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert names(tmp_path, tmp_path / "a.md") == ["a.md"]


def test_links_stay_under_the_folder_and_loops_end(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("x")
    (inside / "a.md").write_text("x")
    (inside / "leak.md").symlink_to(outside / "secret.md")
    (inside / "leak").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    assert names(inside) == ["a.md"]


def test_a_path_that_is_not_there_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file or folder"):
        list(discover([tmp_path / "nothing.pdf"]))


def test_what_cannot_be_opened_is_an_outcome(tmp_path: Path) -> None:
    broken = tmp_path / "broken.md"
    broken.symlink_to(tmp_path / "gone.md")
    result = source_of(broken)
    assert isinstance(result, Outcome)
    assert result.code == "unreadable"
    assert names(tmp_path) == ["broken.md"]
    assert isinstance(source_of(tmp_path), Outcome)


def test_the_identity_is_composed_and_has_forward_slashes(tmp_path: Path) -> None:
    path = tmp_path / unicodedata.normalize("NFD", "é.md")
    path.write_text("x")
    source = source_of(path)
    assert isinstance(source, Source)
    assert source.uri.endswith("/" + unicodedata.normalize("NFC", "é.md"))
    assert uri_of(path) == source.uri


def test_a_name_that_is_not_utf8_can_be_stored(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
    with open(raw, "w") as file:  # noqa: PTH123 - the name is bytes on purpose
        file.write("x")
    source = source_of(Path(os.fsdecode(raw)))
    assert isinstance(source, Source)
    source.uri.encode("utf-8")


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OFFICE = "application/vnd.openxmlformats-officedocument."


def kind_of(path: Path) -> str:
    with path.open("rb") as file:
        return sniff(file, path.name)


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("a.txt", b"%PDF-1.7 whatever", "application/pdf"),
        ("a.bin", b"\n\n%PDF-1.4", "application/pdf"),
        ("a.md", b"# Title", "text/markdown"),
        ("a", b"plain words", "text/plain"),
        ("a.txt", b"<!DOCTYPE html><p>x", "text/html"),
        ("a.htm", b"<p>x", "text/html"),
        ("a.dat", bytes(range(256)), "application/octet-stream"),
        ("a.txt", "wide".encode("utf-16"), "text/plain"),
        ("a.csv", b"a,b\n1,2", "text/csv"),
        ("a.xml", b"<?xml version='1.0'?><a/>", "application/xml"),
        ("a.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("a.rtf", b"{\\rtf1 x}", "application/rtf"),
        ("a.zip", b"PK\x03\x04 broken", "application/zip"),
        ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "application/x-encrypted-office"),
    ],
)
def test_the_type_is_told_by_content(tmp_path: Path, name: str, content: bytes, media_type: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert kind_of(path) == media_type


@pytest.mark.parametrize(
    ("member", "media_type"),
    [
        ("word/document.xml", OFFICE + "wordprocessingml.document"),
        ("xl/workbook.xml", OFFICE + "spreadsheetml.sheet"),
        ("ppt/presentation.xml", OFFICE + "presentationml.presentation"),
        ("other.txt", "application/zip"),
    ],
)
def test_office_files_are_told_by_their_parts(tmp_path: Path, member: str, media_type: str) -> None:
    path = tmp_path / "file.anything"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "x")
    assert kind_of(path) == media_type
