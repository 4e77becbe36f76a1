"""Runs that read every element of a list, as a tool may for runs that read some: reads change nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nucleate_codifier.trace.align.places import list_paths
from nucleate_codifier.trace.evaluation import RunScope, fingerprint, follow
from nucleate_codifier.trace.expressions import Missing, Path
from nucleate_sandbox import Json
from nucleate_text_memory import Occurrence

LONGEST = 50


def reading_all(runs: Sequence[Occurrence], position: int) -> list[Occurrence]:
    """Return the runs in which a repeated read goes through all of one list of an earlier answer, in the list's order.

    The list is the one that most runs go through; of two, the one that comes first in the run.
    """
    found: dict[tuple[int, Path], list[Occurrence]] = {}
    for run in runs:
        for source, path, order in _lists(run, position):
            found.setdefault((source, path), []).append(_ordered(run, position, order))
    best = max(found.items(), key=lambda item: (len(item[1]), -item[0][0], -len(item[0][1])), default=None)
    several = best is not None and sum(len(run.groups[position]) > 1 for run in best[1]) >= 2
    return best[1] if best is not None and several else []


def _lists(run: Occurrence, position: int) -> Iterator[tuple[int, Path, list[int]]]:
    """Yield each list that holds the values of the call's one varying argument, with the calls in its order."""
    steps, group = run.trajectory.steps, run.groups[position]
    names = {name for index in group for name in steps[index].arguments}
    for name in sorted(names):
        called = [fingerprint(steps[index].arguments.get(name)) for index in group]
        if len(set(called)) < len(called):
            continue
        for source in range(position):
            results: list[Json] = [steps[index].result for index in run.groups[source]]
            held: Json = results[0] if len(results) == 1 else results
            for path in sorted(list_paths(held), key=repr):
                values = [fingerprint(value) for value in _values(held, path)]
                if 0 < len(values) <= LONGEST and len(values) == len(called) and set(values) == set(called):
                    yield source, path, [group[called.index(value)] for value in values]


def _values(held: Json, path: Path) -> list[Json]:
    try:
        found = follow(held, path, RunScope())
    except Missing:
        return []
    return found if isinstance(found, list) else []


def _ordered(run: Occurrence, position: int, order: Sequence[int]) -> Occurrence:
    steps = list(run.trajectory.steps)
    for index, old in zip(run.groups[position], order, strict=True):
        steps[index] = run.trajectory.steps[old]
    return replace(run, trajectory=replace(run.trajectory, steps=tuple(steps)))
