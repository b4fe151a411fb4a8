"""OpenDocument texts and presentations: paragraphs counted, outline levels, lists, tables, notes, text boxes."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from pincite.adapters.readers.archive import Archive, attribute, check_open_document, local
from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.office import core_properties
from pincite.adapters.readers.tables import add_table
from pincite.core.documents import BlockKind, OutcomeKind, Reading
from pincite.core.places import Place

_SKIPPED = frozenset({"tracked-changes", "forms", "sequence-decls", "variable-decls", "user-field-decls", "bookmark"})
_NOT_WORDS = frozenset({"note-citation", "desc", "title", "ruby-text", "annotation"}) | _SKIPPED
_MOST_REPEATED = 256


class OdtReader:
    name = "odt/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        with Archive(content.open()) as archive:
            check_open_document(archive)
            builder = Builder(self.name)
            builder.title, properties = core_properties(archive)
            builder.metadata.update(properties)
            walk = _Walk(builder)
            for body in archive.xml("content.xml", doctype=True):
                if local(body) == "body":
                    for kind in body:
                        walk.parts(kind)
            if "styles.xml" in archive:
                walk.running(archive.xml("styles.xml", doctype=True))
            return builder.finish()


class _Walk:
    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.paragraph = self.table = self.slide = 0
        self.notes: list[tuple[str, etree._Element]] = []
        self.boxed: list[etree._Element] = []

    def parts(self, body: etree._Element) -> None:
        """The body of a text, or the slides of a presentation one by one."""
        if local(body) != "presentation":
            self.blocks(body, "")
            self._add_notes()
            return
        for page in body:
            if local(page) == "page":
                self.slide += 1
                self.blocks(page, "")
                self.builder.end_page(self.slide)

    def blocks(self, parent: etree._Element, marker: str, depth: int = 0) -> None:
        if depth > 200:
            raise Refused(OutcomeKind.CORRUPT, "The file nests too deeply.", "too_deep")
        for element in parent:
            name = local(element)
            if name in ("p", "h"):
                self._paragraph(element, marker)
                marker = ""
            elif name == "table":
                self._table(element)
            elif name == "list":
                for item in element:
                    if local(item) in ("list-item", "list-header"):
                        self.blocks(item, "- ", depth + 1)
            elif name and name not in _SKIPPED:
                self.blocks(element, marker, depth + 1)

    def _place(self) -> Place:
        if self.slide:
            return Place("slide", str(self.slide))
        return Place(paragraphs=(self.paragraph, self.paragraph))

    def _paragraph(self, element: etree._Element, marker: str) -> None:
        self.paragraph += 1
        text = self._text(element)
        page = self.slide or None
        if local(element) == "h":
            level = attribute(element, "outline-level", "1")
            depth = min(int(level), 9) if level.isdigit() else 1
            self.builder.add(BlockKind.HEADING, " ".join(text.split()), level=depth, place=self._place(), page=page)
        elif text.strip():
            kind = BlockKind.LIST_ITEM if marker else BlockKind.PARAGRAPH
            self.builder.add(kind, marker + text, place=self._place(), page=page)
        boxed, self.boxed = self.boxed, []
        for box in boxed:
            self.blocks(box, "")

    def _table(self, element: etree._Element) -> None:
        self.table += 1
        rows: list[list[str]] = []
        heads = 0
        for row in _rows(element):
            line: list[str] = []
            for cell in row:
                if local(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                text = " ".join(" ".join(self._text(p).split()) for p in _paragraphs(cell)).strip()
                line += [text] * min(_repeated(cell, "columns"), _MOST_REPEATED - len(line))
            parent = row.getparent()
            if parent is not None and local(parent) == "table-header-rows":
                heads = len(rows) + 1
            rows.append(line)
        unit, name = ("slide", str(self.slide)) if self.slide else ("", "")
        add_table(
            self.builder, rows, unit=unit, name=name, table=self.table, heads=heads or None, page=self.slide or None
        )

    def _add_notes(self) -> None:
        for number, body in self.notes:
            text = "\n".join(self._text(paragraph) for paragraph in _paragraphs(body))
            self.builder.add(BlockKind.PARAGRAPH, text, place=Place("note", number))

    def running(self, styles: etree._Element) -> None:
        """Headers and footers of the page styles: in the text, not in the index, each wording once."""
        seen: set[str] = set()
        for element in styles.iter():
            if local(element) in ("header", "footer", "header-left", "footer-left") and not self.slide:
                text = "\n".join(self._text(p) for p in _paragraphs(element)).strip()
                if text and text not in seen:
                    seen.add(text)
                    self.builder.add(BlockKind.FURNITURE, text, place=Place(local(element)[:6]))

    def _text(self, paragraph: etree._Element) -> str:
        return (paragraph.text or "") + "".join(self._pieces(paragraph))

    def _pieces(self, parent: etree._Element) -> Iterator[str]:
        """The words inside a paragraph; what stands in notes and boxes is put by."""
        for element in parent:
            name = local(element)
            if name == "s":
                count = attribute(element, "c", "1")
                yield " " * min(int(count) if count.isdigit() else 1, 1_000)
            elif name in ("tab", "line-break"):
                yield "\t" if name == "tab" else "\n"
            elif name == "note":
                self._put_by(element)
            elif name == "text-box":
                self.boxed.append(element)
            elif name and name not in _NOT_WORDS:
                yield element.text or ""
                yield from self._pieces(element)
            yield element.tail or ""

    def _put_by(self, note: etree._Element) -> None:
        number = ""
        for part in note:
            if local(part) == "note-citation":
                number = "".join(part.itertext()).strip()
            elif local(part) == "note-body":
                self.notes.append((number, part))


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """The rows of a table, those in groups too, none of a table inside a cell."""
    for element in table:
        if local(element) == "table-row":
            yield element
        elif local(element) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(element)


def _paragraphs(parent: etree._Element) -> Iterator[etree._Element]:
    for element in parent:
        if local(element) in ("p", "h"):
            yield element
        elif local(element):
            yield from _paragraphs(element)


def _repeated(cell: etree._Element, what: str) -> int:
    count = attribute(cell, f"number-{what}-repeated", "1")
    return max(1, int(count)) if count.isdigit() else 1
