"""XML of no known kind: the words in it, element by element, with the lines where they stand."""

from __future__ import annotations

import re

from lxml import etree

from pincite.adapters.readers.archive import local, xml_root
from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.core.documents import BlockKind, OutcomeKind, Reading
from pincite.core.places import Place

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_DECLARED = re.compile(rb"\A\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]+)")
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.DOTALL)
_MARKUP = re.compile(r"<[a-zA-Z/!][^<>]*>")


class XmlReader:
    name = "xml/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        raw = content.read()
        declared = _DECLARED.match(raw[:1024])
        decoded = decode(raw, declared[1].decode("ascii") if declared else "")
        builder = Builder(self.name)
        builder.metadata.update(decoded.metadata)
        if "<!ENTITY" in decoded.text[:65_536]:
            raise Refused(OutcomeKind.CORRUPT, "The file declares entities, which are not obeyed.", "entities")
        # What the declaration says of the encoding has been weighed already, and is wrong as often as not.
        plain = _DOCTYPE.sub(_same_lines, _DECLARATION.sub(_same_lines, decoded.text, count=1), count=1)
        if not plain.strip():
            return builder.finish()
        root = xml_root(plain.encode("utf-8", "replace"), recover=True)
        _walk(builder, root)
        return builder.finish()


def _same_lines(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _walk(builder: Builder, root: etree._Element) -> None:
    """The smallest elements that read as one: those with words of their own, and families of plain leaves."""
    stack = [root]
    while stack:
        element = stack.pop()
        children = [child for child in element if local(child)]
        if (element.text or "").strip() or any((child.tail or "").strip() for child in children):
            _add(builder, element, "".join(element.itertext()))
        elif children and not any(len(child) for child in children):
            _add(builder, element, "\n".join(filter(None, (_own(child) for child in children))))
        else:
            stack.extend(reversed(children))


def _own(element: etree._Element) -> str:
    return " ".join((element.text or "").split())


def _add(builder: Builder, element: etree._Element, text: str) -> None:
    """One block. Feeds keep HTML as text inside their XML; its marks are no words."""
    last = element
    while len(last):
        last = last[-1]
    lines = (element.sourceline, last.sourceline) if element.sourceline and last.sourceline else None
    place = Place(field=local(element))
    builder.add(BlockKind.PARAGRAPH, re.sub(r"[ \t]+", " ", _MARKUP.sub(" ", text)), lines=lines, place=place)
