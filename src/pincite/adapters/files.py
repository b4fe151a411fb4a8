"""Files on disk: which there are, what kind each is, and the fingerprint of its bytes."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.adapters.media_types import sniff
from pincite.core.documents import Outcome, OutcomeKind, Source
from pincite.core.errors import UsageError

_SKIPPED = frozenset({"__pycache__", "node_modules", "lost+found"})


def discover(paths: Sequence[str | Path]) -> Iterator[Path]:
    """The files under these paths, each once, in sorted order within a folder.

    Hidden files and folders are passed over unless named outright. Symbolic links are followed only to places
    under the folder that was given. Raises UsageError for a path that does not exist.
    """
    seen: set[Path] = set()
    for given in paths:
        root = Path(given).expanduser()
        if not os.path.lexists(root):
            raise UsageError(f"There is no file or folder {root}.", "Check the spelling.")
        found = _walk(root, root.resolve(), set()) if root.is_dir() else iter([root])
        for path in found:
            resolved = path.resolve()
            if resolved not in seen:
                seen.add(resolved)
                yield path


def _walk(folder: Path, root: Path, entered: set[Path]) -> Iterator[Path]:
    resolved = folder.resolve()
    if resolved in entered:
        return
    entered.add(resolved)
    try:
        names = sorted(folder.iterdir())
    except OSError:
        yield folder
        return
    for path in names:
        if path.name.startswith(".") or path.name in _SKIPPED:
            continue
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            continue
        if path.is_dir():
            yield from _walk(path, root, entered)
        elif path.is_file() or not path.exists():
            yield path


def source_of(path: Path) -> Source | Outcome:
    """What a file is, by its bytes; or why it cannot be opened."""
    try:
        digest, size = _fingerprint(path)
        with path.open("rb") as file:
            media_type = sniff(file, path.name)
    except OSError as fault:
        why = fault.strerror or type(fault).__name__
        return Outcome(OutcomeKind.FAILED, "unreadable", f"The file cannot be opened: {why}.", "Check its permissions.")
    return Source(
        uri=uri_of(path), name=_clean(path.name), media_type=media_type, sha256=digest, size=size, path=str(path)
    )


def uri_of(path: Path) -> str:
    """The identity of a file in a store: its absolute path, forward slashes, composed characters."""
    return _clean(unicodedata.normalize("NFC", path.resolve().as_posix()))


def _clean(name: str) -> str:
    """A name that can be stored as UTF-8, whatever bytes the file system holds."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _fingerprint(path: Path) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
            size += len(part)
    return digest.hexdigest(), size
