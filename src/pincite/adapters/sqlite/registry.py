"""Named stores under pincite's home folder: `stores/NAME.db`, and one of them active."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from pincite.core.errors import UnknownName, UsageError

DEFAULT = "default"
SUFFIX = ".db"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")


@dataclass(frozen=True, slots=True)
class StoreEntry:
    """A named store: its file, and whether it is the one that verbs use by default."""

    name: str
    path: Path
    active: bool
    bytes: int


class Registry:
    """The stores of one home folder."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "stores"
        self._pointer = home / "active-store"

    def entries(self) -> list[StoreEntry]:
        active = self.active()
        files = sorted(self._folder.glob(f"*{SUFFIX}")) if self._folder.is_dir() else []
        return [StoreEntry(path.stem, path, path.stem == active, path.stat().st_size) for path in files]

    def active(self) -> str:
        """The name of the active store, which need not exist yet."""
        try:
            name = self._pointer.read_text("utf-8").strip()
        except FileNotFoundError:
            return DEFAULT
        return name if _NAME.fullmatch(name) else DEFAULT

    def path_for_new(self, name: str) -> Path:
        """Where a new store of this name goes. Raises UsageError for a bad or taken name."""
        if not _NAME.fullmatch(name):
            raise UsageError(
                f'"{name}" cannot be the name of a store.',
                "Use letters, digits, - and _, beginning with a letter or digit.",
            )
        path = self._folder / f"{name}{SUFFIX}"
        if path.exists():
            raise UsageError(f"There is a store {name} already.", f"Make it the active one: pincite store use {name}")
        return path

    def use(self, name: str) -> None:
        """Make a store the active one. Raises UnknownName."""
        self._known(name)
        self._pointer.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._pointer.with_name(f"{self._pointer.name}.{os.getpid()}")
        fresh.write_text(f"{name}\n", "utf-8")
        fresh.replace(self._pointer)

    def resolve(self, name_or_file: str, *, must_exist: bool) -> tuple[str, Path]:
        """Name and file of a store. A text with a suffix or a slash is a file outside the home folder; empty
        is the active store. Raises UnknownName, with near names, when it must exist and does not."""
        wanted = name_or_file or self.active()
        if "/" in wanted or "\\" in wanted or Path(wanted).suffix:
            path = Path(wanted).expanduser().absolute()
            if must_exist and not path.is_file():
                raise UnknownName(f"There is no store at {path}.", f"Make one: pincite ingest -s {path} PATH")
            return path.stem, path
        if not _NAME.fullmatch(wanted):
            raise UsageError(f'"{wanted}" is neither the name of a store nor a file.', "See: pincite store list")
        path = self._folder / f"{wanted}{SUFFIX}"
        if must_exist:
            self._known(wanted)
        return wanted, path

    def _known(self, name: str) -> None:
        names = [path.stem for path in self._folder.glob(f"*{SUFFIX}")] if self._folder.is_dir() else []
        if name in names:
            return
        near = difflib.get_close_matches(name, names, n=1)
        if near:
            raise UnknownName(f"There is no store {name}.", f"Did you mean {near[0]}?")
        hint = "Add documents first: pincite ingest PATH" if name == DEFAULT else f"Make it: pincite store new {name}"
        raise UnknownName(f"There is no store {name} yet.", hint)
