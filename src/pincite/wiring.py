"""The one room that knows who is who: names every adapter, and imports each when it is chosen."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.config import Config, load_config
from pincite.core.chunking import PROFILES
from pincite.core.errors import BackendError, ConfigError, PinciteError, UnknownName
from pincite.core.nearness import RememberingEmbedder
from pincite.core.ports import DocumentReader, Embedder, Generator, Store
from pincite.core.reports import Check, IngestProgress, Probe
from pincite.core.upkeep import CopyReport, CorpusReport, Steps, Upkeep, in_silence
from pincite.library import Library
from pincite.parts import Parts
from pincite.pipelines.health import SWITCHED_OFF

if TYPE_CHECKING:
    from pincite.adapters.sqlite import SqliteReading
    from pincite.adapters.sqlite.registry import Registry

_LOG = logging.getLogger("pincite")
_WARNED: set[Path] = set()


def open_library(store: str | Path = "", *, write: bool = False, config: Config | None = None) -> Library:
    """Open a store as a Library.

    `store` is the name of a store, or the path of a file; empty for the active one. With `write` it is made
    if it is not there. Readers never write, so any number may be open while one process ingests.

    Raises UnknownName when there is no such store, StoreError when the file cannot serve, ConfigError for
    faulty settings. A missing embedding model does not stop: the library then searches by words alone and
    says so.
    """
    config = config or load_config()
    name, path = registry(config).resolve(str(store) or config.store, must_exist=not write)
    if write:
        warn_of_network(path)
    return _writing(config, name, path) if write else _reading(config, name, path)


def registry(config: Config) -> Registry:
    """The named stores of this home folder."""
    from pincite.adapters.sqlite.registry import Registry

    return Registry(config.home)


def create_store(name: str, config: Config, file: str | Path | None = None) -> tuple[Path, bool]:
    """Make an empty named store, in the home folder or in this file; a store that is in the file gets the name. Its
    path, and whether it was made. Raises UsageError for a bad or taken name, StoreError for another kind of file."""
    from pincite.adapters.sqlite import open_for_writing

    return registry(config).create(
        name, Path(file) if file else None, lambda path: open_for_writing(path, name).close()
    )


def import_store(source: Path, name: str, config: Config, file: str = "", steps: Steps = in_silence) -> CopyReport:
    """A new named store from an export. Raises UsageError for a taken name or file, StoreCorrupt, StoreTooNew."""
    from pincite.adapters.sqlite.importing import import_store as make_of

    made: list[CopyReport] = []
    place = Path(file) if file else None
    registry(config).create(name, place, lambda path: made.append(make_of(source, path, steps)), adopt=False)
    return made[0]


def upkeep(store: str = "", config: Config | None = None, *, must_exist: bool = True) -> tuple[str, Upkeep]:
    """Name of a store, and what can be done to its file, which need not be sound or of this version."""
    from pincite.adapters.sqlite.maintenance import SqliteUpkeep

    config = config or load_config()
    name, path = registry(config).resolve(store or config.store, must_exist=must_exist)
    return name, SqliteUpkeep(path)


def rebuild_corpus(
    store: str = "",
    config: Config | None = None,
    *,
    progress: Callable[[IngestProgress], None] | None = None,
    steps: Steps = in_silence,
) -> CorpusReport:
    """Read all files of a store again, in a copy beside it that then takes its place; readers have the old until
    then. Raises StoreLocked, and leaves the store alone, when somebody else has changed it meanwhile."""
    from pincite.adapters.sqlite.backup import rebuilt_beside

    config = config or load_config()
    name, path = registry(config).resolve(store or config.store, must_exist=True)
    with rebuilt_beside(path, steps) as copy, _writing(config, name, copy, own=path) as library:
        return library.reread(progress)


def _reading(config: Config, name: str, path: Path) -> Library:
    from pincite.adapters.sqlite import open_for_reading

    return Library(_parts(config, open_for_reading(path, name)))


def warn_of_network(path: Path, mounts: str = "") -> None:
    """Once a process and file. The command line shows warnings of this logger on standard error. `mounts` is the
    table to look into instead of the system's."""
    from pincite.adapters.mounts import network_type

    kind = network_type(path, Path(mounts)) if mounts else network_type(path)
    if kind and path not in _WARNED:
        _WARNED.add(path)
        _LOG.warning(
            "Warning: %s is on a network file system (%s). Two machines that write to it can damage it; "
            "keep the store on a local disk and back it up to the network: pincite store backup FILE",
            path,
            kind,
        )


def _writing(config: Config, name: str, path: Path, own: Path | None = None) -> Library:
    from dataclasses import replace

    from pincite.adapters import files
    from pincite.adapters.sqlite import open_for_writing

    store = open_for_writing(path, name)
    return Library(
        replace(
            _parts(config, store),
            writable=store,
            reader=_reader(config),
            discover=lambda paths: (found for found in files.discover(paths) if not _is_own(found, own or path)),
            identify=files.source_of,
        )
    )


def _reader(config: Config) -> DocumentReader:
    from pincite.adapters.readers.ocr_choice import choose_ocr
    from pincite.adapters.readers.sandbox import Limits, SandboxedReader

    limits = Limits(seconds=config.reader_seconds, memory_bytes=config.reader_mib * 1024 * 1024)
    workers = config.readers or min(4, os.cpu_count() or 1)
    languages = tuple(code.strip().lower() for code in config.ocr_languages.split(",") if code.strip())
    ocr = choose_ocr(config.ocr, languages)
    if ocr is None and config.ocr in ("rapidocr", "tesseract"):
        hint = "pip install 'pincite[ocr]'" if config.ocr == "rapidocr" else "Install tesseract-ocr with its languages."
        raise ConfigError(f"The recogniser {config.ocr} (setting ocr) is not installed.", hint)
    return SandboxedReader(limits, workers=workers, ocr=ocr)


def _is_own(found: Path, store: Path) -> bool:
    """Whether a file is the store itself or one of SQLite's files beside it: a store never ingests itself."""
    return found.name in {store.name + suffix for suffix in ("", "-wal", "-shm", "-journal")} and (
        found.resolve().parent == store.resolve().parent
    )


def _parts(config: Config, store: SqliteReading) -> Parts:
    from pincite.adapters.generators.extractive import ExtractiveGenerator
    from pincite.adapters.sqlite.maintenance import SqliteUpkeep

    embedder, why_not = _embedder(config)

    def generator_of(held: Store) -> Generator:
        return ExtractiveGenerator(held.lexical, embedder, config.claims)

    return Parts(
        store=store,
        generator=generator_of(store),
        generator_of=generator_of,
        now=lambda: datetime.now(UTC).isoformat(timespec="seconds"),
        embedder=embedder,
        no_embedder=why_not,
        profile=PROFILES[config.profile],
        integrity=store.integrity,
        upkeep=SqliteUpkeep(store.path),
        snapshot=store.snapshot,
        close=store.close,
    )


def _embedder(config: Config) -> tuple[Embedder | None, str]:
    """The embedder that the settings name, or why there is none."""
    if config.embedder == "none":
        return None, f"{SWITCHED_OFF} (embedder = none)"
    from pincite.adapters.embedders import NAMES

    module, _, name = NAMES[config.embedder].partition(":")
    try:
        made: Embedder = getattr(import_module(module), name)(config.threads)
    except BackendError as fault:
        return None, f"{fault.message} {fault.hint}".strip()
    return RememberingEmbedder(made), ""


def measure(store: str = "", config: Config | None = None) -> Probe:
    """What embedding costs here; with a store, also what a passage takes on disk. Raises BackendError when
    there is no embedder."""
    from pincite.pipelines.health import measure_embedding

    config = config or load_config()
    embedder, why_not = _embedder(config)
    try:
        with open_library(store, config=config) as library:
            status = library.status()
    except UnknownName:
        if store:
            raise
        status = None
    return measure_embedding(embedder, why_not, status)


def environment_checks(config: Config | None = None, store: str = "") -> list[Check]:
    """One line a part of the surroundings: Python, packages, home folder, disk, embedding model, file system."""
    from pincite.adapters.surroundings import check_place, check_surroundings

    config = config or load_config()
    embedder, why_not = _embedder(config)
    checks = check_surroundings(config.home, embedder, why_not, config.embedder == "none")
    try:
        return [*checks, check_place(registry(config).resolve(store or config.store, must_exist=False)[1])]
    except PinciteError:
        return checks
