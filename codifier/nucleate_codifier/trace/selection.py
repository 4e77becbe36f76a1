"""Which element a value was taken from: the field by which the task, or an earlier value, tells it from the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from nucleate_codifier.trace.evaluation import Missing, Scope, candidates, fingerprint, follow
from nucleate_codifier.trace.expressions import Each, Known, Param, Path, Var, Where
from nucleate_codifier.trace.mentions import Mentions, informative, leaves
from nucleate_codifier.trace.places import MOST_PATHS, MOST_PLACES, Raw, places
from nucleate_codifier.trace.runs import Run
from nucleate_sandbox import Json

SCHEMA_KEY = re.compile(r"[A-Za-z_]{1,40}\d?")
MOST_CONDITIONS = 2


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


def selections(cells: Sequence[Cell], runs: Sequence[Run]) -> list[Selection]:
    """Return the selections that give every cell's value, and that some run needs, best first.

    The fewest new parameters first; then texts before objects; then the nearest step and the shortest path.
    """
    found = [one for step in range(len(runs[0].scope.results)) for one in _at(step, cells, runs)]
    return sorted(found, key=_rank)


def _at(step: int, cells: Sequence[Cell], runs: Sequence[Run]) -> Iterator[Selection]:
    ways = [_ways_of(cell, runs[cell.run], step) for cell in cells]
    for path in set.intersection(*(set(one) for one in ways)):
        told = {name: tuple(way[path][name] for way in ways) for name in ways[0][path]}
        if any(_had_others(runs[cell.run].scope, step, path) for cell in cells):
            yield Selection(var=Var(step=step, path=path), told=told)


def _ways_of(cell: Cell, run: Run, step: int) -> dict[Path, dict[str, Json]]:
    result, wanted = run.scope.results[step], fingerprint(cell.value)
    found: dict[Path, dict[str, Json]] = {}
    for raw in islice(places(result, wanted), MOST_PLACES):
        for path, told in islice(_ways(result, raw, run.before), MOST_PATHS):
            if path not in found and told and _gives(run.scope, step, path, told, wanted):
                found[path] = told
    return found


def _ways(value: Json, raw: Raw, said: Mentions, number: int = 0) -> Iterator[tuple[Path, dict[str, Json]]]:
    if not raw:
        yield (), {}
        return
    if isinstance(raw[0], str) and SCHEMA_KEY.fullmatch(raw[0]):
        inner = follow(value, raw[:1], Scope())
        yield from (((raw[0], *path), told) for path, told in _ways(inner, raw[1:], said, number))
        return
    if number == MOST_CONDITIONS:
        return
    for depth, among in _spreads(raw):
        element = follow(value, raw[:depth], Scope())
        for field, equals in _telling_fields(element, said):
            if (field,) == raw[depth:]:
                continue  # an element is not chosen by the very value that is then read from it
            name = f"{number}.{field}"
            where = Where(field=(field,), equals=Param(name=name), among=among)
            for path, told in _ways(element, raw[depth:], said, number + 1):
                yield (where, *path), {name: equals, **told}


def _spreads(raw: Raw) -> Iterator[tuple[int, Path]]:
    """Yield how far down the elements of a list, and of lists inside it, may lie: `[0]`, then `[0]['items'][2]`."""
    among: list[str | Each] = []
    for depth, key in enumerate(raw, start=1):
        if isinstance(key, str) and SCHEMA_KEY.fullmatch(key):
            among.append(key)
        else:
            among.append(Each(over="items" if isinstance(key, int) else "values"))
            yield depth, tuple(among)


def _telling_fields(element: Json, said: Mentions) -> Iterator[tuple[str, Json]]:
    """Yield the fields of an object that the task states: texts and numbers that tell, and small objects of these."""
    for field, value in element.items() if isinstance(element, dict) else ():
        flat = isinstance(value, dict) and value and not any(isinstance(leaf, dict | list) for leaf in value.values())
        scalar = not isinstance(value, dict | list)
        if (flat or scalar) and informative(value) and all(leaf in said for leaf in leaves(value)):
            yield field, value


def _had_others(scope: Scope, step: int, path: Path) -> bool:
    index = next(index for index, element in enumerate(path) if isinstance(element, Where))
    where = path[index]
    holder = follow(scope.results[step], path[:index], scope)
    return isinstance(where, Where) and len(candidates(holder, where, scope)) > 1


def _gives(scope: Scope, step: int, path: Path, told: Mapping[str, Json], wanted: str) -> bool:
    inner = Scope(parameters={**scope.parameters, **told}, results=scope.results)
    try:
        return fingerprint(follow(scope.results[step], path, inner)) == wanted
    except Missing:
        return False


def _rank(one: Selection) -> tuple[int, int, int, int, str]:
    objects = sum(isinstance(column[0], dict) for column in one.told.values())
    return len(one.told), objects, -one.var.step, len(one.var.path), repr(one.var.path)


def _bound(element: object, known: Mapping[str, Known]) -> object:
    if isinstance(element, Where) and isinstance(element.equals, Param):
        return replace(element, equals=known.get(element.equals.name, element.equals))
    return element
