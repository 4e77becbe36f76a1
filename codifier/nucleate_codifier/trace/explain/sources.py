"""Where a value can come from: paths into earlier results that give it in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

from nucleate_codifier.trace.align.mentions import informative
from nucleate_codifier.trace.align.places import MOST_PATHS, MOST_PLACES, places
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.evaluation import RunScope, fingerprint, follow
from nucleate_codifier.trace.expressions import At, Known, Missing, Path, PathElement, Var, Where
from nucleate_sandbox import Json


@dataclass(frozen=True, kw_only=True)
class KnownValue:
    """A value that the tool knows at this point, and what it was in each run."""

    expr: Known
    column: tuple[Json, ...]


def common_sources(column: Sequence[Json], runs: Sequence[SupportingRun], facts: Sequence[KnownValue]) -> list[Var]:
    """Return the variables that give the column's value in every run, best first.

    The order: no choice from a list before a choice by equality before first or last; then the nearest step; then
    the shortest path; then the path's text.
    """
    steps = range(len(runs[0].scope.results))
    found = [Var(step=step, path=path) for step in steps for path in _common_paths(column, runs, step, facts)]
    return sorted(found, key=_rank)


def positional(var: Var) -> bool:
    """Return whether the variable is only the first or last element of some list."""
    return any(isinstance(element, int) for element in var.path)


def only_choice(var: Var, scope: RunScope) -> bool:
    """Return whether the variable is the first of a list that has nothing else, so that 'each' would fit as well."""
    stop = next((index for index, element in enumerate(var.path) if isinstance(element, int)), None)
    if stop is None:
        return False
    chosen_from = follow(scope.results[var.step], var.path[:stop], scope)
    return isinstance(chosen_from, list) and len(chosen_from) == 1


def _common_paths(
    column: Sequence[Json], runs: Sequence[SupportingRun], step: int, facts: Sequence[KnownValue]
) -> set[Path]:
    common: set[Path] | None = None
    for index, (value, run) in enumerate(zip(column, runs, strict=True)):
        paths = _paths(value, run.scope, step, known_in(facts, index, step))
        common = paths if common is None else common & paths
        if not common:
            return set()
    return common or set()


def known_in(facts: Sequence[KnownValue], run: int, step: int) -> list[tuple[Known, Json]]:
    """Return what an element may be selected by: not by another value of the result that it is selected from."""
    others = [fact for fact in facts if not (isinstance(fact.expr, Var) and fact.expr.step == step)]
    return [(fact.expr, fact.column[run]) for fact in others]


def _paths(value: Json, scope: RunScope, step: int, known: Sequence[tuple[Known, Json]]) -> set[Path]:
    result = scope.results[step]
    wanted = fingerprint(value)
    found: set[Path] = set()
    for raw in islice(places(result, wanted), MOST_PLACES):
        ways = [_ways(result, raw[:depth], key, known) for depth, key in enumerate(raw)]
        found.update(islice(product(*ways), MOST_PATHS))
    return {path for path in found if not _circular(path) and _gives(scope, step, path, wanted)}


def _circular(path: Path) -> bool:
    """Return whether an element is chosen by the very value that is then read from it."""
    after = [(element, path[index + 1 :]) for index, element in enumerate(path)]
    return any(isinstance(element, Where) and rest == (element.field,) for element, rest in after)


def _gives(scope: RunScope, step: int, path: Path, wanted: str) -> bool:
    try:
        return fingerprint(follow(scope.results[step], path, scope)) == wanted
    except Missing:
        return False


def _ways(
    result: Json, parent: tuple[str | int, ...], key: str | int, known: Sequence[tuple[Known, Json]]
) -> list[PathElement]:
    holder = follow(result, parent, RunScope())
    if isinstance(key, str):
        return [key, *(At(key=expr) for expr, value in known if value == key and informative(value))]
    ways: list[PathElement] = []
    if isinstance(holder, list):
        ways += [0] if key == 0 else []
        ways += [-1] if key == len(holder) - 1 else []
        ways += _selections(holder[key], known)
    return ways


def _selections(element: Json, known: Sequence[tuple[Known, Json]]) -> list[PathElement]:
    if not isinstance(element, dict):
        return []
    return [
        Where(field=name, equals=expr)
        for expr, value in known
        if informative(value)
        for name, field in element.items()
        if fingerprint(field) == fingerprint(value)
    ]


def _rank(var: Var) -> tuple[int, int, int, int, str]:
    chosen = 2 if positional(var) else int(any(isinstance(element, Where) for element in var.path))
    return chosen, -var.step, len(var.path), var.path.count(-1), repr(var.path)
