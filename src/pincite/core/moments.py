"""Moments as people write them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from pincite.core.errors import UsageError


def moment_of(text: str) -> str:
    """A date or a time as the store writes it: UTC with seconds. A day alone means its last second, and without
    an offset the clock of this machine counts. Raises
    UsageError."""
    try:
        if len(text) == len("2026-01-31"):
            read = datetime.combine(date.fromisoformat(text), time.max)
        else:
            read = datetime.fromisoformat(text)
        return read.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError) as fault:
        raise UsageError(
            f'"{text}" is neither a date nor the number of a change.',
            "Write 2026-03-31, 2026-03-31T09:00, or a number from: pincite history",
        ) from fault


_AGE = re.compile(r"([0-9]{1,6}) ?([hdwmy])")
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}


def moment_before(now: str, age: str) -> str:
    """The moment that lies so long before now: 12h, 90d, 8w, 6m (of 30 days), 2y (of 365); or a date or time as it
    is. Raises UsageError."""
    match = _AGE.fullmatch(age.strip().lower())
    if match is None:
        return moment_of(age)
    try:
        earlier = datetime.fromisoformat(now) - timedelta(days=int(match[1]) * _DAYS[match[2]])
    except OverflowError as fault:
        raise UsageError(f'"{age}" is longer ago than the calendar goes.', "Write 90d, 8w, 6m or 2y.") from fault
    return earlier.astimezone(UTC).isoformat(timespec="seconds")
