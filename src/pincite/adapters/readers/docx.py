"""Word documents: the body as Word shows it, paragraph by paragraph, tables as rows, notes and comments after it.

The walk is our own: it goes into text boxes and content controls, takes what was inserted and leaves what was
deleted, and counts the paragraphs of the body as Word does.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from pincite.adapters.readers.archive import Archive, attribute, local
from pincite.adapters.readers.builder import Builder, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.docx_styles import Numbering, Styles
from pincite.adapters.readers.office import core_properties
from pincite.adapters.readers.tables import add_table
from pincite.core.documents import BlockKind, Reading
from pincite.core.places import Place

_SKIPPED = frozenset({"del", "moveFrom", "instrText", "delText", "Fallback", "pPr", "rPr", "fldData"})
_CONTAINERS = frozenset({"sdt", "sdtContent", "smartTag", "customXml", "ins", "moveTo", "AlternateContent", "Choice"})
_MOST_COLUMNS = 256
_NOTES = (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment"))


class DocxReader:
    name = "docx/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        with Archive(content.open()) as archive:
            builder = Builder(self.name)
            builder.title, properties = core_properties(archive)
            builder.metadata.update(properties)
            main = _main_part(archive)
            folder = main.rpartition("/")[0]
            walk = _Walk(builder, Styles(archive, folder), Numbering(archive, folder))
            root = archive.xml(main)
            walk.running(archive, folder, "header")
            for body in root:
                if local(body) == "body":
                    walk.blocks(body)
            for part, unit in _NOTES:
                walk.notes(archive, f"{folder}/{part}.xml", unit)
            walk.running(archive, folder, "footer")
            return builder.finish()


def _main_part(archive: Archive) -> str:
    """The main document, wherever the package says it is."""
    for name in ("word/document.xml", "word/document2.xml"):
        if name in archive:
            return name
    for relation in archive.xml("_rels/.rels"):
        if attribute(relation, "Type").endswith("/officeDocument"):
            return attribute(relation, "Target").lstrip("/")
    return "word/document.xml"


class _Walk:
    """Over the body in order, handing blocks to the builder."""

    def __init__(self, builder: Builder, styles: Styles, numbering: Numbering) -> None:
        self.builder = builder
        self.styles = styles
        self.numbering = numbering
        self.paragraph = self.table = 0
        self.boxed: list[etree._Element] = []

    def blocks(self, parent: etree._Element) -> None:
        for element in parent:
            name = local(element)
            if name == "p":
                self.paragraph += 1
                self._paragraph(element, Place(paragraphs=(self.paragraph, self.paragraph)))
            elif name == "tbl":
                self._table(element)
            elif name in _CONTAINERS:
                self.blocks(element)

    def _paragraph(self, element: etree._Element, place: Place) -> None:
        """One paragraph, then what stands in its text boxes."""
        text, lead = self._text(element)
        level = self.styles.level(element)
        label = self.numbering.label(element, self.styles.numbering_of(element))
        if text.strip() and label:
            text, lead = f"{label} {text}", lead + len(label) + 1 if lead else 0
        if level:
            self.builder.add(BlockKind.HEADING, " ".join(text.split()), level=level, place=place)
        else:
            kind = BlockKind.LIST_ITEM if label else BlockKind.PARAGRAPH
            lead = 0 if lead >= len(text.rstrip()) else lead
            self.builder.add(kind, text, lead=lead, place=place)
        boxed, self.boxed = self.boxed, []
        for box in boxed:
            for inner in _paragraphs(box):
                self._paragraph(inner, place)

    def _table(self, element: etree._Element) -> None:
        self.table += 1
        rows: list[list[str]] = []
        heads = 0
        for row in element.iter(f"{{{etree.QName(element).namespace}}}tr"):
            if _owner(row, "tbl") is not element:
                continue
            marked = any(local(mark) == "tblHeader" for properties in row[:1] for mark in properties)
            heads = len(rows) + 1 if marked and heads == len(rows) else heads
            rows.append(self._row(row, rows[-1] if rows else []))
        add_table(self.builder, rows, table=self.table, heads=heads or None)
        boxed, self.boxed = self.boxed, []
        for box in boxed:
            for inner in _paragraphs(box):
                self._paragraph(inner, Place(table=self.table))

    def _row(self, row: etree._Element, above: list[str]) -> list[str]:
        """The cells of a row. One that is merged with the cell above says what that says."""
        cells: list[str] = []
        for cell in _cells(row):
            properties = next((child for child in cell if local(child) == "tcPr"), None)
            span, merged = 1, False
            for child in properties if properties is not None else ():
                if local(child) == "gridSpan":
                    span = _number(attribute(child, "val"), 1)
                elif local(child) == "vMerge":
                    merged = attribute(child, "val", "continue") == "continue"
            text = above[len(cells)] if merged and len(cells) < len(above) else self._cell(cell)
            cells += [text, *[""] * (min(span, _MOST_COLUMNS) - 1)]
        return cells[:_MOST_COLUMNS]

    def _cell(self, cell: etree._Element) -> str:
        """Everything in a cell, tables inside it too."""
        return " ".join(" ".join(self._text(p)[0].split()) for p in _paragraphs(cell)).strip()

    def notes(self, archive: Archive, name: str, unit: str) -> None:
        """Footnotes, endnotes or comments, under the number that the text refers to."""
        if name not in archive:
            return
        for note in archive.xml(name):
            if attribute(note, "type") in ("separator", "continuationSeparator", "continuationNotice"):
                continue
            text = "\n".join(self._text(paragraph)[0] for paragraph in _paragraphs(note))
            self.builder.add(BlockKind.PARAGRAPH, text, place=Place(unit, attribute(note, "id")))

    def running(self, archive: Archive, folder: str, kind: str) -> None:
        """Headers or footers: kept in the text, each wording once, kept out of the index."""
        seen: set[str] = set()
        for name in sorted(archive.names):
            if name.startswith(f"{folder}/{kind}") and name.endswith(".xml"):
                text = "\n".join(self._text(p)[0] for p in _paragraphs(archive.xml(name))).strip()
                if text not in seen:
                    seen.add(text)
                    self.builder.add(BlockKind.FURNITURE, text, place=Place(kind))
        self.boxed = []

    def _text(self, paragraph: etree._Element) -> tuple[str, int]:
        """The text of a paragraph and how much of its beginning is bold."""
        parts: list[str] = []
        lead, leading = 0, True
        for element in self._pieces(paragraph):
            piece = _piece(element)
            if piece.strip() and leading:
                leading = self.styles.bold(element.getparent())
            parts.append(piece)
            if leading:
                lead = sum(map(len, parts))
        return "".join(parts), lead

    def _pieces(self, parent: etree._Element) -> Iterator[etree._Element]:
        """The text-bearing elements in order. What stands in a box is put by for after the paragraph."""
        for element in parent:
            name = local(element)
            if name == "txbxContent":
                self.boxed.append(element)
            elif name == "AlternateContent":
                choice = next((child for child in element if local(child) == "Choice"), None)
                fallback = next((child for child in element if local(child) == "Fallback"), None)
                chosen = choice if choice is not None and _has_text(choice) else fallback
                if chosen is not None:
                    yield from self._pieces(chosen)
            elif name in ("t", "tab", "br", "cr", "noBreakHyphen", "sym"):
                yield element
            elif name not in _SKIPPED:
                yield from self._pieces(element)


def _piece(element: etree._Element) -> str:
    name = local(element)
    if name == "t":
        return element.text or ""
    if name == "sym":
        code = _number(attribute(element, "char"), 0, base=16)
        return chr(code) if 0x20 <= code < 0xE000 else ""
    return {"tab": "\t", "noBreakHyphen": "-"}.get(name, "\n")


def _has_text(element: etree._Element) -> bool:
    return any(local(child) in ("t", "txbxContent") for child in element.iter())


def _paragraphs(parent: etree._Element) -> Iterator[etree._Element]:
    """Paragraphs at any depth, in order, but none inside another: those are reached from the outer one."""
    for element in parent:
        if local(element) == "p":
            yield element
        elif local(element) not in _SKIPPED:
            yield from _paragraphs(element)


def _cells(row: etree._Element) -> Iterator[etree._Element]:
    for element in row:
        if local(element) == "tc":
            yield element
        elif local(element) in _CONTAINERS:
            yield from _cells(element)


def _owner(element: etree._Element, name: str) -> etree._Element | None:
    parent = element.getparent()
    while parent is not None and local(parent) != name:
        parent = parent.getparent()
    return parent


def _number(text: str, default: int, base: int = 10) -> int:
    try:
        return int(text, base)
    except ValueError:
        return default
