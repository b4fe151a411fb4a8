"""A tree of HTML to blocks: what a reader of the page sees, without scripts, navigation and footers. For web
pages, chapters of e-books and bodies of mail alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.adapters.readers.builder import Builder
from pincite.adapters.readers.tables import Grid, add_table
from pincite.core.documents import BlockKind
from pincite.core.places import Place

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
_MOST_COLUMNS = 256
_MOST_ROWS_SPANNED = 1_000


def add_html(builder: Builder, tree: LexborHTMLParser, place: Place | None = None, page: int | None = None) -> None:
    """Hand the blocks of a page to the builder, all of them in `place`."""
    if tree.body is not None:
        _Walk(builder, place, page).visit(tree.body)


class _Walk:
    """Depth first over the tree with a stack of its own: hostile pages nest deeper than Python may recurse."""

    def __init__(self, builder: Builder, place: Place | None, page: int | None) -> None:
        self.builder = builder
        self.place = place
        self.page = page
        self.parts: list[str] = []
        self.kind = BlockKind.PARAGRAPH
        self.level = 0
        self.anchor = ""
        self.strong = 0
        self.lead = 0
        self.leading = True
        self.preformatted = 0
        self.tables = 0

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
        if tag == "br":
            self.parts.append("\n")
            return False
        if tag == "table" and not node.css_first("table table") and node.css_first("tr") is not None:
            self._flush()
            self._table(node)
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
        self.builder.add(
            self.kind, text, level=self.level, lead=lead, anchor=self.anchor, page=self.page, place=self.place
        )
        self.parts, self.kind, self.level, self.lead, self.leading = [], BlockKind.PARAGRAPH, 0, 0, True

    def _table(self, node: LexborNode) -> None:
        """A table of data as rows; one that only lays the page out, a single cell wide, as paragraphs."""
        caption = node.css_first("caption")
        if caption is not None:
            self.builder.add(BlockKind.PARAGRAPH, caption.text(), anchor=self._anchor(node), place=self.place)
        self.tables += 1
        grid = list(_grid(node))
        heads = sum(1 for _ in _heads(node))
        place = self.place or Place()
        add_table(
            self.builder,
            grid,
            unit=place.unit,
            name=place.name,
            table=self.tables,
            heads=heads or None,
            page=self.page,
            anchor=self._anchor(node),
        )

    def _anchor(self, node: LexborNode) -> str:
        return (node.attributes.get("id") or "") or self.anchor


def _heads(node: LexborNode) -> Iterator[LexborNode]:
    """The rows from the top that the page marks as header: all their cells are header cells."""
    for row in node.css("tr"):
        cells = _cells(row)
        if not cells or any(cell.tag != "th" for cell in cells):
            return
        yield row


def _grid(node: LexborNode) -> Grid:
    """The cells of a table in rows. What spans rows is said in each of them; what spans columns, once."""
    rows: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}
    for row in node.css("tr"):
        line: list[str] = []
        for cell in _cells(row):
            _take_hanging(line, hanging)
            text = " ".join(cell.text(separator=" ").split())
            across = _span(cell, "colspan", _MOST_COLUMNS)
            down = _span(cell, "rowspan", _MOST_ROWS_SPANNED)
            for offset in range(min(across, _MOST_COLUMNS - len(line))):
                if down > 1:
                    hanging[len(line)] = (down - 1, text if not offset else "")
                line.append(text if not offset else "")
        _take_hanging(line, hanging)
        rows.append(line)
    return rows


def _take_hanging(line: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Cells that reach down into this row from one above, at the columns that come next."""
    while len(line) in hanging:
        left, text = hanging.pop(len(line))
        if left > 1:
            hanging[len(line)] = (left - 1, text)
        line.append(text)


def _cells(row: LexborNode) -> list[LexborNode]:
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def _span(cell: LexborNode, name: str, most: int) -> int:
    given = (cell.attributes.get(name) or "1").strip()
    return min(int(given), most) if given.isascii() and given.isdigit() and int(given) else 1


Find = Callable[[str], str]


def meta_finder(tree: LexborHTMLParser) -> Find:
    """Looks up what the page's `meta` elements say under any of several names, parted by a space."""
    said: dict[str, str] = {}
    for element in tree.css("meta[content]"):
        key = element.attributes.get("name") or element.attributes.get("property") or ""
        said.setdefault(key.lower(), (element.attributes.get("content") or "").strip())

    def find(names: str) -> str:
        return next((said[name] for name in names.split() if said.get(name)), "")

    return find
