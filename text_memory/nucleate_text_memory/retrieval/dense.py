"""Search by cosine: exact while there are few rows; among many, by the signs first and exactly among the nearest."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory.retrieval.lexical import Positions, Scores, best

Rows: TypeAlias = NDArray[np.float32] | NDArray[np.float16]
Vector: TypeAlias = NDArray[np.float32]

EXACT_UP_TO = 20_000
_COMPARED, _AT_MOST = 8_000, 16_000
_BLOCK = 65_536


class DenseIndex(Protocol):
    """Finds the rows that are nearest to a vector. Rows have length 1 (or 0)."""

    def search(self, vector: Vector, limit: int) -> tuple[Positions, Scores]:
        """Return the nearest rows with a cosine above 0, best first."""
        ...

    @property
    def nbytes(self) -> int: ...


class ExactIndex:
    """Compares with every row, and keeps nothing beside them."""

    nbytes = 0

    def __init__(self, rows: Rows) -> None:
        self._rows = rows if len(rows) > EXACT_UP_TO else rows.astype(np.float32, copy=False)

    def search(self, vector: Vector, limit: int) -> tuple[Positions, Scores]:
        """Return the nearest rows."""
        blocks = [
            cosines(self._rows[start : start + _BLOCK], vector) for start in range(0, max(1, len(self._rows)), _BLOCK)
        ]
        return best(np.concatenate(blocks), limit)


class SignIndex:
    """Compares the signs of all rows (one bit a dimension) and then exactly the few thousand that agree most.

    Two vectors at angle θ differ in the share θ/π of random signs (Charikar 2002), so the nearest by sign hold nearly
    all of the nearest. It takes no time to build or to extend, unlike a graph.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._signs = np.ascontiguousarray(_signs(rows).T)

    @property
    def nbytes(self) -> int:
        """Return the size of the signs in bytes."""
        return self._signs.nbytes

    def search(self, vector: Vector, limit: int) -> tuple[Positions, Scores]:
        """Return the nearest rows among those whose signs agree most."""
        near = self._agreeing(_signs(vector[None, :])[0], max(_COMPARED, 4 * limit))
        found, scores = best(cosines(self._rows[near], vector), limit)
        return near[found], scores

    def _agreeing(self, signs: NDArray[np.uint64], count: int) -> Positions:
        apart = np.zeros(len(self._rows), dtype=np.uint16)
        for column, word in zip(self._signs, signs, strict=True):
            apart += np.bitwise_count(column ^ word)
        within = np.searchsorted(np.cumsum(np.bincount(apart)), count)
        return np.flatnonzero(apart <= within)[: max(_AT_MOST, count)]


def cosines(rows: Rows, vector: Vector) -> Scores:
    """Return the cosine of each row, rounded, so that the order does not hang on the last bits of a float."""
    found: Scores = (rows.astype(np.float32, copy=False) @ vector).astype(np.float64).round(6)
    return found


def dense_index(rows: Rows) -> DenseIndex:
    """Return the index that suits this many rows."""
    return ExactIndex(rows) if len(rows) <= EXACT_UP_TO else SignIndex(rows)


def _signs(rows: Rows) -> NDArray[np.uint64]:
    bits = np.packbits(rows > 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8))).view(np.uint64)
