"""HTML: what a reader of the page sees, without scripts, navigation and footers."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.adapters.readers.builder import Builder
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.core.documents import BlockKind, Reading

_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_SKIPPED = frozenset(
    {"script", "style", "template", "noscript", "nav", "aside", "footer", "head", "iframe", "svg", "object"}
    | {"button", "select"}
)
_INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd"}
    | {"label", "mark", "q", "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u"}
    | {"var", "wbr"}
)
_STRONG = frozenset({"b", "strong"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


class HtmlReader:
    name = "html/1"

    def read(self, content: Content) -> Reading:
        raw = content.read()
        declared = _DECLARED.search(raw[:4096])
        decoded = decode(raw, declared[1].decode("ascii", "replace") if declared else "")
        builder = Builder(self.name)
        builder.metadata.update(decoded.metadata)
        tree = LexborHTMLParser(decoded.text)
        title = tree.css_first("title")
        builder.title = title.text() if title is not None else ""
        if tree.body is not None:
            _Walk(builder).visit(tree.body)
        return builder.finish()


class _Walk:
    """Depth first over the tree with a stack of its own: hostile pages nest deeper than Python may recurse."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.parts: list[str] = []
        self.kind = BlockKind.PARAGRAPH
        self.level = 0
        self.anchor = ""
        self.strong = 0
        self.lead = 0
        self.leading = True
        self.preformatted = 0

    def visit(self, root: LexborNode) -> None:
        stack: list[tuple[LexborNode, bool]] = [(root, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                self._leave(node.tag or "")
                continue
            if node.is_text_node:
                self._text(node.text_content or "")
            elif self._enter(node):
                stack.append((node, True))
                children = list(node.iter(include_text=True))
                stack.extend((child, False) for child in reversed(children))
        self._flush()

    def _enter(self, node: LexborNode) -> bool:
        """Begin an element. False when what is inside is not wanted, or has been taken whole."""
        tag = node.tag or ""
        if tag in _SKIPPED or tag.startswith(("-", "_", "!")) or "hidden" in node.attributes:
            return False
        if tag in ("br", "img"):
            self.parts.append("\n" if tag == "br" else node.attributes.get("alt") or "")
            return False
        if tag == "table" and not node.css_first("table table") and node.css_first("tr") is not None:
            self._flush()
            self.builder.add(BlockKind.TABLE, _table(node), anchor=self._anchor(node))
            return False
        if tag not in _INLINE:
            self._flush()
            self._open_block(tag, node)
        elif tag in _STRONG:
            self.strong += 1
        return True

    def _open_block(self, tag: str, node: LexborNode) -> None:
        self.anchor = self._anchor(node)
        if tag in _HEADINGS:
            self.kind, self.level = BlockKind.HEADING, _HEADINGS[tag]
        elif tag == "li":
            self.kind = BlockKind.LIST_ITEM
        elif tag == "pre":
            self.kind = BlockKind.CODE
            self.preformatted += 1

    def _leave(self, tag: str) -> None:
        if tag in _STRONG:
            self.strong -= 1
            if self.leading and not self.strong:
                self.lead = len(self._joined())
        elif tag not in _INLINE:
            self._flush()
            self.preformatted -= tag == "pre"

    def _text(self, text: str) -> None:
        if text.strip() and not self.strong:
            self.leading = False
        self.parts.append(text if self.preformatted else re.sub(r"[ \t\r\n\f]+", " ", text))

    def _joined(self) -> str:
        text = "".join(self.parts)
        return text if self.preformatted else re.sub(r" *\n *", "\n", re.sub(r"  +", " ", text)).lstrip()

    def _flush(self) -> None:
        text = self._joined()
        if self.kind is BlockKind.HEADING:
            text = " ".join(text.split())
        lead = self.lead if self.kind is not BlockKind.HEADING else 0
        self.builder.add(self.kind, text, level=self.level, lead=lead, anchor=self.anchor)
        self.parts, self.kind, self.level, self.lead, self.leading = [], BlockKind.PARAGRAPH, 0, 0, True

    def _anchor(self, node: LexborNode) -> str:
        return (node.attributes.get("id") or "") or self.anchor


def _table(node: LexborNode) -> str:
    rows = []
    for row in node.css("tr"):
        cells = [" ".join(cell.text(separator=" ").split()) for cell in row.css("td, th")]
        if any(cells):
            rows.append(" | ".join(cells))
    return "\n".join(rows)
