"""The one room that knows who is who: names every adapter, and imports each when it is chosen."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.config import Config, load_config
from pincite.core.chunking import PROFILES
from pincite.core.errors import BackendError, ConfigError, UnknownName
from pincite.core.nearness import RememberingEmbedder
from pincite.core.ports import DocumentReader, Embedder, Generator, Store
from pincite.core.reports import Check, Probe
from pincite.library import Library
from pincite.parts import Parts
from pincite.pipelines.health import SWITCHED_OFF

if TYPE_CHECKING:
    from pincite.adapters.sqlite import SqliteReading
    from pincite.adapters.sqlite.registry import Registry


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
    return _writing(config, name, path) if write else _reading(config, name, path)


def registry(config: Config) -> Registry:
    """The named stores of this home folder."""
    from pincite.adapters.sqlite.registry import Registry

    return Registry(config.home)


def create_store(name: str, config: Config) -> Path:
    """Make an empty named store. Raises UsageError for a bad or taken name."""
    from pincite.adapters.sqlite import open_for_writing

    path = registry(config).path_for_new(name)
    open_for_writing(path, name).close()
    return path


def _reading(config: Config, name: str, path: Path) -> Library:
    from pincite.adapters.sqlite import open_for_reading

    return Library(_parts(config, open_for_reading(path, name)))


def _writing(config: Config, name: str, path: Path) -> Library:
    from dataclasses import replace

    from pincite.adapters import files
    from pincite.adapters.sqlite import open_for_writing

    store = open_for_writing(path, name)
    return Library(
        replace(
            _parts(config, store),
            writable=store,
            reader=_reader(config),
            discover=lambda paths: (found for found in files.discover(paths) if not _is_own(found, path)),
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


def environment_checks(config: Config | None = None) -> list[Check]:
    """One line a part of the surroundings: Python, packages, home folder, disk, embedding model."""
    from pincite.adapters.surroundings import check_surroundings

    config = config or load_config()
    embedder, why_not = _embedder(config)
    return check_surroundings(config.home, embedder, why_not, config.embedder == "none")
