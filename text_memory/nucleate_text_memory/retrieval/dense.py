"""Search by cosine: exact while small, a graph of near neighbours when large (usearch, HNSW)."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from usearch.index import Index

from nucleate_text_memory.embedding import Vectors
from nucleate_text_memory.retrieval.lexical import Positions, Scores, best

EXACT_UP_TO = 100_000
_CONNECTIVITY, _BUILD, _SEARCH = 16, 64, 128


class DenseIndex(Protocol):
    """Finds the rows that are nearest to a vector. Rows have length 1 (or 0)."""

    def search(self, vector: NDArray[np.float32], limit: int) -> tuple[Positions, Scores]:
        """Return the nearest rows with a cosine above 0, best first."""
        ...


class ExactIndex:
    """Compares with every row."""

    def __init__(self, rows: Vectors) -> None:
        self._rows = rows

    def search(self, vector: NDArray[np.float32], limit: int) -> tuple[Positions, Scores]:
        """Return the nearest rows."""
        # Cosines are rounded, so that the order does not hang on the last bits of a float.
        return best((self._rows @ vector).astype(np.float64).round(6), limit)


class GraphIndex:
    """Walks a graph of half-precision rows: finds almost all of the nearest, without looking at most rows."""

    def __init__(self, rows: Vectors, *, threads: int = 0) -> None:
        self._index = Index(
            ndim=rows.shape[1], metric="ip", dtype="f16", connectivity=_CONNECTIVITY, expansion_add=_BUILD,
            expansion_search=_SEARCH,
        )  # fmt: skip
        self._index.add(np.arange(len(rows)), rows, threads=threads)

    def search(self, vector: NDArray[np.float32], limit: int) -> tuple[Positions, Scores]:
        """Return the nearest rows that the walk met."""
        matches = self._index.search(vector, limit)
        cosines = (1.0 - matches.distances.astype(np.float64)).round(6)
        above = cosines > 0
        return matches.keys[above].astype(np.int64), cosines[above]

    @property
    def nbytes(self) -> int:
        """Return the size of the graph with its rows, in bytes."""
        return int(self._index.memory_usage)


def dense_index(rows: Vectors) -> DenseIndex:
    """Return the index that suits this many rows."""
    return ExactIndex(rows) if len(rows) <= EXACT_UP_TO else GraphIndex(rows)
