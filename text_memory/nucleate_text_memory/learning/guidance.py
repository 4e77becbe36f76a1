"""Decision guidance from contrast: in one situation, what runs that went well did, and what those did that did not.

After the decision repair of MSCE: both sides need evidence from enough distinct inputs, and values that clearly differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from nucleate_text_memory.identity import input_key
from nucleate_text_memory.learning.credit import backfill, reward_of
from nucleate_text_memory.recordings.error_classes import error_class
from nucleate_text_memory.values import Step, Trajectory

Situation: TypeAlias = tuple[str, str]  # the function called last, and the class of its error, or ""
_Values: TypeAlias = dict[str, float]  # one value for each distinct input


@dataclass(frozen=True, kw_only=True)
class Guidance:
    """After `function` (that failed with `error`, if any): prefer one call to another; values in [-1, 1] and inputs."""

    function: str
    error: str
    prefer: str
    avoid: str
    prefer_value: float
    avoid_value: float
    prefer_inputs: int
    avoid_inputs: int


def contrasts(runs: Iterable[Trajectory], *, quorum: int = 2, difference: float = 0.5) -> list[Guidance]:
    """Return what to prefer in each situation, clearest difference first. Runs that nobody judged say nothing."""
    met: defaultdict[Situation, defaultdict[str, _Values]] = defaultdict(lambda: defaultdict(dict))
    for run in runs:
        for situation, action, value in _decisions(run):
            known = met[situation][action]
            key = input_key(run.query)
            known[key] = min(value, known.get(key, value))
    found = [one for situation, actions in met.items() for one in _between(situation, actions, quorum)]
    clear = [one for one in found if one.prefer_value - one.avoid_value >= difference]
    return sorted(clear, key=lambda one: (one.avoid_value - one.prefer_value, one.function, one.error, one.avoid))


def _decisions(run: Trajectory) -> Iterator[tuple[Situation, str, float]]:
    reward = reward_of(run)
    if reward is None:
        return
    values = backfill(reward, [0.5] * len(run.steps))
    for before, after, value in zip(run.steps, run.steps[1:], values[1:], strict=False):
        yield _situation(before), after.function, value


def _situation(step: Step) -> Situation:
    return step.function, error_class(step) if step.error else ""


def _between(situation: Situation, actions: dict[str, _Values], quorum: int) -> Iterator[Guidance]:
    enough = {action: values for action, values in actions.items() if len(values) >= quorum}
    if len(enough) < 2:
        return
    best = max(sorted(enough), key=lambda action: fmean(enough[action].values()))
    for other in sorted(enough.keys() - {best}):
        yield Guidance(
            function=situation[0],
            error=situation[1],
            prefer=best,
            avoid=other,
            prefer_value=fmean(enough[best].values()),
            avoid_value=fmean(enough[other].values()),
            prefer_inputs=len(enough[best]),
            avoid_inputs=len(enough[other]),
        )
