"""Stores whose files lie outside the home folder: `registry.json` in it, a name and a path each.

The file is read anew under a lock before it is changed, and replaced whole, so that processes lose nobody's entry.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.adapters.sqlite.beside import beside, disk_faults, make_folder
from pincite.adapters.sqlite.locking import only_one
from pincite.core.errors import ConfigError

_SCHEMA = 1


class OutsideStores:
    """Names of store files anywhere."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._file = home / "registry.json"

    def paths(self) -> dict[str, Path]:
        """Raises ConfigError when the file is not one of ours."""
        try:
            value = json.loads(self._file.read_text("utf-8"))
            stores = value["stores"]
            if value["schema"] != _SCHEMA:
                raise ConfigError(f"{self._file} was written by a newer pincite.", "Update pincite.")
            return {str(name): Path(str(path)) for name, path in stores.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
            raise ConfigError(f"The list of stores in {self._file} cannot be read: {fault}", "Mend it.") from fault

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No other process changes names meanwhile."""
        make_folder(self._home)
        with only_one(self._home / "registry.lock"):
            yield

    def write(self, paths: dict[str, Path]) -> None:
        """Replace the list. Belongs inside `alone`."""
        value = {"schema": _SCHEMA, "stores": {name: str(path) for name, path in sorted(paths.items())}}
        with beside(self._file) as made:
            made.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8")
            replace_durably(made, self._file)


def replace_durably(made: Path, place: Path) -> None:
    """Put a small file in the place of another, whole or not at all. Raises StoreError."""
    with disk_faults(place):
        with made.open("rb+") as file:
            os.fsync(file.fileno())
        made.replace(place)
