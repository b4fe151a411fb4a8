"""Named stores: `stores/NAME.db` in pincite's home folder, files registered from elsewhere, and one of them active."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pincite.adapters.sqlite.backup import exclusive, step_of
from pincite.adapters.sqlite.beside import SIDES, beside, disk_faults, make_folder, remove, stamp
from pincite.adapters.sqlite.outside import OutsideStores, replace_durably
from pincite.core.errors import StoreError, StoreTooNew, UnknownName, UsageError

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
    outside: bool = False
    """Whether its file lies elsewhere than in the home folder."""
    there: bool = True
    """False for a registered file that is gone, perhaps with its disk."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What became of a store that was dropped."""

    name: str
    path: Path
    """Where its file is now; where it was, if it was purged."""
    purged: bool
    active: str
    """The store that is active from now on; empty when that has not changed."""


class Registry:
    """The stores of one home folder."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._folder = home / "stores"
        self._pointer = home / "active-store"
        self._outside = OutsideStores(home)

    def entries(self) -> list[StoreEntry]:
        active, outside = self.active(), self._outside.paths()
        return [_entry(name, path, name == active, name in outside) for name, path in sorted(self._paths().items())]

    def entry(self, name: str) -> StoreEntry:
        """Raises UnknownName, with near names."""
        self._known(name)
        return next(entry for entry in self.entries() if entry.name == name)

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
        if path.exists() or name in self._outside.paths():
            raise UsageError(f"There is a store {name} already.", f"Make it the active one: pincite store use {name}")
        return path

    def create(
        self, name: str, file: Path | None, make: Callable[[Path], object], *, adopt: bool = True
    ) -> tuple[Path, bool]:
        """A new store at the usual place or in this file. A store that is in the file already gets the name, if
        `adopt`. Returns the path, and whether it was made. Raises UsageError, StoreError for another kind of file."""
        with self._outside.alone():
            path = self.path_for_new(name)
            if file is not None:
                path = self._place_for(file)
            fresh = not path.exists()
            if fresh:
                make(path)
            elif adopt:
                step_of(path)
            else:
                raise UsageError(f"There is a file {path} already.", "Give the name of a file that is not there.")
            if file is not None:
                self._outside.write({**self._outside.paths(), name: path})
        return path, fresh

    def _place_for(self, file: Path) -> Path:
        """The path of an outside file, if it has no name yet."""
        path = file.expanduser().resolve()
        for name, taken in self._paths().items():
            if taken.resolve() == path:
                raise UsageError(f"{path} is the store {name} already.", f"Rename it: pincite store rename {name} NEW")
        if path.is_dir():
            raise UsageError(f"{path} is a folder.", "Give the name of a file.")
        return path

    def use(self, name: str) -> None:
        """Make a store the active one. Raises UnknownName."""
        self._known(name)
        self._point_to(name)

    def rename(self, old: str, new: str) -> Path:
        """Another name, and for a store in the home folder another file. Raises UnknownName, UsageError for a bad or
        taken name, StoreLocked while the file is in use."""
        with self._outside.alone():
            self._known(old)
            path, outside = self.path_for_new(new), self._outside.paths()
            if old in outside:
                path = outside.pop(old)
                self._outside.write({**outside, new: path})
            else:
                _move(self._paths()[old], path)
            if self.active() == old:
                self._point_to(new)
        return path

    def drop(self, name: str, *, purge: bool = False) -> Dropped:
        """Take a store out of the list. The file of one in the home folder goes to `dropped/`, another file stays
        where it is; with `purge` it is deleted. Raises UnknownName, StoreLocked while a file that is to be moved or
        deleted is in use."""
        with self._outside.alone():
            entry = self.entry(name)
            place = entry.path
            if purge and entry.there:
                _end(entry.path)
            elif not entry.outside:
                place = self._home / "dropped" / f"{name}-{stamp()}{SUFFIX}"
                _move(entry.path, place)
            if entry.outside:
                self._outside.write({key: path for key, path in self._outside.paths().items() if key != name})
            return Dropped(name, place, purge, self._after(name) if entry.active else "")

    def _after(self, dropped: str) -> str:
        """Make another store the active one: the default if it is there, else the first by name."""
        left = [entry.name for entry in self.entries() if entry.name != dropped and entry.there]
        chosen = DEFAULT if DEFAULT in left or not left else left[0]
        self._point_to(chosen)
        return chosen

    def resolve(self, name_or_file: str, *, must_exist: bool) -> tuple[str, Path]:
        """Name and file of a store. A text with a suffix or a slash is a file; empty is the active store. Raises
        UnknownName, with near names, when it must exist and does not. A registered file must always exist: one that
        is gone with its disk must not be replaced by an empty one."""
        wanted = name_or_file or self.active()
        if "/" in wanted or "\\" in wanted or Path(wanted).suffix:
            path = Path(wanted).expanduser().absolute()
            if must_exist and not path.is_file():
                raise UnknownName(f"There is no store at {path}.", f"Make one: pincite ingest -s {path} PATH")
            return self._name_of(path), path
        if not _NAME.fullmatch(wanted):
            raise UsageError(f'"{wanted}" is neither the name of a store nor a file.', "See: pincite store list")
        if outside := self._outside.paths().get(wanted):
            if not outside.is_file():
                hint = f"Bring the file or its disk back, or forget the store: pincite store drop {wanted}"
                raise UnknownName(f"The file of the store {wanted} is not there: {outside}", hint)
            return wanted, outside
        if must_exist:
            self._known(wanted)
        return wanted, self._folder / f"{wanted}{SUFFIX}"

    def _name_of(self, path: Path) -> str:
        """The registered name of a file, so that addresses of passages stay the same; else its own."""
        found = (name for name, taken in self._paths().items() if taken == path or taken == path.resolve())
        return next(found, path.stem)

    def _paths(self) -> dict[str, Path]:
        files = self._folder.glob(f"*{SUFFIX}") if self._folder.is_dir() else ()
        return {path.stem: path for path in files if _NAME.fullmatch(path.stem)} | self._outside.paths()

    def _point_to(self, name: str) -> None:
        make_folder(self._home)
        with beside(self._pointer) as made:
            made.write_text(f"{name}\n", "utf-8")
            replace_durably(made, self._pointer)

    def _known(self, name: str) -> None:
        names = list(self._paths())
        if name in names:
            return
        near = difflib.get_close_matches(name, names, n=1)
        if near:
            raise UnknownName(f"There is no store {name}.", f"Did you mean {near[0]}?")
        hint = "Add documents first: pincite ingest PATH" if name == DEFAULT else f"Make it: pincite store new {name}"
        raise UnknownName(f"There is no store {name} yet.", hint)


def _entry(name: str, path: Path, active: bool, outside: bool) -> StoreEntry:
    there = path.is_file()
    return StoreEntry(name, path, active, path.stat().st_size if there else 0, outside, there)


def _move(path: Path, to: Path) -> None:
    """A whole file that nobody has open. Raises StoreLocked. A damaged one is moved as it is."""
    _alone_with(path)
    make_folder(to.parent)
    with disk_faults(to):
        for side in (*SIDES, ""):
            lying = path.with_name(path.name + side)
            if lying.exists():
                lying.rename(to.with_name(to.name + side))


def _end(path: Path) -> None:
    _alone_with(path)
    with disk_faults(path):
        remove(path)


def _alone_with(path: Path) -> None:
    """Raises StoreLocked while another process has the store open. What is no sound store serves nobody."""
    try:
        step_of(path)
        exclusive(path)
    except StoreTooNew:
        exclusive(path)
    except StoreError as fault:
        if fault.exit_code == 5:
            raise
