"""How well a tool fits a query: a logistic model of three measures, fitted on labelled tasks and kept as data."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("fit.json")


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Weights (constant, meaning, words, queries) for tools whose queries are known, and for others; thresholds.

    Below `threshold` a tool is not offered, unless a chosen plan brings it: then half of it is enough. `plan` and
    `entry` bound the scores of plans and of other entries. `python -m evals.selection` fits weights and threshold anew.
    `wanted` are the weights (constant first) of what tells that a write is wanted, and `wanted_threshold` the chance
    from which a tool that makes it is offered: `python -m evals.real.wanting` fits them.
    """

    asked: tuple[float, ...]
    unasked: tuple[float, ...]
    threshold: float
    plan: float = 0.6
    entry: float = 0.4
    wanted: tuple[float, ...] = ()
    wanted_threshold: float = 1.0

    def chance_wanted(self, features: Sequence[float]) -> float:
        """Return the chance in [0, 1] that a write is wanted."""
        logit = self.wanted[0] + sum(a * b for a, b in zip(self.wanted[1:], features, strict=True))
        return 1 / (1 + math.exp(-logit))

    def scores(self, features: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the chance in [0, 1] that each tool fits."""
        with_ones = np.concatenate([np.ones((len(features), 1)), features], axis=1)
        logits = np.where(known, with_ones @ np.array(self.asked), with_ones[:, :3] @ np.array(self.unasked))
        chances: NDArray[np.float64] = 1 / (1 + np.exp(-logits))
        return chances


def read_fit(path: Path = FILE) -> Fit:
    """Return a fit from its file."""
    value = json.loads(path.read_text(encoding="utf-8"))
    return Fit(
        asked=tuple(value["asked"]),
        unasked=tuple(value["unasked"]),
        threshold=value["threshold"],
        plan=value["plan"],
        entry=value["entry"],
        wanted=tuple(value["wanted"]),
        wanted_threshold=value["wanted_threshold"],
    )


FIT = read_fit()
