"""Copies of a store, and a store that becomes a copy: always through SQLite's backup API.

A file must never be renamed over a live database: a leftover write-ahead log then serves the old rows, with a clean
integrity check (ADR 0013). The backup API writes into the live file in one transaction instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pincite.adapters.sqlite.beside import (
    beside,
    bytes_of,
    disk_faults,
    need_space,
    publish,
    refuse_taken,
    remove,
    stamp,
)
from pincite.adapters.sqlite.checking import file_faults
from pincite.adapters.sqlite.database import BUSY_MS, Database
from pincite.adapters.sqlite.schema import APPLICATION_ID, STEPS, migrate
from pincite.core.errors import StoreCorrupt, StoreError, StoreLocked, StoreTooNew, UsageError
from pincite.core.upkeep import CopyReport, Steps, in_silence


class Watch:
    """Knows whether anybody has changed a store since it was made. A compaction counts as a change, a checkpoint of
    the usual kind does not."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, write=False)
        self._before = self._now()

    def _now(self) -> int:
        """SQLite's own counter, which is as fresh as the last read of the file."""
        self._database.row("SELECT count(*) FROM sqlite_schema")
        return int(self._database.pragma("data_version"))

    @property
    def changed(self) -> bool:
        return self._now() != self._before

    def close(self) -> None:
        self._database.close()


def copy_store(live: Path, to: Path, steps: Steps = in_silence) -> None:
    """A copy of a store as it is now, as one file with nothing beside it. `to` is overwritten."""
    with _opened(live, write=False) as source, _opened(to, write=True, create=True) as target:
        target.pragma("synchronous", 0)
        target.become(source, partial(steps, "copy"))
        target.pragma("journal_mode", "delete")


def backup_store(live: Path, to: Path, *, force: bool = False, steps: Steps = in_silence) -> CopyReport:
    """A checked copy, under its name only when it is whole. Raises UsageError, StoreCorrupt, StoreError."""
    _refuse_itself(live, to)
    refuse_taken(to, force=force)
    step_of(live)
    with beside(to) as made:
        need_space(to.parent, bytes_of(live))
        copy_store(live, made, steps)
        verify(made, steps)
        publish(made, to, force=force)
    return CopyReport(str(to), to.stat().st_size)


def restore_store(
    source: Path, live: Path, *, keep: bool = True, steps: Steps = in_silence, busy_ms: int = BUSY_MS
) -> CopyReport:
    """Make the live file what a backup is. The state before is copied first, if `keep`. Raises StoreCorrupt for a
    damaged backup, StoreTooNew, StoreLocked when another process is writing, StoreError."""
    _refuse_itself(live, source)
    with _ready(source, live, steps) as ready:
        verify(ready, steps)
        kept = _set_aside(live, keep, steps)
        need_space(live.parent, bytes_of(ready))
        swap_in(ready, live, steps=steps, busy_ms=busy_ms)
    return CopyReport(str(live), bytes_of(live), kept=str(kept or ""))


def swap_in(
    built: Path, live: Path, since: Watch | None = None, *, steps: Steps = in_silence, busy_ms: int = BUSY_MS
) -> None:
    """Put what was built beside into the live file. Readers see the old or the new. With `since`: only if nobody has
    changed the live file meanwhile; else StoreLocked, and both files are as they were."""
    with (
        _opened(built, write=False) as source,
        _opened(live, write=True, create=True, busy_ms=busy_ms) as target,
    ):
        there, coming = (int(database.pragma("page_size")) for database in (target, source))
        if there != coming and bytes_of(live):
            raise StoreError(f"{built.name} has pages of {coming} bytes, {live.name} of {there}.", "Import it instead.")
        unchanged = (lambda: not since.changed) if since else (lambda: True)
        if not target.become(source, partial(steps, "swap"), unchanged):
            raise StoreLocked(
                f"{live.name} was changed while its new content was built; nothing was swapped.",
                "Do it again when nobody else writes to the store.",
            )
        target.pragma("wal_checkpoint")


@contextmanager
def rebuilt_beside(live: Path, steps: Steps = in_silence) -> Iterator[Path]:
    """The path of a copy to change at will. At the end it is checked and takes the place of the live file, unless
    that has changed meanwhile: then StoreLocked. Whatever goes wrong, the live file stays as it is."""
    step_of(live)
    need_space(live.parent, 3 * bytes_of(live))
    watch = Watch(live)
    try:
        with beside(live) as made:
            copy_store(live, made, steps)
            yield made
            verify(made, steps)
            swap_in(made, live, watch, steps=steps)
    finally:
        watch.close()


def step_of(path: Path) -> int:
    """The schema step that a store has reached. Raises StoreError for what is no store, StoreTooNew."""
    with _opened(path, write=False) as database:
        owner, step = (int(database.pragma(name)) for name in ("application_id", "user_version"))
    if owner != APPLICATION_ID or not step:
        raise StoreError(f"{path} is not a pincite store.", "Check the path.")
    if step > len(STEPS):
        raise StoreTooNew(f"{path} was written by a newer pincite.", "Update pincite.")
    return step


def verify(path: Path, steps: Steps = in_silence) -> None:
    """Raises StoreCorrupt, with what is wrong, unless the file is sound. Of any schema step."""
    steps("check", 0, 0)
    with _opened(path, write=False) as database:
        faults = file_faults(database)
    if faults:
        raise StoreCorrupt(f"{path.name} is damaged: {faults[0]}", "Take another copy; nothing was changed.")


def exclusive(path: Path) -> None:
    """Fold the write-ahead log into the file, so that it may be moved. Raises StoreLocked while anybody else has it
    open: a file that is moved under a reader would part from its log."""
    try:
        with _opened(path, write=True, busy_ms=200) as database:
            database.pragma("journal_mode", "delete")
    except StoreLocked as fault:
        raise StoreLocked(f"{path.name} is in use by another process.", "Close it there and try again.") from fault


@contextmanager
def _ready(source: Path, live: Path, steps: Steps) -> Iterator[Path]:
    """A backup at the present schema step: itself, or a copy of it that was brought up to date beside the live file."""
    if not source.is_file():
        raise UsageError(f"There is no file {source}.", "Check the spelling.")
    if step_of(source) == len(STEPS):
        yield source
        return
    with beside(live) as made:
        need_space(live.parent, 2 * bytes_of(source))
        copy_store(source, made, steps)
        with _opened(made, write=True) as database:
            migrate(database)
            database.pragma("journal_mode", "delete")
        yield made


def _set_aside(live: Path, keep: bool, steps: Steps) -> Path | None:
    """A copy of the live file as it is. One that is damaged is copied too; one that is no database at all, and so
    serves nobody, is moved out of the way."""
    if not bytes_of(live):
        return None
    aside = live.with_name(f"{live.name}.before-{stamp()}")
    try:
        step_of(live)
    except StoreTooNew:
        raise
    except StoreError:
        live.replace(aside)
        remove(live)
        return aside
    if not keep:
        return None
    with beside(aside) as made:
        need_space(live.parent, bytes_of(live))
        copy_store(live, made, steps)
        publish(made, aside, force=False)
    return aside


def _refuse_itself(live: Path, other: Path) -> None:
    with disk_faults(other):
        same = live.exists() and other.exists() and live.samefile(other)
    if same:
        raise UsageError(f"{other} is the store itself.", "Give another file.")


@contextmanager
def _opened(path: Path, *, write: bool, create: bool = False, busy_ms: int = BUSY_MS) -> Iterator[Database]:
    database = Database(path, write=write, create=create, busy_ms=busy_ms)
    try:
        yield database
    finally:
        database.close()
