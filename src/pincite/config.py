"""Settings: defaults < user file < project file < environment < flags. Frozen, checked, and each value knows
where it came from.

The user file is `config.toml` in pincite's home, the project file `pincite.toml` in the working folder; both
are plain data. Environment variables are PINCITE_ and the name in capitals. Unknown names are refused: a
mistyped setting that is ignored is worse than one that stops.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pincite.core.chunking import DEFAULT_PROFILE, PROFILES
from pincite.core.errors import ConfigError

PREFIX = "PINCITE_"
EMBEDDERS = ("minilm", "none")
OCR_ENGINES = ("auto", "off", "rapidocr", "tesseract")
_NOT_SETTINGS = frozenset({"PINCITE_HOME", "PINCITE_SHARED", "PINCITE_UPDATE_GOLDENS"})


@dataclass(frozen=True)
class Config:
    """Every setting with its default. `origins` tells where each value that is not a default came from."""

    home: Path
    """Where named stores and the user's settings live; moved by PINCITE_HOME."""
    store: str = ""
    """Name or path of the store to use; empty for the active one."""
    embedder: str = "minilm"
    profile: str = DEFAULT_PROFILE
    """How large chunks are."""
    limit: int = 5
    """Hits that a search gives."""
    claims: int = 3
    """Statements in an answer, at most."""
    threads: int = 0
    """For embedding; 0 for as many as there are cores."""
    reader_seconds: int = 60
    """Wall time that reading one file may take, more for large ones."""
    reader_mib: int = 1536
    """Memory that reading one file may take."""
    readers: int = 0
    """Files that are read at once; 0 for as many as there are cores, at most four."""
    ocr: str = "auto"
    """What reads pictures of text: auto, off, rapidocr or tesseract."""
    ocr_languages: str = ""
    """Languages on the pictures, ISO 639-1 codes parted by commas, such as `de,en`; empty for the engine's own."""
    origins: Mapping[str, str] = field(default_factory=dict)

    def origin(self, name: str) -> str:
        return self.origins.get(name, "default")


NAMES = tuple(entry.name for entry in fields(Config) if entry.name not in ("home", "origins"))
_WHOLE_NUMBERS = {"limit": (1, 100), "claims": (1, 10), "threads": (0, 256), "reader_seconds": (1, 86_400)}
_WHOLE_NUMBERS |= {"reader_mib": (256, 1 << 20), "readers": (0, 64)}
_CHOICES = {"embedder": EMBEDDERS, "profile": tuple(sorted(PROFILES)), "ocr": OCR_ENGINES}


def load_config(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Config:
    """The settings in force. Raises ConfigError for an unknown name or a value out of range."""
    environment = os.environ if environment is None else environment
    home = home_folder(environment)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {"home": "PINCITE_HOME"} if environment.get("PINCITE_HOME") else {}
    for origin, layer in (
        (str(home / "config.toml"), _file(home / "config.toml")),
        ("pincite.toml", _file(Path("pincite.toml"))),
        ("environment", _environment(environment)),
        ("flag", {name: value for name, value in (flags or {}).items() if value not in (None, "")}),
    ):
        for name, value in layer.items():
            values[name] = _checked(name, value, origin)
            origins[name] = origin
    return Config(home=home, origins=origins, **values)


def home_folder(environment: Mapping[str, str]) -> Path:
    """Where state lives: PINCITE_HOME, or the platform's folder for application data."""
    given = environment.get("PINCITE_HOME")
    if given:
        return Path(given).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("pincite")


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise ConfigError(f"The settings in {path} cannot be read: {fault}", "Mend or remove the file.") from fault


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        key[len(PREFIX) :].lower(): value
        for key, value in environment.items()
        if key.startswith(PREFIX) and key not in _NOT_SETTINGS and value
    }


def _checked(name: str, value: Any, origin: str) -> Any:
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(NAMES)}."
        raise ConfigError(f'There is no setting "{name}" (from {origin}).', hint)
    if name in _WHOLE_NUMBERS:
        return _whole_number(name, value, origin)
    if not isinstance(value, str):
        raise ConfigError(f"The setting {name} (from {origin}) must be a text.", "Put it in quotes.")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ConfigError(
            f'{name} = "{value}" (from {origin}) is not known.', f"There are: {', '.join(_CHOICES[name])}."
        )
    return value


def _whole_number(name: str, value: Any, origin: str) -> int:
    least, most = _WHOLE_NUMBERS[name]
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = least - 1
    if isinstance(value, (bool, float)) or not least <= number <= most:
        raise ConfigError(f"{name} = {value} (from {origin}) must be a whole number from {least} to {most}.")
    return number
