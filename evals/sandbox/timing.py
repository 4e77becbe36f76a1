"""Times of several systems taken in turns, so that whatever else the machine does falls on all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Timed:
    """What is called, under which name, and how often in each round (a fast one more often than a slow one)."""

    name: str
    call: Callable[[], object]
    each_round: int = 1


@dataclass(frozen=True, kw_only=True)
class Times:
    """The milliseconds of one system's calls."""

    name: str
    milliseconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """Return the median in milliseconds."""
        return statistics.median(self.milliseconds)

    @property
    def p95(self) -> float:
        """Return the 95th percentile in milliseconds (nearest rank)."""
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]


def in_turns(systems: Sequence[Timed], rounds: int) -> tuple[Times, ...]:
    """Call each system in every round, and return the times of each."""
    taken: list[list[float]] = [[] for _ in systems]
    for _ in range(rounds):
        for system, times in zip(systems, taken, strict=True):
            times.extend(milliseconds(system.call) for _ in range(system.each_round))
    return tuple(Times(name=s.name, milliseconds=tuple(t)) for s, t in zip(systems, taken, strict=True))


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long one call takes."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000
