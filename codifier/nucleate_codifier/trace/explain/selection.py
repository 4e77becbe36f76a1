"""Which element a value was taken from: the field by which the task, or an earlier value, tells it from the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from nucleate_codifier.trace.align.mentions import Mentions, informative, leaves
from nucleate_codifier.trace.align.places import MOST_PATHS, MOST_PLACES, SCHEMA_KEY, Raw, places, spreads
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.evaluation import RunScope, candidates, fingerprint, follow
from nucleate_codifier.trace.explain.sources import KnownValue, known_in
from nucleate_codifier.trace.expressions import Known, Missing, Param, Path, PathElement, Var, Where
from nucleate_sandbox import Json

MOST_CONDITIONS = 2


@dataclass(frozen=True, kw_only=True)
class Knows:
    """What an element can be told by: what the task says, and what the tool knows at this point."""

    said: Mentions
    known: Sequence[tuple[Known, Json]]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One value of an argument, and the run that it was in."""

    run: int
    value: Json


@dataclass(frozen=True, kw_only=True)
class Selection:
    """A variable that picks by values which become parameters: what they were, for each cell in order."""

    var: Var
    told: Mapping[str, tuple[Json, ...]]

    def bind(self, known: Mapping[str, Known]) -> Var:
        """Return the variable with its placeholders replaced."""
        return replace(self.var, path=tuple(_bound(element, known) for element in self.var.path))


def selections(cells: Sequence[Cell], runs: Sequence[SupportingRun], facts: Sequence[KnownValue]) -> list[Selection]:
    """Return the selections that give every cell's value, and that some run needs, best first.

    The fewest new parameters first; then texts before objects; then the most exact, by values known before; then the
    nearest step and the shortest path.
    """
    found = [one for step in range(len(runs[0].scope.results)) for one in _at(step, cells, runs, facts)]
    return sorted(found, key=_rank)


def _at(
    step: int, cells: Sequence[Cell], runs: Sequence[SupportingRun], facts: Sequence[KnownValue]
) -> Iterator[Selection]:
    ways = [_ways_of(cell, runs[cell.run], step, known_in(facts, cell.run, step)) for cell in cells]
    for path in set.intersection(*(set(one) for one in ways)):
        told = {name: tuple(way[path][name] for way in ways) for name in ways[0][path]}
        if any(_had_others(runs[cell.run].scope, step, path) for cell in cells):
            yield Selection(var=Var(step=step, path=path), told=told)


def _ways_of(
    cell: Cell, run: SupportingRun, step: int, known: Sequence[tuple[Known, Json]]
) -> dict[Path, dict[str, Json]]:
    result, wanted = run.scope.results[step], fingerprint(cell.value)
    found: dict[Path, dict[str, Json]] = {}
    for raw in islice(places(result, wanted), MOST_PLACES):
        for path, told in islice(_ways(result, raw, Knows(said=run.before, known=known)), MOST_PATHS):
            if path not in found and told and _gives(run.scope, step, path, told, wanted):
                found[path] = told
    return found


def _ways(value: Json, raw: Raw, knows: Knows, number: int = 0) -> Iterator[tuple[Path, dict[str, Json]]]:
    if not raw:
        yield (), {}
        return
    if isinstance(raw[0], str) and SCHEMA_KEY.fullmatch(raw[0]):
        inner = follow(value, raw[:1], RunScope())
        yield from (((raw[0], *path), told) for path, told in _ways(inner, raw[1:], knows, number))
        return
    if number == MOST_CONDITIONS:
        return
    for depth, among in spreads(raw):
        element = follow(value, raw[:depth], RunScope())
        for field, equals, told in _conditions(element, knows, number):
            if (field,) != raw[depth:]:  # an element is not chosen by the very value that is then read from it
                where = Where(field=field, equals=equals, among=among)
                for path, more in _ways(element, raw[depth:], knows, number + 1):
                    yield (where, *path), {**told, **more}


def _conditions(element: Json, knows: Knows, number: int) -> Iterator[tuple[str, Known, dict[str, Json]]]:
    for field, value in element.items() if isinstance(element, dict) else ():
        if not informative(value):
            continue
        yield from ((field, expr, {}) for expr, known in knows.known if fingerprint(known) == fingerprint(value))
        if _stated(value, knows.said):
            name = f"{number}.{field}"
            yield field, Param(name=name), {name: value}


def _stated(value: Json, said: Mentions) -> bool:
    """Return whether the task states a text or number, or all that a small object of these holds."""
    nested = isinstance(value, list) or (
        isinstance(value, dict) and any(isinstance(v, dict | list) for v in value.values())
    )
    return not nested and all(leaf in said for leaf in leaves(value))


def _had_others(scope: RunScope, step: int, path: Path) -> bool:
    index = next(index for index, element in enumerate(path) if isinstance(element, Where))
    where = path[index]
    holder = follow(scope.results[step], path[:index], scope)
    return isinstance(where, Where) and len(candidates(holder, where, scope)) > 1


def _gives(scope: RunScope, step: int, path: Path, told: Mapping[str, Json], wanted: str) -> bool:
    inner = RunScope(parameters={**scope.parameters, **told}, results=scope.results)
    try:
        return fingerprint(follow(scope.results[step], path, inner)) == wanted
    except Missing:
        return False


def _rank(one: Selection) -> tuple[int, int, int, int, int, str]:
    objects = sum(isinstance(column[0], dict) for column in one.told.values())
    known = sum(isinstance(element, Where) for element in one.var.path) - len(one.told)
    return len(one.told), objects, -known, -one.var.step, len(one.var.path), repr(one.var.path)


def _bound(element: PathElement, known: Mapping[str, Known]) -> PathElement:
    if isinstance(element, Where) and isinstance(element.equals, Param):
        return replace(element, equals=known.get(element.equals.name, element.equals))
    return element
