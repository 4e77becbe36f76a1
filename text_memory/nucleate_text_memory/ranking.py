"""Hybrid ranking of a few texts: dense similarity and BM25, for prose, identifiers and CJK text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory.embedding import Embedder
from nucleate_text_memory.retrieval.fusion import shares
from nucleate_text_memory.retrieval.lexical import LexicalIndex, Scores
from nucleate_text_memory.retrieval.words import counted, tokens


def rank(query: str, documents: Mapping[str, str], *, embedder: Embedder) -> list[tuple[str, float]]:
    """Return (id, score) of every document, best first; equal scores in order of id."""
    if not documents:
        return []
    texts = list(documents.values())
    vectors = embedder.embed([query, *texts])
    scores = fuse(vectors[1:] @ vectors[0], lexical(query, texts))
    return sorted(zip(documents, scores.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))


def fuse(dense: NDArray[np.float32], words: Scores) -> Scores:
    """Return ½·k/(k + rank by cosine) + ½·k/(k + rank by BM25), ranks from 0: reciprocal-rank fusion scaled to [0, 1].

    A text whose cosine or BM25 score is not above 0 gets nothing for it; equal scores share a rank.
    """
    # Cosines are rounded, so that the order does not hang on the last bits of a float.
    fused: Scores = (shares(dense.astype(np.float64).round(6)) + shares(words)) / 2
    return fused.round(6)


def lexical(query: str, texts: Sequence[str]) -> Scores:
    """Return the BM25 score of each text; 0 where no word of the query occurs."""
    return LexicalIndex(tokens(text) for text in texts).score(counted(tokens(query)), np.arange(len(texts)))
