"""Markdown as people read it: marks rendered away, headings, lists, tables and code kept apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pincite.adapters.readers.builder import Builder
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.core.documents import BlockKind, Reading
from pincite.core.places import Place

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_SETTING = re.compile(r"^([A-Za-z_][\w-]*):[ \t]*(.*)$", re.MULTILINE)
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_STRONG_HTML = re.compile(r"<(?:strong|b)>", re.IGNORECASE)
_ENUMERATOR = re.compile(r"\s*\(?[a-zA-Z0-9]{1,4}[.)]\s*")
"""What may stand before an emphasised beginning and is part of it: *(b)* **Appearance.**"""
_DEEPEST = 100


@dataclass(frozen=True)
class _Text:
    """Inline text and how many characters of it an emphasised beginning has."""

    text: str
    lead: int


class MarkdownReader:
    name = "markdown/2"

    def __init__(self) -> None:
        self._parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table")

    def read(self, content: Content) -> Reading:
        decoded = decode(content.read())
        builder = Builder(self.name)
        builder.metadata.update(decoded.metadata)
        text = decoded.text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
        front = _FRONT.match(text)
        skipped = 0
        if front:
            settings = {key.lower(): value.strip().strip("\"'") for key, value in _SETTING.findall(front[1])}
            builder.title = settings.pop("title", "")
            builder.metadata.update({key: value for key, value in settings.items() if value})
            skipped = front[0].count("\n")
            text = text[front.end() :]
        _Walk(builder, skipped).tokens(self._parser.parse(text))
        return builder.finish()


class _Walk:
    """Goes over the tokens once, handing blocks to the builder."""

    def __init__(self, builder: Builder, skipped: int) -> None:
        self.builder = builder
        self.skipped = skipped
        self.markers: list[str] = []
        self.pending = ""
        self.tables = 0

    def tokens(self, tokens: Sequence[Token]) -> None:
        place = 0
        while place < len(tokens):
            token = tokens[place]
            if token.type == "table_open":
                end = _closing(tokens, place, "table_close")
                self._table(list(_rows(tokens[place:end])), self._lines(token))
                place = end
            else:
                self._token(token, tokens[place - 1] if place else token)
            place += 1

    def _table(self, rows: list[str], lines: tuple[int, int] | None) -> None:
        self.tables += 1
        self.builder.add_rows(rows, lines=lines, place=Place(table=self.tables, rows=(1, len(rows))))

    def _token(self, token: Token, before: Token) -> None:
        if token.type == "list_item_open":
            self.pending = f"{token.info}{token.markup} " if token.info else f"{token.markup} "
            self.markers.append(self.pending)
        elif token.type == "list_item_close":
            self.markers.pop()
            self.pending = ""
        elif token.type == "inline":
            self._inline(token, before)
        elif token.type in ("fence", "code_block"):
            self.builder.add(BlockKind.CODE, self._marked(token.content), lines=self._lines(token))
        elif token.type == "html_block":
            self._html(token)

    def _inline(self, token: Token, before: Token) -> None:
        inline = _inline_text(token.children or [])
        if before.type == "heading_open":
            level = int(before.tag[1])
            if level == 1 and not self.builder.title:
                self.builder.title = inline.text
            self.builder.add(BlockKind.HEADING, " ".join(inline.text.split()), level=level, lines=self._lines(before))
            return
        kind = BlockKind.LIST_ITEM if self.markers else BlockKind.PARAGRAPH
        marker = len(self.pending)
        text = self._marked(inline.text)
        lead = inline.lead + marker if inline.lead else 0
        self.builder.add(kind, text, lead=lead, lines=self._lines(before))

    def _html(self, token: Token) -> None:
        lead = len(_plain_html(token.content).strip()) if _STRONG_HTML.match(token.content.strip()) else 0
        self.builder.add(BlockKind.PARAGRAPH, _plain_html(token.content), lead=lead, lines=self._lines(token))

    def _marked(self, text: str) -> str:
        """The text behind the marker of its list item, if it is the first in it."""
        marker, self.pending = self.pending, ""
        return marker + text

    def _lines(self, token: Token) -> tuple[int, int] | None:
        return (token.map[0] + 1 + self.skipped, token.map[1] + self.skipped) if token.map else None


def _closing(tokens: Sequence[Token], place: int, kind: str) -> int:
    while tokens[place].type != kind:
        place += 1
    return place


def _rows(tokens: Sequence[Token]) -> Iterator[str]:
    cells: list[str] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(" ".join(_inline_text(token.children or []).text.split()))
        elif token.type == "tr_close":
            yield " | ".join(cells)
            cells = []


def _inline_text(children: Sequence[Token]) -> _Text:
    parts: list[str] = []
    depth = lead = 0
    leading = True
    for child in children:
        if child.type in ("text", "code_inline"):
            leading = leading and (depth > 0 or not child.content.strip() or bool(_ENUMERATOR.fullmatch(child.content)))
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "image":
            parts.append(_inline_text(child.children or []).text)
        elif child.type == "html_inline" and child.content.lower().startswith("<br"):
            parts.append("\n")
        elif child.type == "strong_open":
            depth += 1
        elif child.type == "strong_close":
            depth -= 1
            if leading and depth == 0:
                lead = len("".join(parts))
    return _Text("".join(parts), lead)


def _plain_html(content: str) -> str:
    return _TAG.sub("", content)
