"""E-books: the chapters in reading order, each with the part of the book that it stands in."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from pincite.adapters.readers.archive import Archive, attribute, local
from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.html import decoded_page
from pincite.adapters.readers.html_walk import add_html
from pincite.core.documents import BlockKind, Outcome, OutcomeKind, Reading
from pincite.core.places import Place

_CONTAINER = "META-INF/container.xml"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways to scramble embedded fonts, which keep nobody from the text."""


class EpubReader:
    name = "epub/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        with Archive(content.open()) as archive:
            _refuse_locked(archive)
            builder = Builder(self.name)
            package = _package(archive)
            root = archive.xml(package, doctype=True)
            _add_metadata(builder, root)
            parts = _spine(root, package.rpartition("/")[0])
            missing = []
            for number, part in enumerate(parts, start=1):
                if part not in archive:
                    missing.append(part)
                    continue
                tree = LexborHTMLParser(decoded_page(archive.read(part)).text)
                title = tree.css_first("title")
                if title is not None:
                    builder.add(BlockKind.FURNITURE, " ".join(title.text().split()), place=Place("chapter", part))
                add_html(builder, tree, Place("chapter", part))
                content.step(number, len(parts))
            return builder.finish(_partial(missing) if missing and len(missing) < len(parts) else None)


def _refuse_locked(archive: Archive) -> None:
    """Books whose chapters are encrypted, as digital rights management does."""
    if "META-INF/encryption.xml" not in archive:
        return
    for method in archive.xml("META-INF/encryption.xml", doctype=True).iter():
        known = attribute(method, "Algorithm")
        if local(method) == "EncryptionMethod" and known and known not in _FONTS:
            hint = "Get a copy without copy protection."
            raise Refused(OutcomeKind.PASSWORD, "The book is copy-protected.", "drm", hint)


def _package(archive: Archive) -> str:
    """The package document, which lists everything else."""
    if _CONTAINER in archive:
        for element in archive.xml(_CONTAINER, doctype=True).iter():
            if local(element) == "rootfile" and attribute(element, "full-path") in archive:
                return attribute(element, "full-path")
    found = next((name for name in archive.names if name.endswith(".opf")), None)
    if found is None:
        raise Refused(OutcomeKind.CORRUPT, "The book does not list its chapters.", "no_package")
    return found


def _add_metadata(builder: Builder, root: etree._Element) -> None:
    words = {"creator": "author", "date": "date", "language": "language", "publisher": "publisher"}
    for element in root.iter():
        name, text = local(element), (element.text or "").strip()
        if name == "title" and text and not builder.title:
            builder.title = text
        elif name in words and text and words[name] not in builder.metadata:
            builder.metadata[words[name]] = text


def _spine(root: etree._Element, folder: str) -> list[str]:
    """The parts in reading order; all pages of the manifest where no order is told."""
    pages: dict[str, str] = {}
    order: list[str] = []
    for element in root.iter():
        if local(element) == "item" and attribute(element, "media-type") in _PAGES:
            path = posixpath.normpath(posixpath.join(folder, unquote(attribute(element, "href"))))
            pages[attribute(element, "id")] = path
        elif local(element) == "itemref":
            order.append(attribute(element, "idref"))
    listed = [pages[key] for key in dict.fromkeys(order) if key in pages]
    return listed or list(pages.values())


def _partial(missing: list[str]) -> Outcome:
    named = ", ".join(missing)[:200]
    return Outcome(OutcomeKind.PARTIAL, "missing_parts", f"{len(missing)} chapters are missing: {named}.")
