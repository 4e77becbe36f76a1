"""Value of steps and gain of plans: the formulas of MSCE §4 and App. 8."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from nucleate_text_memory.errors import MemoryFault
from nucleate_text_memory.values import Trajectory

DISCOUNT = 0.9
TEMPERATURE = 0.5
PRIOR, PRIOR_WEIGHT = 0.5, 5
_UNSCORED = 0.5
_TAUTOLOGY = re.compile(
    r"(?:i|we|it|the agent)?\s*(?:did|made|called|ran|used|performed)?\s*(?:the|this|a|it|next)?\s*"
    r"(?:step|call|action|function|tool)?\s*(?:worked|succeeded|failed|was done|is done)?\W*",
    re.IGNORECASE,
)


def terminal_reward(*, goal: float, process: float, satisfaction: float) -> float:
    """Return R = clip(0.45·goal + 0.30·process + 0.25·satisfaction) to [-1, 1], for feedback in words."""
    return max(-1.0, min(1.0, 0.45 * goal + 0.30 * process + 0.25 * satisfaction))


def reward_of(trajectory: Trajectory) -> float | None:
    """Return a run's terminal reward: the environment's, or 1 and -1 for success and failure; None if nobody judged."""
    if trajectory.reward is not None:
        return trajectory.reward
    return None if trajectory.success is None else (1.0 if trajectory.success else -1.0)


def reflection_weight(reflection: str, score: float | None = None) -> float:
    """Return α of a step: 0 where its reflection says nothing, the scorer's number, or 0.5 where no scorer is on."""
    if not reflection.strip() or _TAUTOLOGY.fullmatch(reflection.strip()):
        return 0.0
    if score is not None and not 0 <= score <= 1:
        raise MemoryFault(f"score {score!r} of a reflection is not in [0, 1]; give a share")
    return _UNSCORED if score is None else score


def backfill(reward: float, weights: Sequence[float]) -> list[float]:
    """Return V of every step, from the end: V_T = R; V_t = α_t·R + (1 − α_t)·γ·V_{t+1}.

    `weights` has α of each step in order; that of the last one is not used.
    """
    if not weights:
        return []
    backwards = [reward]
    for weight in reversed(weights[:-1]):
        backwards.append(weight * reward + (1 - weight) * DISCOUNT * backwards[-1])
    return backwards[::-1]


def gain(with_plan: Sequence[float], without: Sequence[float]) -> float:
    """Return G(p) = V̄_with − V̄_blend of the values of runs that followed a plan and of runs that did not."""
    if not with_plan:
        raise MemoryFault(f"gain of {list(with_plan)!r}: no run followed the plan; ask when one has")
    blend = (sum(without) + PRIOR_WEIGHT * PRIOR) / (len(without) + PRIOR_WEIGHT)
    return _mean_with(with_plan) - blend


def _mean_with(values: Sequence[float]) -> float:
    """Return the softmax-weighted mean at temperature 0.5 of three values or more, else the mean."""
    if len(values) < 3:
        return sum(values) / len(values)
    weights = [math.exp(value / TEMPERATURE) for value in values]
    return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
