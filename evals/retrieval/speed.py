"""Time, size and recall among 10^3 to 10^6 synthetic entries."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory import Collection, Document, retrieve
from nucleate_text_memory.retrieval.dense import ExactIndex, SignIndex

SIZES = (1_000, 10_000, 100_000, 1_000_000)
_DIMENSION, _TOPICS, _NOISE, _ASKED_NOISE = 256, 20_000, 1.0, 0.06
_WORDS, _LONGEST, _SHORTEST = 50_000, 16, 6
_QUERIES, _NEAREST, _LIMIT, _BLOCK = 40, 10, 8, 50_000


@dataclass(frozen=True, kw_only=True)
class Speed:
    """What was measured among so many entries; times in milliseconds, sizes in megabytes."""

    entries: int
    build_seconds: float
    index_mb: float
    vectors_mb: float
    median_ms: float
    p95_ms: float
    default_median_ms: float
    default_p95_ms: float
    recall_vs_exact: float


class Mixture:
    """Vectors around random topics: half of each is its topic, half its own. A text's vector is looked up by number."""

    model, dimension = "mixture", _DIMENSION

    def __init__(self, count: int) -> None:
        random = np.random.default_rng(0)
        topics = random.standard_normal((_TOPICS, _DIMENSION), dtype=np.float32)
        self.rows = np.empty((count, _DIMENSION), dtype=np.float16)
        for start in range(0, count, _BLOCK):
            block = self.rows[start : start + _BLOCK]
            own = random.standard_normal(block.shape, dtype=np.float32)
            block[:] = _unit(topics[random.integers(0, _TOPICS, len(block))] + _NOISE * own)
        self._random = random

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return for each text a vector near the row whose number is its last word."""
        near = np.array([self.rows[int(text.split()[-1])] for text in texts], dtype=np.float32)
        return _unit(near + _ASKED_NOISE * self._random.standard_normal(near.shape, dtype=np.float32))


def measure(count: int) -> Speed:
    """Return how fast and how completely entries are found among so many."""
    embedder = Mixture(count)
    documents = _documents(count)
    began = time.perf_counter()
    collection = Collection(documents, embedder=embedder, vectors=embedder.rows)
    retrieve(_asked(documents[0], 0), collection, limit=_LIMIT)
    build = time.perf_counter() - began
    asked = np.random.default_rng(1).integers(0, count, _QUERIES).tolist()
    texts = [_asked(documents[number], number) for number in asked]
    hybrid = _times(texts, lambda text: retrieve(text, collection, program="hybrid", limit=_LIMIT))
    default = _times(texts, lambda text: retrieve(text, collection, limit=_LIMIT))
    return Speed(
        entries=count,
        build_seconds=build,
        index_mb=collection.nbytes / 1e6,
        vectors_mb=embedder.rows.nbytes / 1e6,
        median_ms=hybrid[0],
        p95_ms=hybrid[1],
        default_median_ms=default[0],
        default_p95_ms=default[1],
        recall_vs_exact=_recall(embedder, texts),
    )


def _documents(count: int) -> list[Document]:
    random = np.random.default_rng(2)
    lengths = random.integers(_SHORTEST, _LONGEST, count)
    drawn = (random.zipf(1.3, int(lengths.sum())) % _WORDS).tolist()
    ends = np.cumsum(lengths).tolist()
    texts = (drawn[end - length : end] for end, length in zip(ends, lengths.tolist(), strict=True))
    return [
        Document(id=f"e{number}", text=" ".join(f"w{word}" for word in found), group=f"g{number // 20}")
        for number, found in enumerate(texts)
    ]


def _asked(document: Document, number: int) -> str:
    rare = sorted(document.text.split(), key=len)[-4:]
    return f"{' '.join(rare)} {number}"


def _times(texts: Sequence[str], call: Callable[[str], object]) -> tuple[float, float]:
    taken = []
    for text in texts:
        began = time.perf_counter()
        call(text)
        taken.append(1_000 * (time.perf_counter() - began))
    median, p95 = np.quantile(taken, (0.5, 0.95))
    return float(median), float(p95)


def _recall(embedder: Mixture, texts: Sequence[str]) -> float:
    exact, signs = ExactIndex(embedder.rows), SignIndex(embedder.rows)
    found = 0
    for vector in embedder.embed(texts):
        nearest = exact.search(vector, _NEAREST)[0]
        found += len(set(nearest.tolist()).intersection(signs.search(vector, _NEAREST)[0].tolist()))
    return found / (_NEAREST * len(texts))


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled
