"""The dense lane: exact cosine over the vectors of the live chunks.

The matrix is built from the rows when first needed and again whenever the file has changed, in this process
or another; the rows are the only truth. numpy is imported only here, and only when a vector is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.adapters.sqlite.database import Database
from pincite.adapters.sqlite.filters import conditions, restricts
from pincite.adapters.sqlite.scope import NOW, Scope
from pincite.core.errors import IndexMismatch
from pincite.core.ports import Filter

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Matrix = NDArray[numpy.float32]
    Keys = NDArray[numpy.int64]


class SqliteVectorIndex:
    """Implements `pincite.core.ports.VectorIndex`."""

    def __init__(self, database: Database, scope: Scope = NOW) -> None:
        self._database = database
        self._chunks = (
            f"{scope.chunks} JOIN embeddings e ON e.digest = c.digest"
            " JOIN generations g ON g.id = e.generation AND g.state = 'live' WHERE c.indexed"
        )
        self._scope = scope
        self._version: tuple[int, int] | None = None
        self._keys: Keys
        self._matrix: Matrix

    def search(self, vector: bytes, limit: int, where: Filter) -> list[tuple[int, float]]:
        import numpy as np

        self._load()
        if not len(self._keys) or limit < 1:
            return []
        scores: Matrix = _cosines(self._matrix, self._query(vector))
        scores[np.isnan(scores)] = -np.inf
        if restricts(where):
            scores[~self._allowed(where)] = -np.inf
        return [(int(self._keys[i]), float(scores[i])) for i in _best(scores, limit) if scores[i] > -np.inf]

    def scores(self, vector: bytes, keys: Sequence[int]) -> dict[int, float]:
        import numpy as np

        self._load()
        if not len(self._keys) or not keys:
            return {}
        wanted = np.array(keys, dtype=np.int64)
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        there = self._keys[places] == wanted
        cosines = _cosines(self._matrix[places[there]], self._query(vector))
        return {int(key): float(cosine) for key, cosine in zip(wanted[there], cosines, strict=True)}

    def size(self) -> int:
        if self._version == self._database.version:
            return len(self._keys)
        row = self._database.row(f"SELECT count(*) {self._chunks}")
        return int(row[0]) if row else 0

    def identity(self) -> str:
        row = self._database.row("SELECT key FROM generations WHERE state = 'live'")
        return str(row[0]) if row else ""

    def _load(self) -> None:
        """Keys in ascending order and their rows, scaled to unit length."""
        import numpy as np

        version = self._database.version
        if self._version == version:
            return
        rows = self._database.rows(f"SELECT c.key, e.vector {self._chunks} ORDER BY c.key")
        self._keys = np.array([key for key, _ in rows], dtype=np.int64)
        flat = np.frombuffer(b"".join(vector for _, vector in rows), dtype="<f2").astype(np.float32)
        matrix: Matrix = flat.reshape(len(rows), -1) if rows else flat.reshape(0, 1)
        norms: Matrix = np.linalg.norm(matrix, axis=1, keepdims=True).astype(np.float32)
        self._matrix = (matrix / np.maximum(norms, np.float32(1e-12))).astype(np.float32)
        self._version = version

    def _query(self, vector: bytes) -> Matrix:
        """A query's row, of unit length. Raises IndexMismatch when it has not the store's dimension."""
        dimension = self._matrix.shape[1]
        if len(vector) != 4 * dimension:
            raise IndexMismatch(
                f"The store's vectors have {dimension} dimensions, the query's has {len(vector) // 4}.",
                "Use the embedder that the store was embedded with.",
            )
        return _unit(vector)

    def _allowed(self, where: Filter) -> NDArray[numpy.bool_]:
        import numpy as np

        condition, values = conditions(where)
        rows = self._database.rows(f"SELECT c.key {self._scope.chunks} WHERE {condition}", values)
        return np.isin(self._keys, np.array([key for (key,) in rows], dtype=np.int64))


def _cosines(matrix: Matrix, row: Matrix) -> Matrix:
    """The product of unit rows and a unit row, without BLAS: its second thread, when the other cores are busy,
    makes a question of 0.1 ms wait 8 ms, and it gives equal rows unequal scores by their place in the matrix."""
    import numpy as np

    product: Matrix = np.einsum("ij,j->i", matrix, row)
    return product


def _best(scores: Matrix, limit: int) -> NDArray[numpy.int64]:
    """The places of the highest scores, best first; equal ones in order of their place, also at the cut."""
    import numpy as np

    count = min(limit, len(scores))
    last = np.partition(scores, len(scores) - count)[len(scores) - count]
    above = np.flatnonzero(scores >= last)
    return above[np.argsort(-scores[above], kind="stable")][:count]


def _unit(vector: bytes) -> Matrix:
    import numpy as np

    row: Matrix = np.frombuffer(vector, dtype="<f4").astype(np.float32)
    norm = np.float32(np.linalg.norm(row))
    return row / norm if norm else row
