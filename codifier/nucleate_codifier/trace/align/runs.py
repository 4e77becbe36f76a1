"""The supporting runs of a plan: which the tool is compiled from, and which are held out to judge it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from nucleate_codifier.trace.align.mentions import Mentions, leaves
from nucleate_codifier.trace.align.places import list_paths
from nucleate_codifier.trace.evaluation import RunScope
from nucleate_codifier.trace.expressions import Path
from nucleate_text_memory import Occurrence, Step

MOST = 12


@dataclass(kw_only=True)
class SupportingRun:
    """One supporting run while a template is being inferred; `called` and `scope` grow with each pattern."""

    occurrence: Occurrence
    query: Mentions
    before: Mentions
    scope: RunScope = field(default_factory=RunScope)
    called: list[str] = field(default_factory=list)
    _lists: dict[int, set[Path]] = field(default_factory=dict)

    @property
    def task_id(self) -> str:
        return self.occurrence.trajectory.task_id

    def lists(self, step: int) -> set[Path]:
        """Return the paths to every list of values inside the result of a step."""
        if step not in self._lists:
            self._lists[step] = list_paths(self.scope.results[step])
        return self._lists[step]

    def group(self, position: int) -> list[Step]:
        """Return the steps that carry one position of the plan's signature."""
        return [self.occurrence.trajectory.steps[index] for index in self.occurrence.groups[position]]


def open_run(occurrence: Occurrence) -> SupportingRun:
    """Return the run as it stands before the plan's first call."""
    query = occurrence.trajectory.query
    earlier = occurrence.trajectory.steps[: occurrence.start]
    seen = [leaf for step in earlier for value in (step.result, step.arguments) for leaf in leaves(value)]
    return SupportingRun(occurrence=occurrence, query=Mentions.of(query), before=Mentions.of(query, seen))


def distinct(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Return one occurrence per query, in an order that depends on nothing but the task ids."""
    chosen: dict[str, Occurrence] = {}
    for occurrence in sorted(occurrences, key=_order):
        chosen.setdefault(" ".join(occurrence.trajectory.query.casefold().split()), occurrence)
    return list(chosen.values())


def split(occurrences: Sequence[Occurrence]) -> tuple[list[Occurrence], list[Occurrence]]:
    """Return (seen, held out): about 60 to 40, at least two to one, at most twelve each.

    Runs in which a call is repeated and runs in which it is not take turns, so that what is compiled from shows both.
    """
    seen = min(MOST, max(2, round(0.6 * len(occurrences))), len(occurrences) - 1)
    mixed = _taking_turns(occurrences)
    return mixed[:seen], mixed[seen : seen + MOST]


def _taking_turns(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    turns: dict[tuple[bool, ...], int] = {}
    ranked: list[tuple[int, int]] = []
    for index, occurrence in enumerate(occurrences):
        shape = tuple(len(group) > 1 for group in occurrence.groups)
        turns[shape] = turns.get(shape, 0) + 1
        ranked.append((turns[shape], index))
    return [occurrences[index] for _, index in sorted(ranked)]


def _order(occurrence: Occurrence) -> tuple[str, str, int]:
    task = occurrence.trajectory.task_id
    return hashlib.sha256(task.encode()).hexdigest(), task, occurrence.start
