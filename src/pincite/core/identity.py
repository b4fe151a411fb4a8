"""What makes two vectors comparable, and a matrix of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vectors:
    """A matrix of 32-bit floats, little endian, one row a text. Bytes, so that the core needs no numpy."""

    dimension: int
    data: bytes

    def __len__(self) -> int:
        return len(self.data) // (4 * self.dimension)

    def row(self, index: int) -> bytes:
        width = 4 * self.dimension
        return self.data[index * width : (index + 1) * width]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Everything that makes two vectors comparable. It is part of the index (law 6)."""

    name: str
    digest: str
    """sha256 of the weights."""
    dimension: int
    window: int
    """Tokens that the model takes at most, special tokens included."""
    pooling: str
    normalised: bool
    query_prefix: str = ""
    passage_prefix: str = ""

    @property
    def key(self) -> str:
        """One line that is equal exactly when the vectors are comparable."""
        return "|".join(
            [
                self.name,
                self.digest[:16],
                str(self.dimension),
                str(self.window),
                self.pooling,
                "l2" if self.normalised else "raw",
                self.query_prefix,
                self.passage_prefix,
            ]
        )
