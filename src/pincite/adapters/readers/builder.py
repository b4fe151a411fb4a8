"""Builds a Reading block by block, so that its laws hold by construction: blocks are in order and parted by
a blank line, pages tile the text, and no character stands in it that a store or a terminal would choke on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar

from pincite.adapters.readers.content import Content
from pincite.core.documents import (
    CELL_MARK,
    Attachment,
    Block,
    BlockKind,
    Box,
    Outcome,
    OutcomeKind,
    Page,
    Reading,
)
from pincite.core.places import Place

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
LONG_RUN = 1_500
_LONG_RUN = re.compile(rf"[!-~]{{{LONG_RUN},}}")
"""An unbroken run of ASCII this long is a key, a picture or a minified file: no words to find."""
BETWEEN = "\n\n"
MOST_ATTACHMENTS = 1_000


class Builder:
    """Collects blocks and pages. `finish` gives the Reading."""

    def __init__(self, reader: str) -> None:
        self.reader = reader
        self.title = ""
        self.metadata: dict[str, str] = {}
        self.attachments: list[Attachment] = []
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._pages: list[Page] = []
        self._cleaned = 0

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int = 0,
        lead: int = 0,
        page: int | None = None,
        boxes: Sequence[Box] = (),
        lines: tuple[int, int] | None = None,
        anchor: str = "",
        place: Place | None = None,
        header: tuple[int, int] | None = None,
    ) -> None:
        """Append a block. `lead` is how many characters of `text` an emphasised beginning has. A block without
        visible text is left out."""
        text = self._clean(text)
        stripped = text.strip()
        if not stripped:
            return
        if lead:
            lead = max(0, lead - (len(text) - len(text.lstrip())))
        if self._parts:
            self._parts.append(BETWEEN)
            self._length += len(BETWEEN)
        start = self._length
        self._parts.append(stripped)
        self._length += len(stripped)
        if len(stripped) >= LONG_RUN and kind is not BlockKind.HEADING and _LONG_RUN.search(stripped):
            kind = BlockKind.FURNITURE
            self.metadata["unbroken_runs"] = str(int(self.metadata.get("unbroken_runs", "0")) + 1)
        title_end = start + min(lead, len(stripped)) if lead else 0
        self._blocks.append(
            Block(kind, start, self._length, page, level, title_end, tuple(boxes), lines, anchor, place, header)
        )

    @property
    def empty(self) -> bool:
        return not self._blocks

    def add_rows(
        self,
        rows: Sequence[str],
        *,
        header: tuple[int, int] | None = None,
        heads: int = 1,
        page: int | None = None,
        boxes: Sequence[Box] = (),
        lines: tuple[int, int] | None = None,
        anchor: str = "",
        place: Place | None = None,
    ) -> tuple[int, int] | None:
        """Append the rows of a table (or some of them) as one block, one line a row. Returns where the header
        stands: the one given, or the first `heads` rows. Rows are told apart by their place, so an empty one
        inside stays as a line of its marks."""
        cleaned = [" ".join(self._clean(row).split("\n")) for row in rows]
        if not any(row.strip(CELL_MARK) for row in cleaned):
            return header
        start = self._length + (len(BETWEEN) if self._parts else 0)
        cleaned[0], cleaned[-1] = cleaned[0].lstrip(), cleaned[-1].rstrip()
        if header is None and 0 < heads < len(cleaned):
            header = (start, start + len("\n".join(cleaned[:heads])))
        text = "\n".join(cleaned)
        self.add(BlockKind.TABLE, text, page=page, boxes=boxes, lines=lines, anchor=anchor, place=place, header=header)
        return header

    def end_page(
        self,
        number: int,
        label: str = "",
        outcome: OutcomeKind = OutcomeKind.WHOLE,
        width: float = 0.0,
        height: float = 0.0,
        ocr: float | None = None,
    ) -> None:
        """Close a page: it holds all text since the page before."""
        start = self._pages[-1].end if self._pages else 0
        size = (round(width, 1), round(height, 1))
        self._pages.append(Page(number, start, self._length, label, outcome, *size, ocr))

    def finish(self, outcome: Outcome | None = None, extra: Mapping[str, str] | None = None) -> Reading:
        """The Reading; without a given outcome it is whole, or empty when there is no text."""
        if outcome is None or (outcome.usable and not self._blocks):
            kind = OutcomeKind.WHOLE if self._blocks else OutcomeKind.EMPTY
            message = "" if self._blocks else "The file holds no text."
            outcome = Outcome(kind, message=message)
        if len(self.attachments) > MOST_ATTACHMENTS and outcome.usable:
            message = f"Only the first {MOST_ATTACHMENTS:,} of {len(self.attachments):,} attachments were taken."
            outcome = Outcome(OutcomeKind.PARTIAL, "attachments", message, "Split the file.")
        if self._cleaned:
            self.metadata["control_characters_removed"] = str(self._cleaned)
        title = " ".join(self._clean(self.title).split())[:300]
        metadata = {key: self._clean(value) for key, value in {**self.metadata, **(extra or {})}.items() if value}
        return Reading(
            outcome=outcome,
            reader=self.reader,
            text="".join(self._parts),
            pages=tuple(self._pages),
            blocks=tuple(self._blocks),
            title=title,
            metadata=metadata,
            attachments=tuple(self.attachments[:MOST_ATTACHMENTS]),
        )

    def _clean(self, text: str) -> str:
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if _UNFIT.search(text):
            text, count = _UNFIT.subn("", text)
            self._cleaned += count
        return text


class Refused(Exception):
    """A file cannot be read, and why. `outcomes` turns it into an outcome at the reader's door."""

    def __init__(self, kind: OutcomeKind, message: str, code: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.kind, self.message, self.code, self.hint = kind, message, code, hint


R = TypeVar("R", bound=Any)


def outcomes(read: Callable[[R, Content], Reading]) -> Callable[[R, Content], Reading]:
    """For the `read` of a reader: what it refuses is an outcome."""

    @wraps(read)
    def guarded(self: R, content: Content) -> Reading:
        try:
            return read(self, content)
        except Refused as fault:
            return refused(self.name, fault.kind, fault.message, code=fault.code, hint=fault.hint)

    return guarded


def refused(reader: str, kind: OutcomeKind, message: str, *, code: str = "", hint: str = "") -> Reading:
    """A Reading that holds only the reason why there is none."""
    return Reading(Outcome(kind, code, message, hint), reader)
