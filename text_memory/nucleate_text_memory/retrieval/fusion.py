"""Reciprocal-rank fusion: rankings of different measures become one score in [0, 1] (Cormack et al. 2009)."""

from __future__ import annotations

import numpy as np

from nucleate_text_memory.retrieval.lexical import Scores

# Chosen on 80 recorded queries of retail plans: 10 loses nothing against vectors alone there, 60 does.
K = 10


def shares(scores: Scores, *, k: float = K) -> Scores:
    """Return k/(k + rank) for each score, ranks from 0; equal scores share a rank, one not above 0 gets nothing."""
    ranks = len(scores) - np.searchsorted(np.sort(scores), scores, side="right")
    return np.where(scores > 0, k / (k + ranks), 0.0)
