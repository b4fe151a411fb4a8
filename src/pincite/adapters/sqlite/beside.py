"""Files that are made beside their place and moved there once they are whole; private ones, on a disk with room."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pincite.core.errors import StoreError, UsageError

SIDES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file while it is in use."""
_MODE = 0o600
_FOLDER_MODE = 0o700
_LONG_AGO = 3600.0
"""Seconds: a process on another machine, which we cannot ask for, has written to its file since."""
Free = Callable[[Path], int]


def make_private(path: Path) -> None:
    """An empty file that its owner alone may read, unless there is a file. SQLite gives its mode to -wal and -shm."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY, _MODE))


def make_folder(folder: Path) -> None:
    """A folder with those above it; what we make is its owner's alone. Raises StoreError."""
    try:
        for missing in reversed([above for above in folder.parents if not above.exists()]):
            missing.mkdir(mode=_FOLDER_MODE, exist_ok=True)
        folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)
    except OSError as fault:
        raise StoreError(
            f"The folder {folder} cannot be made: {fault.strerror}.", "Check the path and its permissions."
        ) from fault


@contextmanager
def beside(place: Path) -> Iterator[Path]:
    """The path of a private, empty file in the same folder. Whatever is still there at the end is removed. Raises
    StoreError for what the disk or its permissions do not allow."""
    make_folder(place.parent)
    _sweep(place)
    made = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    with disk_faults(place):
        make_private(made)
        try:
            yield made
        finally:
            remove(made)


@contextmanager
def disk_faults(place: Path) -> Iterator[None]:
    """What the system says of a file, as one of our errors. A reader of our output that goes away is no such fault."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise StoreError(
            f"{place} cannot be written: {fault.strerror or fault}.", "Check the disk and its permissions."
        ) from fault


def _sweep(place: Path) -> None:
    """Remove what processes that died long ago left beside this place. Not on Windows, where to ask for a process is
    to end it."""
    if os.name != "posix":
        return
    pattern = re.compile(rf"{re.escape(f'.{place.name}.')}([0-9]+)-[0-9a-f]{{8}}\.part")
    for file in place.parent.iterdir():
        found = pattern.fullmatch(file.name)
        if found and not _runs(int(found[1])) and time.time() - file.stat().st_mtime > _LONG_AGO:
            remove(file)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def publish(made: Path, place: Path, *, force: bool) -> None:
    """Move a whole file to its place, on the disk before it has its name. Raises UsageError when the place is taken
    and not `force`, or belongs to a store that is in use."""
    refuse_taken(place, force=force)
    with made.open("rb+") as file:
        os.fsync(file.fileno())
    if force:
        made.replace(place)
    else:
        _move_to_free_place(made, place)
    _sync_folder(place.parent)


def refuse_taken(place: Path, *, force: bool) -> None:
    """Raises UsageError when a file may not be put there."""
    with disk_faults(place):
        there, used = place.exists(), any(place.with_name(place.name + side).exists() for side in SIDES)
    if place.is_dir():
        raise UsageError(f"{place} is a folder.", "Give the name of a file.")
    if there and not force:
        raise UsageError(f"There is a file {place} already.", "Choose another name, or replace it with --force.")
    if used:
        raise UsageError(
            f"{place} is a store that is in use: a file must never be moved over it.",
            "Choose another name. To bring a store back from a backup: pincite store restore-backup FILE",
        )


def _move_to_free_place(made: Path, place: Path) -> None:
    """A link fails when somebody has taken the name meanwhile; a file system without links has to do with a look."""
    try:
        os.link(made, place)
    except FileExistsError as fault:
        raise UsageError(f"There is a file {place} already.", "Choose another name.") from fault
    except OSError:
        refuse_taken(place, force=False)
        made.replace(place)
    else:
        made.unlink()


def _sync_folder(folder: Path) -> None:
    """So that the name outlives a power cut. Windows cannot open folders and does not need it."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove(path: Path) -> None:
    """A file with everything that SQLite keeps beside it."""
    for side in ("", *SIDES):
        path.with_name(path.name + side).unlink(missing_ok=True)


def bytes_of(path: Path) -> int:
    """A store file and its write-ahead log."""
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def need_space(folder: Path, needed: int, free: Free = free_bytes) -> None:
    """Raises StoreError, before anything is begun, when the disk has not the room."""
    there = free(folder)
    if there < needed:
        raise StoreError(
            f"This needs about {needed / 2**20:,.0f} MiB in {folder}, and {there / 2**20:,.0f} MiB are free.",
            "Free some space; nothing was changed.",
        )


def stamp() -> str:
    """The moment, fit for the name of a file."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
