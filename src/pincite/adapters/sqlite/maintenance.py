"""What can be done to a store file as a whole. Each verb opens the file for itself and closes it again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pincite.adapters.sqlite.backup import backup_store, restore_store, step_of
from pincite.adapters.sqlite.beside import bytes_of
from pincite.adapters.sqlite.checking import check_file, file_faults
from pincite.adapters.sqlite.compaction import compact
from pincite.adapters.sqlite.database import BUSY_MS, Database
from pincite.adapters.sqlite.export import export_store
from pincite.adapters.sqlite.rebuilding import rebuild_fulltext
from pincite.adapters.sqlite.schema import STEPS, migrate
from pincite.core.errors import StoreCorrupt
from pincite.core.upkeep import CheckReport, CompactReport, CopyReport, Steps, in_silence


class SqliteUpkeep:
    """Implements `pincite.core.upkeep.Upkeep`."""

    def __init__(self, path: Path, busy_ms: int = BUSY_MS) -> None:
        self._path = path
        self._busy_ms = busy_ms

    def check(self, steps: Steps = in_silence) -> CheckReport:
        try:
            step = step_of(self._path)
            with closing(Database(self._path, write=False)) as database:
                if step < len(STEPS):
                    return CheckReport(0, 0, tuple(file_faults(database)))
                return check_file(database, steps)
        except StoreCorrupt as fault:
            return CheckReport(0, 0, (fault.message,))

    def backup(self, to: Path, *, force: bool = False, steps: Steps = in_silence) -> CopyReport:
        return backup_store(self._path, to, force=force, steps=steps)

    def restore(self, source: Path, *, keep: bool = True, steps: Steps = in_silence) -> CopyReport:
        return restore_store(source, self._path, keep=keep, steps=steps, busy_ms=self._busy_ms)

    def rebuild(self, steps: Steps = in_silence) -> int:
        with closing(self._open()) as database:
            return rebuild_fulltext(database, steps)

    def compact(self, steps: Steps = in_silence) -> CompactReport:
        with closing(self._open()) as database:
            report = compact(database, steps)
        # The last one to close the file folds the log into it.
        return CompactReport(report.before, bytes_of(self._path), report.waiting)

    def export(
        self, to: Path | None, *, vectors: bool = True, force: bool = False, steps: Steps = in_silence
    ) -> CopyReport:
        step_of(self._path)
        with closing(Database(self._path, write=False)) as database:
            return export_store(database, to, vectors=vectors, force=force, steps=steps)

    def _open(self) -> Database:
        """For writing, at the present schema step."""
        step_of(self._path)
        database = Database(self._path, write=True, busy_ms=self._busy_ms)
        migrate(database)
        return database
