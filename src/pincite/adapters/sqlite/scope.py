"""Which moment of a store is read: now, or after a change of the past."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.adapters.sqlite.database import Database
from pincite.core.errors import UnknownName
from pincite.core.moments import moment_of


@dataclass(frozen=True, slots=True)
class Scope:
    """`number` is the last change that counts; None for whatever is live when it is read."""

    number: int | None = None

    @property
    def condition(self) -> str:
        """True for the lives `l` of this moment. Holds a number of ours, never a text of anybody."""
        if self.number is None:
            return "l.until IS NULL"
        return f"l.since <= {self.number} AND (l.until IS NULL OR l.until > {self.number})"

    @property
    def chunks(self) -> str:
        """The chunks `c` of the revisions that were live, with their lives `l`."""
        return f"FROM chunks c JOIN lives l ON l.revision = c.revision AND {self.condition}"


NOW = Scope()


def last_change(database: Database) -> int:
    row = database.row("SELECT max(number) FROM changes")
    return int(row[0] or 0) if row else 0


def scope_of(database: Database, when: str) -> Scope:
    """The scope that a number or a date means. Raises UsageError, UnknownName."""
    text = when.strip()
    if text.isascii() and text.isdigit():
        number, last = int(text), last_change(database)
        if number > last:
            raise UnknownName(f"The store has made {last} changes; there is no change {number}.", "See: pincite log")
        return Scope(number)
    row = database.row("SELECT max(number) FROM changes WHERE at <= ?", (moment_of(text),))
    return Scope(int(row[0] or 0) if row else 0)
