"""What a reader is given: the bytes of one source, wherever they lie, and how to tell how far it has got."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pincite.adapters.readers.recognise import Recogniser

Step = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Takes every step and tells nobody."""


@dataclass(frozen=True)
class Content:
    """A file on disk, or one that stood inside another and is held in memory."""

    path: Path
    data: bytes | None = None
    """The bytes themselves, for what has no file of its own."""
    name: str = ""
    step: Step = field(default=silent)
    """Called with pages done and pages in all, by readers that take long."""
    recogniser: Recogniser | None = None
    """Reads pictures of text, where one was asked for."""

    def read(self) -> bytes:
        return self.path.read_bytes() if self.data is None else self.data

    def open(self) -> BinaryIO:
        return self.path.open("rb") if self.data is None else io.BytesIO(self.data)
