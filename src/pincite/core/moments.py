"""Moments as people write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

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
