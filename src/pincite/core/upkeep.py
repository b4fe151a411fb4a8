"""Looking after a store file: what the verbs report, and the port that supplies them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pincite.core.reports import Check, IngestReport

Steps = Callable[[str, int, int], None]
"""How far a long work is: what is being done, how much of it is, of how much (0 for unknown)."""


def in_silence(what: str, done: int, total: int) -> None:
    """The Steps of one who does not want to know."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was looked at in a store, and what is wrong with it."""

    revisions: int
    passages: int
    """Stored passages that were cut anew out of their revision and compared."""
    faults: tuple[str, ...]
    """A sentence each; empty when all is well."""
    checks: tuple[Check, ...] = ()
    """What a real question to each lane gave."""

    @property
    def ok(self) -> bool:
        return not self.faults


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A copy of a store that was written: a backup, an export, or the live file itself when one was brought back."""

    path: str
    bytes: int
    rows: Mapping[str, int] = field(default_factory=dict)
    """By table, where rows were counted."""
    kept: str = ""
    """Where the state before is kept; empty when it is not."""


@dataclass(frozen=True, slots=True)
class CompactReport:
    """Bytes of the file and its write-ahead log, before and after."""

    before: int
    after: int
    waiting: bool = False
    """Whether a reader kept the write-ahead log from being cut; it is cut when the last one has gone."""


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """A corpus that was read anew beside the live file, which then took its place."""

    ingest: IngestReport
    gone: tuple[str, ...]
    """Files that are not there any more. Their last good revision stays."""


class Upkeep(Protocol):
    """What can be done to a store file as a whole, whether or not anybody has it open."""

    def check(self, steps: Steps) -> CheckReport:
        """Without the lanes. A damaged file gives faults, not an exception."""
        ...

    def backup(self, to: Path, *, force: bool, steps: Steps) -> CopyReport:
        """A checked copy of the store as it is now. Raises UsageError when something is there and not `force`."""
        ...

    def restore(self, source: Path, *, keep: bool, steps: Steps) -> CopyReport:
        """Make the live file what a backup is. Readers see the old or the new. Raises StoreCorrupt, StoreError."""
        ...

    def rebuild(self, steps: Steps) -> int:
        """Make all derived data anew. Returns the passages."""
        ...

    def compact(self, steps: Steps) -> CompactReport:
        """Give unused space back. Raises StoreError when the disk has not the room for it."""
        ...

    def export(self, to: Path | None, *, vectors: bool, force: bool, steps: Steps) -> CopyReport:
        """Everything that is not derived, a line of JSON a row; None is standard output."""
        ...
