"""One connection, opened safely, whose faults end here: apsw's errors become ours.

The busy time-out is set before anything else is asked of the file, writes begin with BEGIN IMMEDIATE, and
readers open read-only, so that several processes can create, write and read one store at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from pincite.adapters.sqlite.beside import make_private
from pincite.core.errors import StoreCorrupt, StoreError, StoreLocked

Row = tuple[Any, ...]
CopySteps = Callable[[int, int], None]
BUSY_MS = 10_000
_PAGES = 256
"""Pages that are copied at once: 4 MiB."""


class Database:
    """A SQLite connection with the handful of verbs that the store needs. Not for sharing by threads."""

    def __init__(self, path: Path, *, write: bool, create: bool = False, busy_ms: int = BUSY_MS) -> None:
        self.path = path
        self.write = write
        self.busy_ms = busy_ms
        if not create and not path.is_file():
            raise StoreError(f"There is no store at {path}.", "Add documents with: pincite ingest PATH")
        flags = apsw.SQLITE_OPEN_READWRITE if write else apsw.SQLITE_OPEN_READONLY
        with self._faults():
            if create:
                make_private(path)
            self._connection = apsw.Connection(str(path), flags=flags)
            self._connection.set_busy_timeout(busy_ms)
            self._connection.pragma("foreign_keys", True)

    def rows(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        with self._faults():
            return list(self._connection.execute(sql, values))

    def each(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """Rows one by one, for what may be larger than memory."""
        with self._faults():
            yield from self._connection.execute(sql, values)

    def row(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        with self._faults():
            self._connection.executemany(sql, values)

    def pragma(self, name: str, value: Any = None) -> Any:
        with self._faults():
            return self._connection.pragma(name) if value is None else self._connection.pragma(name, value)

    def define_fts5(self, name: str, function: Callable[..., Any]) -> None:
        """Make an auxiliary function of FTS5 known to this connection."""
        with self._faults():
            self._connection.register_fts5_function(name, function)

    @property
    def last_key(self) -> int:
        return self._connection.last_insert_rowid()

    @property
    def version(self) -> tuple[int, int]:
        """Changes when anybody, this connection or another, has changed the file."""
        return int(self.pragma("data_version")), self._connection.total_changes()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. Takes the write lock at once; raises StoreLocked when it cannot be had in time."""
        self.rows("BEGIN IMMEDIATE")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            self._leave("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several reads of one state of the file. Inside a transaction it is that transaction's."""
        if self._connection.in_transaction:
            yield
            return
        self.rows("BEGIN")
        try:
            yield
        finally:
            self._leave("COMMIT")

    def become(self, source: Database, steps: CopySteps, allowed: Callable[[], bool] = lambda: True) -> bool:
        """Take over every page of another file, in one transaction, from one state of it; readers of this file see
        the old or the new. `allowed` is asked once nobody else can write: when it says no, nothing is changed."""
        with source.snapshot(), self._faults():
            source.row("SELECT count(*) FROM sqlite_schema")
            with self._connection.backup("main", source._connection, "main") as backup:
                backup.step(0)
                if not allowed():
                    return False
                while not backup.step(_PAGES):
                    steps(backup.page_count - backup.remaining, backup.page_count)
        return True

    def _leave(self, how: str) -> None:
        """End a transaction, unless SQLite has done so already, as it does when the disk is full."""
        if self._connection.in_transaction:
            self.rows(how)

    def close(self) -> None:
        with self._faults():
            self._connection.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """apsw's errors as ours, the most telling first."""
        try:
            yield
        except (apsw.BusyError, apsw.LockedError) as fault:
            raise StoreLocked(
                f"Another process is writing to {self.path.name}.", "Wait for it to finish and try again."
            ) from fault
        except apsw.NotADBError as fault:
            raise StoreError(f"{self.path} is not a pincite store.", "Check the path.") from fault
        except apsw.CorruptError as fault:
            raise StoreCorrupt(f"{self.path} is damaged: {fault}", "Restore it from a copy, or ingest anew.") from fault
        except apsw.FullError as fault:
            raise StoreError(f"The disk is full; {self.path.name} could not grow.", "Free some space.") from fault
        except apsw.CantOpenError as fault:
            raise StoreError(f"{self.path} cannot be opened.", "Check the folder and its permissions.") from fault
        except apsw.ReadOnlyError as fault:
            raise StoreError(f"{self.path} is read-only.", "Check the permissions of the file.") from fault
        except OSError as fault:
            raise StoreError(
                f"{self.path} cannot be made: {fault.strerror}.", "Check the folder and its permissions."
            ) from fault
        except (OverflowError, UnicodeEncodeError) as fault:
            raise StoreError(
                f"{self.path.name} cannot hold this value: {fault}", "Use valid Unicode, and numbers under 2^63."
            ) from fault
        except apsw.Error as fault:
            raise StoreError(f"{self.path.name}: {fault}", "Run: pincite doctor") from fault
