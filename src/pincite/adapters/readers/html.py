"""HTML pages: the words, the headings, and what the page says of itself."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from pincite.adapters.readers.builder import Builder
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import Decoded, decode
from pincite.adapters.readers.html_walk import add_html, meta_finder
from pincite.core.documents import BlockKind, Reading

_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)


class HtmlReader:
    name = "html/2"

    def read(self, content: Content) -> Reading:
        builder = Builder(self.name)
        decoded = decoded_page(content.read())
        builder.metadata.update(decoded.metadata)
        tree = LexborHTMLParser(decoded.text)
        title = tree.css_first("title")
        builder.title = title.text() if title is not None else ""
        _add_metadata(builder, tree)
        if builder.title.strip() and tree.body is not None and tree.body.text().strip():
            # The title is part of what people see of a page, so it can be found and quoted; where the page
            # has a first heading of its own, that leads.
            kind = BlockKind.FURNITURE if tree.css_first("h1") is not None else BlockKind.HEADING
            builder.add(kind, " ".join(builder.title.split()), level=1 if kind is BlockKind.HEADING else 0)
        add_html(builder, tree)
        return builder.finish()


def decoded_page(raw: bytes) -> Decoded:
    """A page as text, by what it declares of its encoding where that fits."""
    declared = _DECLARED.search(raw[:4096])
    return decode(raw, declared[1].decode("ascii", "replace") if declared else "")


def _add_metadata(builder: Builder, tree: LexborHTMLParser) -> None:
    find = meta_finder(tree)
    link = tree.css_first("link[rel=canonical]")
    canonical = (link.attributes.get("href") or "").strip() if link is not None else ""
    root = tree.css_first("html")
    said = {
        "url": canonical or find("og:url"),
        "author": find("author article:author dc.creator"),
        "date": find("article:published_time date dc.date dcterms.date"),
        "modified": find("article:modified_time last-modified dcterms.modified"),
        "language": (root.attributes.get("lang") or "") if root is not None else "",
    }
    builder.metadata.update({key: value for key, value in said.items() if value})
