"""The supporting runs of a plan: which the tool is compiled from, and which are held out to judge it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nucleate_codifier.trace.align.mentions import Mentions, Stated, leaves
from nucleate_codifier.trace.align.places import list_paths
from nucleate_codifier.trace.evaluation import RunScope
from nucleate_codifier.trace.expressions import Path
from nucleate_sandbox import Json
from nucleate_text_memory import Occurrence, Step, group_numbers, input_of
from nucleate_text_memory.origins import Origins

MOST = 20
MOST_OF_A_GROUP = 2


@dataclass(kw_only=True)
class SupportingRun:
    """One supporting run while a template is being inferred; `called` and `scope` grow with each pattern."""

    occurrence: Occurrence
    query: Mentions
    before: Mentions
    scope: RunScope = field(default_factory=RunScope)
    group_number: int = 0
    called: list[str] = field(default_factory=list)
    _lists: dict[int, set[Path]] = field(default_factory=dict)

    @property
    def task_id(self) -> str:
        return self.occurrence.trajectory.task_id

    @property
    def answers(self) -> list[tuple[str, Json]]:
        """Return what functions had answered in the run so far: before the plan, and by its own calls."""
        steps = self.occurrence.trajectory.steps[: self.occurrence.start]
        before = [(step.function, step.result) for step in steps if step.error is None]
        return [*before, *zip(self.called, self.scope.results, strict=True)]

    def lists(self, step: int) -> set[Path]:
        """Return the paths to every list of values inside the result of a step."""
        if step not in self._lists:
            self._lists[step] = list_paths(self.scope.results[step])
        return self._lists[step]

    def group(self, position: int) -> list[Step]:
        """Return the steps that carry one position of the plan's signature."""
        return [self.occurrence.trajectory.steps[index] for index in self.occurrence.groups[position]]


def open_runs(occurrences: Sequence[Occurrence]) -> list[SupportingRun]:
    """Return the runs as they stand before the plan's first call, each with the number of its group."""
    numbers = groups_of(occurrences)
    return [replace(open_run(one), group_number=number) for one, number in zip(occurrences, numbers, strict=True)]


def open_run(occurrence: Occurrence) -> SupportingRun:
    """Return the run as it stands before the plan's first call.

    What the user repeats of an earlier answer is not stated, and what comes later is not known yet.
    """
    run, start = occurrence.trajectory, occurrence.start
    earlier = run.steps[:start]
    seen = [leaf for step in earlier for value in (step.result, step.arguments) for leaf in leaves(value)]
    said = "\n".join([run.query, *(one.text for one in run.said if one.at <= start)])
    origins = Origins(run)
    repeated = [at for at in earlier if at.error is None]
    query = Stated(text=said.casefold(), origins=origins, start=start) if repeated else Mentions.of(said)
    return SupportingRun(occurrence=occurrence, query=query, before=Mentions.of(said, seen))


def distinct(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Return one occurrence per input, in an order that depends on the task ids alone; failed runs never count."""
    chosen: dict[str, Occurrence] = {}
    for occurrence in sorted(occurrences, key=_order):
        if occurrence.trajectory.success is not False:
            chosen.setdefault(key_of(occurrence).partition(" ")[0], occurrence)
    return list(chosen.values())


def key_of(occurrence: Occurrence) -> str:
    """Return the key of the occurrence's input."""
    return input_of(occurrence.trajectory, [group for group in occurrence.groups if group])


def groups_of(occurrences: Sequence[Occurrence]) -> list[int]:
    """Return for each occurrence the number of its group."""
    return group_numbers(key_of(occurrence) for occurrence in occurrences)


def split(occurrences: Sequence[Occurrence]) -> tuple[list[Occurrence], list[Occurrence]]:
    """Return (seen, held out): about 60 to 40 of the groups, at least two to one, at most twenty groups each.

    A group is never on both sides, and gives two runs at most. Groups in which a call is repeated and groups in which
    it is not take turns, so that what is compiled from shows both.
    """
    groups: dict[int, list[Occurrence]] = {}
    for number, occurrence in zip(groups_of(occurrences), occurrences, strict=True):
        groups.setdefault(number, []).append(occurrence)
    mixed = [groups[number][:MOST_OF_A_GROUP] for number in _taking_turns(groups)]
    seen = min(MOST, max(2, round(0.6 * len(mixed))), len(mixed) - 1)
    return [o for group in mixed[:seen] for o in group], [o for group in mixed[seen : seen + MOST] for o in group]


def _taking_turns(groups: Mapping[int, Sequence[Occurrence]]) -> list[int]:
    turns: dict[tuple[bool, ...], int] = {}
    ranked: list[tuple[int, int]] = []
    for number, occurrences in groups.items():
        shape = tuple(len(group) > 1 for group in occurrences[0].groups)
        turns[shape] = turns.get(shape, 0) + 1
        ranked.append((turns[shape], number))
    return [number for _, number in sorted(ranked)]


def _order(occurrence: Occurrence) -> tuple[str, str, int]:
    task = occurrence.trajectory.task_id
    return hashlib.sha256(task.encode()).hexdigest(), task, occurrence.start
