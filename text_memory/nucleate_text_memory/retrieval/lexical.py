"""BM25 over sorted postings: the best documents of all, or the scores of given ones (Robertson and Zaragoza 2009)."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]
Scores = NDArray[np.float64]

_K1, _B = 1.2, 0.75


class LexicalIndex:
    """Which document holds which word how often. Documents are numbered from 0."""

    def __init__(self, documents: Iterable[Sequence[str]]) -> None:
        self._numbers: dict[str, int] = {}
        which, where, often, lengths = array("i"), array("i"), array("H"), array("i")
        for position, found in enumerate(documents):
            lengths.append(len(found))
            for word, count in Counter(found).items():
                which.append(self._numbers.setdefault(word, len(self._numbers)))
                where.append(position)
                often.append(min(count, 65_535))
        self._arrange(*(np.array(column) for column in (which, where, often, lengths)))

    @classmethod
    def grouped(cls, index: LexicalIndex, groups: NDArray[np.int32]) -> LexicalIndex:
        """Return the index of groups: `groups[i]` is the number of document i's group, or -1."""
        made = cls(())
        made._numbers = index._numbers
        which = np.repeat(np.arange(len(index._starts) - 1), np.diff(index._starts))
        group = groups[index._where]
        inside, count = group >= 0, int(groups.max(initial=-1)) + 1
        keys, inverse = np.unique(which[inside] * max(count, 1) + group[inside], return_inverse=True)
        often = np.bincount(inverse, weights=index._often[inside])
        lengths = np.bincount(groups[groups >= 0], weights=index.lengths[groups >= 0], minlength=count)
        made._arrange(keys // max(count, 1), keys % max(count, 1), often, lengths)
        return made

    def _arrange(
        self,
        which: NDArray[np.generic],
        where: NDArray[np.generic],
        often: NDArray[np.generic],
        lengths: NDArray[np.generic],
    ) -> None:
        order = np.argsort(which, kind="stable")
        self._where = where[order].astype(np.int32)
        self._often = often[order].astype(np.float32)
        counts = np.bincount(which.astype(np.int64), minlength=len(self._numbers))
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self.lengths = lengths.astype(np.float32)
        self.average = max(1.0, float(self.lengths.mean())) if len(self.lengths) else 1.0

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def nbytes(self) -> int:
        """Return the size of the postings in bytes."""
        return self._where.nbytes + self._often.nbytes + self._starts.nbytes + self.lengths.nbytes

    def frequency(self, word: str) -> int:
        """Return how many documents hold a word."""
        span = self._span(word)
        return len(range(span.start, span.stop))

    def idf(self, word: str) -> float:
        """Return ln(1 + (N − n + ½)/(n + ½))."""
        return idf(self.frequency(word), len(self))

    def search(self, wanted: Mapping[str, float], limit: int) -> tuple[Positions, Scores]:
        """Return the best documents that hold a wanted word, and their scores; equal ones in order of position."""
        every = np.zeros(len(self))
        for word, weight in wanted.items():
            span = self._span(word)
            where = self._where[span]
            every[where] += weight * self.idf(word) * saturated(self._often[span], self.lengths[where], self.average)
        return best(every, limit)

    def counts(self, word: str, positions: Positions) -> Scores:
        """Return how often each of these documents holds a word; 0 for position -1."""
        span = self._span(word)
        where = self._where[span]
        if not len(where):
            return np.zeros(len(positions))
        at = np.minimum(np.searchsorted(where, positions), len(where) - 1)
        return np.where(where[at] == positions, self._often[span][at], 0.0)

    def score(self, wanted: Mapping[str, float], positions: Positions) -> Scores:
        """Return the scores of these documents; 0 for position -1."""
        lengths = np.where(positions >= 0, self.lengths[positions], 0)
        found = np.zeros(len(positions))
        for word, weight in wanted.items():
            found += weight * self.idf(word) * saturated(self.counts(word, positions), lengths, self.average)
        return found

    def _span(self, word: str) -> slice:
        number = self._numbers.get(word)
        return slice(0, 0) if number is None else slice(int(self._starts[number]), int(self._starts[number + 1]))


def idf(frequency: int, count: int) -> float:
    """Return the weight of a word that `frequency` of `count` documents hold."""
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def saturated(often: NDArray[np.floating], lengths: NDArray[np.floating], average: float) -> Scores:
    """Return BM25's n(k₁ + 1)/(n + k₁(1 − b + b·length/average)), with k₁ = 1.2 and b = 0.75."""
    found: Scores = often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * lengths / average))
    return found


def best(scores: NDArray[np.floating], limit: int) -> tuple[Positions, Scores]:
    """Return the positions of the highest scores above 0, best first, equal ones by position."""
    held = np.flatnonzero(scores > 0)
    if limit < len(held):
        bound = np.partition(scores[held], len(held) - limit)[len(held) - limit]
        held = held[scores[held] >= bound]
    order = held[np.argsort(-scores[held], kind="stable")][:limit]
    return order, scores[order].astype(np.float64)
