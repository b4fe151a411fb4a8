"""Fakes of models and readers: deterministic, quick, and honest about what they are."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pincite.core.answers import Draft, Evidence
from pincite.core.documents import Attachment, Block, BlockKind, Outcome, OutcomeKind, Reading, Source
from pincite.core.ports import EmbedderIdentity, Vectors
from pincite.core.text import index_terms


class FakeEmbedder:
    """Hashed bags of words as unit vectors: texts that share words are near, others are not. `asked` keeps
    every text that was embedded, in order, so that a test can tell what was and what was not."""

    def __init__(self, name: str = "fake", dimension: int = 64, window: int = 256) -> None:
        self._identity = EmbedderIdentity(
            name=name,
            digest=hashlib.sha256(name.encode()).hexdigest(),
            dimension=dimension,
            window=window,
            pooling="bag",
            normalised=True,
        )
        self.asked: list[str] = []

    @property
    def identity(self) -> EmbedderIdentity:
        return self._identity

    @property
    def scripts(self) -> frozenset[str]:
        return frozenset()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return Vectors(self._identity.dimension, b"".join(self._row(text) for text in texts))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def _row(self, text: str) -> bytes:
        values = [0.0] * self._identity.dimension
        for term in index_terms(text) or [text]:
            place = int.from_bytes(hashlib.sha256(term.encode("utf-8", "surrogatepass")).digest()[:4], "big")
            values[place % len(values)] += 1.0
        norm = sum(value * value for value in values) ** 0.5
        return struct.pack(f"<{len(values)}f", *(value / norm for value in values))


class ScriptedGenerator:
    """Gives the drafts that it was made with, one a question, and keeps what it was shown."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._drafts = list(drafts)
        self.shown: list[tuple[str, tuple[Evidence, ...]]] = []

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def hosts(self) -> tuple[str, ...]:
        return ()

    def draft(self, question: str, evidence: Sequence[Evidence]) -> Draft:
        self.shown.append((question, tuple(evidence)))
        return self._drafts.pop(0) if self._drafts else Draft((), declined=True)


class FakeReader:
    """Reads any file as paragraphs between blank lines; lines that begin with # are headings. Files whose
    names are in `outcomes` end as told there, those in `partial` too but with their text; those in `attached`
    hold these files, by name and text."""

    def __init__(self, outcomes: Mapping[str, Outcome] | None = None, version: str = "fake/1") -> None:
        self.outcomes = dict(outcomes or {})
        self.partial: dict[str, Outcome] = {}
        self.attached: dict[str, dict[str, str]] = {}
        self.version = version
        self.read_names: list[str] = []
        self._holders: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}

    @property
    def ahead(self) -> int:
        return 2

    def version_for(self, media_type: str) -> str:
        return self.version

    def is_settled(self, media_type: str, reader: str, outcome: Outcome) -> bool:
        return reader == self.version

    def start(self, source: Source) -> FakePending:
        return FakePending(self.read(source))

    def read(self, source: Source) -> Reading:
        self.read_names.append(source.name)
        if source.name in self.outcomes:
            return Reading(self.outcomes[source.name], self.version)
        if source.inside:
            holder = self._holders[source.path, source.inside[:-1]]
            return self._with_attachments(source, self.attached[holder][source.inside[-1][1]])
        return self._with_attachments(source, Path(source.path).read_text("utf-8"))

    def _with_attachments(self, source: Source, text: str) -> Reading:
        self._holders[source.path, source.inside] = source.name
        held = tuple(
            Attachment(name, name, "text/markdown", hashlib.sha256(words.encode()).hexdigest(), len(words))
            for name, words in self.attached.get(source.name, {}).items()
        )
        outcome = self.partial.get(source.name, Outcome(OutcomeKind.WHOLE))
        return replace(reading_of(text, self.version), attachments=held, outcome=outcome)

    def close(self) -> None:
        pass


class FakePending:
    """A reading that is there at once."""

    def __init__(self, reading: Reading) -> None:
        self.pages = (0, 0)
        self._reading = reading

    def wait(self, seconds: float) -> Reading | None:
        return self._reading


def reading_of(text: str, reader: str = "fake/1") -> Reading:
    """A Reading of a text without pages: paragraphs between blank lines, # for headings."""
    blocks: list[Block] = []
    parts: list[str] = []
    length = 0
    for piece in (piece.strip() for piece in text.split("\n\n")):
        if not piece:
            continue
        level = len(piece) - len(piece.lstrip("#"))
        words = piece.lstrip("# ")
        start = length + (2 if parts else 0)
        parts.append(words)
        length = start + len(words)
        kind = BlockKind.HEADING if level else BlockKind.PARAGRAPH
        blocks.append(Block(kind, start, length, level=level))
    return Reading(Outcome(OutcomeKind.WHOLE), reader, "\n\n".join(parts), (), tuple(blocks))
