"""Word's styles and list numbering: which paragraphs are headings, and the labels that Word counts itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from pincite.adapters.readers.archive import Archive, attribute, local

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|заголовок|标题|見出し|標題|제목)\s*([1-9])$",
    re.IGNORECASE,
)
_DEEPEST = 20
_ROMAN = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10, "ix": 9}
_ROMAN |= {"v": 5, "iv": 4, "i": 1}
Numbered = tuple[str, int]
"""The list that a paragraph is in, and its depth there from 0."""


@dataclass
class _Style:
    name: str = ""
    based_on: str = ""
    outline: int | None = None
    bold: bool | None = None
    numbering: Numbered | None = None


class Styles:
    """What the style of a paragraph says, along the chain of styles that it is based on."""

    def __init__(self, archive: Archive, folder: str) -> None:
        self._styles: dict[str, _Style] = {}
        if f"{folder}/styles.xml" in archive:
            for element in archive.xml(f"{folder}/styles.xml"):
                if local(element) == "style":
                    self._styles[attribute(element, "styleId")] = _style(element)

    def level(self, paragraph: etree._Element) -> int:
        """The depth of a heading from 1; 0 for any other paragraph."""
        own = _find(paragraph, "pPr", "outlineLvl")
        if own is not None:
            return _level(attribute(own, "val"))
        for style in self._chain(paragraph):
            if style.outline is not None:
                return style.outline
            named = _HEADING.match(style.name)
            if named:
                return int(named[1])
            if style.name.lower() == "title":
                return 1
        return 0

    def numbering_of(self, paragraph: etree._Element) -> Numbered | None:
        """The numbering that the paragraph or its style asks for."""
        properties = _find(paragraph, "pPr", "numPr")
        if properties is not None:
            return _numbered(properties)
        return next((style.numbering for style in self._chain(paragraph) if style.numbering), None)

    def bold(self, run: etree._Element | None) -> bool:
        """Whether a run says of itself that it is bold."""
        mark = _find(run, "rPr", "b") if run is not None else None
        return mark is not None and attribute(mark, "val", "1") not in ("0", "false")

    def _chain(self, paragraph: etree._Element) -> list[_Style]:
        reference = _find(paragraph, "pPr", "pStyle")
        name = attribute(reference, "val") if reference is not None else ""
        chain: list[_Style] = []
        while name in self._styles and len(chain) < _DEEPEST:
            chain.append(self._styles[name])
            name = self._styles[name].based_on
        return chain


def _style(element: etree._Element) -> _Style:
    style = _Style()
    for child in element:
        if local(child) == "name":
            style.name = attribute(child, "val")
        elif local(child) == "basedOn":
            style.based_on = attribute(child, "val")
    outline = _find(element, "pPr", "outlineLvl")
    if outline is not None:
        style.outline = _level(attribute(outline, "val"))
    numbering = _find(element, "pPr", "numPr")
    style.numbering = _numbered(numbering) if numbering is not None else None
    return style


@dataclass
class _List:
    """A list definition: for each depth the pattern, the kind of number and where it starts; and the counts."""

    patterns: dict[int, tuple[str, str, int]]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts as Word does, so that "1.2" stands before the paragraph that Word shows it at."""

    def __init__(self, archive: Archive, folder: str) -> None:
        self._lists: dict[str, _List] = {}
        if f"{folder}/numbering.xml" not in archive:
            return
        abstract: dict[str, _List] = {}
        root = archive.xml(f"{folder}/numbering.xml")
        for element in root:
            if local(element) == "abstractNum":
                abstract[attribute(element, "abstractNumId")] = _List(_patterns(element))
        for element in root:
            if local(element) == "num":
                reference = next((child for child in element if local(child) == "abstractNumId"), None)
                shared = abstract.get(attribute(reference, "val")) if reference is not None else None
                if shared is not None:
                    restarts = any(local(child) == "lvlOverride" for child in element)
                    self._lists[attribute(element, "numId")] = _List(shared.patterns) if restarts else shared

    def label(self, paragraph: etree._Element, numbered: Numbered | None) -> str:
        """The label of a paragraph, counted on; empty for none, a dash for a bullet."""
        listed = self._lists.get(numbered[0]) if numbered else None
        if listed is None or numbered is None or numbered[1] not in listed.patterns:
            return ""
        depth = numbered[1]
        pattern, kind, start = listed.patterns[depth]
        listed.counts[depth] = listed.counts.get(depth, start - 1) + 1
        for deeper in [level for level in listed.counts if level > depth]:
            del listed.counts[deeper]
        if kind == "bullet":
            return "-"
        if kind == "none":
            return ""
        return re.sub(r"%([1-9])", lambda match: self._figure(listed, int(match[1]) - 1), pattern)

    def _figure(self, listed: _List, depth: int) -> str:
        _, kind, start = listed.patterns.get(depth, ("", "decimal", 1))
        return figure(listed.counts.get(depth, start), kind)


def figure(number: int, kind: str) -> str:
    """A count as Word writes it."""
    if kind in ("lowerLetter", "upperLetter"):
        letter = chr(97 + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if kind == "upperLetter" else letter
    if kind in ("lowerRoman", "upperRoman"):
        roman, rest = "", max(number, 0) % 4000
        for letters, value in _ROMAN.items():
            roman += letters * (rest // value)
            rest %= value
        return roman.upper() if kind == "upperRoman" else roman
    return f"{number:02d}" if kind == "decimalZero" else str(number)


def _patterns(element: etree._Element) -> dict[int, tuple[str, str, int]]:
    patterns = {}
    for level in element:
        if local(level) != "lvl":
            continue
        values = {local(child): attribute(child, "val") for child in level}
        depth = _whole(attribute(level, "ilvl"), 0)
        patterns[depth] = (
            values.get("lvlText", ""),
            values.get("numFmt", "decimal"),
            _whole(values.get("start", "1"), 1),
        )
    return patterns


def _numbered(properties: etree._Element) -> Numbered | None:
    values = {local(child): attribute(child, "val") for child in properties}
    return (values["numId"], _whole(values.get("ilvl", "0"), 0)) if values.get("numId", "0") != "0" else None


def _find(element: etree._Element, *names: str) -> etree._Element | None:
    for name in names:
        found = next((child for child in element if local(child) == name), None)
        if found is None:
            return None
        element = found
    return element


def _level(value: str) -> int:
    """Word counts outline levels from 0; 9 is body text."""
    level = _whole(value, 9)
    return level + 1 if 0 <= level < 9 else 0


def _whole(text: str, default: int) -> int:
    try:
        return int(text)
    except ValueError:
        return default
