"""What a Library is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from pincite.core.chunking import DEFAULT_PROFILE, PROFILES, Profile
from pincite.core.ports import Clock, DocumentReader, Embedder, Filter, Generator, Store, WritableStore
from pincite.core.upkeep import Upkeep
from pincite.pipelines.ingest import Identify

EVERYTHING = Filter()


@dataclass(frozen=True)
class Parts:
    """What a Library is made of. `pincite.wiring` puts it together; tests may use the shipped fakes."""

    store: Store
    generator: Generator
    now: Clock
    embedder: Embedder | None = None
    no_embedder: str = ""
    """Why there is no embedder, as a sentence; shown wherever the dense lane is missed."""
    writable: WritableStore | None = None
    """The same store for writing; None for a library that only reads."""
    reader: DocumentReader | None = None
    discover: Callable[[Sequence[str | Path]], Iterator[Path]] | None = None
    identify: Identify | None = None
    profile: Profile = PROFILES[DEFAULT_PROFILE]
    integrity: Callable[[], list[str]] | None = None
    """What is wrong with the store file, a sentence each."""
    generator_of: Callable[[Store], Generator] | None = None
    """The generator that weighs words as they were in a store of the past; None for one that does not."""
    upkeep: Upkeep | None = None
    """The store as a file; None for one that is none."""
    snapshot: Callable[[], AbstractContextManager[None]] = nullcontext
    """While it is held all reads see one state of the store, whatever others write, or swap in."""
    close: Callable[[], None] = lambda: None
