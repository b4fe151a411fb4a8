"""PowerPoint: slide by slide, the title first, tables as rows, then the speaker's notes and the comments."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from pincite.adapters.readers.archive import Archive, attribute, local
from pincite.adapters.readers.builder import Builder, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.office import core_properties, relations
from pincite.adapters.readers.tables import add_table
from pincite.core.documents import BlockKind, Reading
from pincite.core.places import Place

_MAIN = "ppt/presentation.xml"
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("dt", "ftr", "sldNum", "hdr")


class PptxReader:
    name = "pptx/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        with Archive(content.open()) as archive:
            builder = Builder(self.name)
            builder.title, properties = core_properties(archive)
            builder.metadata.update(properties)
            slides = _slides(archive)
            for number, part in enumerate(slides, start=1):
                _Slide(builder, archive, part, number).add()
                builder.end_page(number)
                content.step(number, len(slides))
            return builder.finish()


def _slides(archive: Archive) -> list[str]:
    """The parts of the slides in the order of the show."""
    targets = relations(archive, _MAIN)
    listed = [element for element in archive.xml(_MAIN).iter() if local(element) == "sldId"]
    # A slide has two attributes called id; the one with a namespace names the relation.
    keys = [str(value) for element in listed for key, value in element.attrib.items() if str(key).startswith("{")]
    return [targets[key][1] for key in keys if key in targets and targets[key][1] in archive]


class _Slide:
    def __init__(self, builder: Builder, archive: Archive, part: str, number: int) -> None:
        self.builder = builder
        self.archive = archive
        self.part = part
        self.number = number
        self.place = Place("slide", str(number))
        self.tables = 0

    def add(self) -> None:
        root = self.archive.xml(self.part)
        shapes = list(_shapes(root))
        shapes.sort(key=lambda shape: _role(shape) not in _TITLES)
        for shape in shapes:
            self._shape(shape)
        for kind, target in relations(self.archive, self.part).values():
            if target in self.archive and kind in ("notesSlide", "comments"):
                unit = "notes" if kind == "notesSlide" else "comment"
                self._beside(target, unit)

    def _shape(self, shape: etree._Element) -> None:
        if local(shape) == "graphicFrame":
            self._frame(shape)
            return
        role = _role(shape)
        for text in _paragraphs(shape):
            if role in _TITLES:
                self._add(BlockKind.HEADING, " ".join(text.split()), level=1)
            else:
                self._add(BlockKind.FURNITURE if role in _FURNITURE else BlockKind.PARAGRAPH, text)

    def _frame(self, frame: etree._Element) -> None:
        """A table, or a chart or diagram whose words stand in the slide."""
        table = next((element for element in frame.iter() if local(element) == "tbl"), None)
        if table is None:
            for text in _paragraphs(frame):
                self._add(BlockKind.PARAGRAPH, text)
            return
        self.tables += 1
        rows: list[list[str]] = []
        for row in (element for element in table if local(element) == "tr"):
            above = rows[-1] if rows else []
            cells = [element for element in row if local(element) == "tc"]
            rows.append([_cell(cell, above[place] if place < len(above) else "") for place, cell in enumerate(cells)])
        properties = next((element for element in table if local(element) == "tblPr"), None)
        first = properties is not None and attribute(properties, "firstRow") in ("1", "true")
        add_table(
            self.builder,
            rows,
            unit="slide",
            name=str(self.number),
            table=self.tables,
            heads=1 if first else None,
            page=self.number,
        )

    def _beside(self, target: str, unit: str) -> None:
        """Notes or comments, which lie on the slide's page as well."""
        root = self.archive.xml(target)
        shapes = [shape for shape in _shapes(root) if _role(shape) not in (*_FURNITURE, "sldImg")]
        texts = [text for shape in shapes for text in _paragraphs(shape)]
        if unit == "comment":
            texts = [" ".join(filter(None, (e.text for e in root.iter() if local(e) in ("text", "t"))))]
        for text in texts:
            self._add(BlockKind.PARAGRAPH, text, place=Place("slide", str(self.number), field=unit))

    def _add(self, kind: BlockKind, text: str, *, level: int = 0, place: Place | None = None) -> None:
        self.builder.add(kind, text, level=level, page=self.number, place=place or self.place)


def _shapes(root: etree._Element) -> Iterator[etree._Element]:
    """Shapes and frames, those in groups too, in the order of the file."""
    for element in root:
        name = local(element)
        if name in ("sp", "graphicFrame", "cxnSp"):
            yield element
        elif name == "AlternateContent":
            choice = next((child for child in element if local(child) == "Choice"), None)
            fallback = next((child for child in element if local(child) == "Fallback"), None)
            for chosen in (choice, fallback):
                if chosen is not None and any(local(child) == "t" for child in chosen.iter()):
                    yield from _shapes(chosen)
                    break
        else:
            yield from _shapes(element)


def _role(shape: etree._Element) -> str:
    """The kind of placeholder that a shape fills; empty for none."""
    for element in shape:
        if local(element) in ("nvSpPr", "nvGraphicFramePr"):
            for child in element.iter():
                if local(child) == "ph":
                    return attribute(child, "type", "body")
    return ""


def _paragraphs(shape: etree._Element) -> Iterator[str]:
    for element in shape.iter():
        if local(element) == "p":
            text = "".join(_piece(piece) for piece in element.iter())
            if text.strip():
                yield text


def _piece(element: etree._Element) -> str:
    name = local(element)
    if name == "t":
        return element.text or ""
    return {"br": "\n", "tab": "\t"}.get(name, "")


def _cell(cell: etree._Element, above: str) -> str:
    if attribute(cell, "vMerge") in ("1", "true"):
        return above
    return " ".join(_paragraphs(cell))
