"""One process at a time, by a lock of the operating system: it goes when the process does, however that ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.adapters.sqlite.beside import disk_faults
from pincite.core.errors import StoreLocked

_PATIENCE = 10.0
"""Seconds; what is done under the lock takes milliseconds."""


@contextmanager
def only_one(lock: Path) -> Iterator[None]:
    """Hold the lock of this file, which stays. Raises StoreLocked when it cannot be had in time."""
    with disk_faults(lock):
        descriptor = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        deadline = time.monotonic() + _PATIENCE
        while not _taken(descriptor):
            if time.monotonic() > deadline:
                raise StoreLocked(f"Another process holds {lock}.", "Wait for it to finish and try again.")
            time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    """Closing the file gives the lock back."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
