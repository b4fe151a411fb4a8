"""What stops a caller. What does not stop one (a bad file, nothing found) is data: Outcome, NotFound.

PinciteError                  everything below; has a hint what to do
├── UsageError                the request itself is wrong
│   ├── ConfigError           an unknown or malformed setting
│   └── UnknownName           no such store, document, revision, profile …
├── StoreError                the file cannot serve
│   ├── StoreLocked           another process is writing
│   ├── StoreCorrupt          the integrity check failed
│   ├── StoreTooNew           written by a newer pincite
│   └── EditConflict          somebody changed the document meanwhile
├── IndexMismatch             the store was embedded with another model
├── BackendError              an embedding or generation model cannot be had
└── QuoteLawBroken            a quote is not in its source: a fault of ours, never shown as an answer
"""

from __future__ import annotations


class PinciteError(Exception):
    """Base of all. `message` says what happened, `hint` what to do about it."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(PinciteError):
    """The request itself is wrong: an empty question, a flag out of range."""

    exit_code = 2


class ConfigError(UsageError):
    """An unknown or malformed setting."""


class UnknownName(UsageError):
    """No such store, document, revision or profile."""


class StoreError(PinciteError):
    """The store file cannot serve: missing, unreadable, not a store."""


class StoreLocked(StoreError):
    """Another process holds the write lock."""

    exit_code = 5


class StoreCorrupt(StoreError):
    """The integrity check failed."""

    exit_code = 7


class StoreTooNew(StoreError):
    """The file was written by a newer version of pincite."""


class EditConflict(StoreError):
    """The document is not at the revision that the change was made for."""

    exit_code = 5


class IndexMismatch(PinciteError):
    """The store's vectors are of another embedder: comparing them would be nonsense."""

    exit_code = 5


class BackendError(PinciteError):
    """An embedding or generation model cannot be had."""

    exit_code = 6


class QuoteLawBroken(PinciteError):
    """A quote is not a slice of the revision that it cites."""

    exit_code = 7
