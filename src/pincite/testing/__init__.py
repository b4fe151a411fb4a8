"""Shipped fakes, one for every port, for the tests of those who build on pincite and for our own."""

from __future__ import annotations

from pincite.testing.models import FakeEmbedder, FakeReader, ScriptedGenerator, reading_of
from pincite.testing.store import MemoryStore

__all__ = ["FakeEmbedder", "FakeReader", "MemoryStore", "ScriptedGenerator", "reading_of"]
