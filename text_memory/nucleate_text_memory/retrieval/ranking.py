"""Hybrid ranking of a few texts: dense similarity and BM25, for prose, identifiers and CJK text."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory.embedding.embedders import Embedder
from nucleate_text_memory.retrieval.fusion import shares
from nucleate_text_memory.retrieval.lexical import LexicalIndex, Scores
from nucleate_text_memory.retrieval.words import counted, tokens


class DocumentIndex:
    """A few thousand texts, embedded and counted once, ranked for one query after the other."""

    def __init__(self, documents: Mapping[str, str], *, embedder: Embedder) -> None:
        self._embedder = embedder
        self._ids = tuple(documents)
        texts = list(documents.values())
        self._vectors = embedder.embed(texts)
        self._words = LexicalIndex(tokens(text) for text in texts)

    def rank(self, query: str) -> list[tuple[str, float]]:
        """Return (id, score) of every document, best first; equal scores in order of id."""
        if not self._ids:
            return []
        words = self._words.score(counted(tokens(query)), np.arange(len(self._ids)))
        scores = fuse(self._vectors @ self._embedder.embed([query])[0], words)
        return sorted(zip(self._ids, scores.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))


def rank(query: str, documents: Mapping[str, str], *, embedder: Embedder) -> list[tuple[str, float]]:
    """Return (id, score) of every document, best first; equal scores in order of id."""
    return DocumentIndex(documents, embedder=embedder).rank(query)


def fuse(dense: NDArray[np.float32], words: Scores) -> Scores:
    """Return ½·k/(k + rank by cosine) + ½·k/(k + rank by BM25), ranks from 0: reciprocal-rank fusion scaled to [0, 1].

    A text whose cosine or BM25 score is not above 0 gets nothing for it; equal scores share a rank.
    """
    # Cosines are rounded, so that the order does not hang on the last bits of a float.
    fused: Scores = (shares(dense.astype(np.float64).round(6)) + shares(words)) / 2
    return fused.round(6)
