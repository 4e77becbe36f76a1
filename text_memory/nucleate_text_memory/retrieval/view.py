"""The view that a program works on: candidates with scores, and where each came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from nucleate_text_memory.retrieval.asked import Asked
from nucleate_text_memory.retrieval.collection import Collection
from nucleate_text_memory.retrieval.documents import Document, Query, Reason
from nucleate_text_memory.retrieval.lexical import Positions, Scores


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A document that was found, its score, and every reason in the order of the program."""

    document: Document
    score: float
    reasons: tuple[Reason, ...]


@dataclass(kw_only=True)
class View:
    """Candidates by position in the collection; it changes from step to step.

    `led` says which candidate led to another, `parts` what each of the
    `features` added to a score.
    """

    query: Query
    asked: Asked
    collection: Collection
    scores: dict[int, float] = field(default_factory=dict)
    rankings: dict[str, dict[int, float]] = field(default_factory=dict)
    led: dict[int, tuple[Reason, ...]] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    parts: dict[int, Scores] = field(default_factory=dict)

    def found(self, primitive: str, positions: Positions, scores: Scores) -> None:
        """Add what a search found. Until they are fused, the scores of several searches stand side by side."""
        ranking = dict(zip(positions.tolist(), scores.tolist(), strict=True))
        self.rankings[primitive] = ranking
        for position, score in ranking.items():
            self.scores[position] = max(score, self.scores.get(position, score))

    def add(self, position: int, score: float, reason: Reason) -> None:
        """Add a candidate that another one led to; one that is there already stays as it is."""
        if position not in self.scores:
            self.scores[position] = score
            self.led[position] = (reason,)

    def best(self, count: int | None = None) -> list[int]:
        """Return the best candidates; equal scores in order of id."""
        documents = self.collection.documents
        return sorted(self.scores, key=lambda p: (-self.scores[p], documents[p].id))[:count]

    def candidates(self) -> Positions:
        """Return the positions of all candidates, in order."""
        return np.array(sorted(self.scores), dtype=np.int64)

    def rescore(self, positions: Positions, scores: Scores) -> None:
        """Replace the scores of these candidates."""
        self.scores.update(zip(positions.tolist(), scores.round(6).tolist(), strict=True))

    def keep(self, positions: Sequence[int]) -> None:
        """Drop every other candidate."""
        self.scores = {position: self.scores[position] for position in positions}
