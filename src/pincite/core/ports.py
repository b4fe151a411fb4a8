"""The verbs that adapters supply. The core and the pipelines know these and nothing behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pincite.core.answers import Draft, Evidence
from pincite.core.documents import Outcome, Reading, Source
from pincite.core.drafts import DocumentDraft, FileStat, Filter, Known, Tallies
from pincite.core.identity import EmbedderIdentity, Vectors
from pincite.core.storage import Keeper, LexicalIndex, Store, VectorIndex, WritableStore

__all__ = [
    "Clock",
    "DocumentDraft",
    "DocumentReader",
    "Embedder",
    "EmbedderIdentity",
    "FileStat",
    "Filter",
    "Generator",
    "Keeper",
    "Known",
    "LexicalIndex",
    "PendingReading",
    "Store",
    "Tallies",
    "VectorIndex",
    "Vectors",
    "WritableStore",
]

Clock = Callable[[], str]
"""The time as UTC, ISO 8601 with seconds."""


class Embedder(Protocol):
    """Text to vectors. Never cuts a text silently: the caller keeps passages inside `identity.window`."""

    @property
    def identity(self) -> EmbedderIdentity: ...

    @property
    def scripts(self) -> frozenset[str]:
        """Writing systems that the model was trained on (`pincite.core.text.script_of` names);
        empty means all."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special tokens and passage prefix included."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in order. Raises BackendError when the model cannot be had."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in order. Raises BackendError when the model cannot be had."""
        ...


class Generator(Protocol):
    """Question and evidence to a draft, which grounding then checks."""

    @property
    def name(self) -> str: ...

    @property
    def hosts(self) -> tuple[str, ...]:
        """Hosts off this machine that text is sent to; empty for a local generator."""
        ...

    def draft(self, question: str, evidence: Sequence[Evidence]) -> Draft:
        """Statements that name the labels of the evidence they rest on."""
        ...


class PendingReading(Protocol):
    """A reading that is under way."""

    @property
    def pages(self) -> tuple[int, int]:
        """Pages read so far and in all; (0, 0) when nothing is known."""
        ...

    def wait(self, seconds: float) -> Reading | None:
        """The reading, or None when it is not there in time."""
        ...


class DocumentReader(Protocol):
    """A source to text with coordinates. A bad file is an outcome in the Reading, never an exception."""

    def version_for(self, media_type: str) -> str:
        """Name and version of the reader for this type, `none/0` if there is none."""
        ...

    def is_settled(self, media_type: str, reader: str, outcome: Outcome) -> bool:
        """Whether reading a file again could give nothing new: `reader` and `outcome` are what came of it."""
        ...

    def read(self, source: Source) -> Reading: ...

    def start(self, source: Source) -> PendingReading:
        """Begin to read, and go on while the caller does something else."""
        ...

    @property
    def ahead(self) -> int:
        """How many readings may be under way at once."""
        ...

    def close(self) -> None: ...
