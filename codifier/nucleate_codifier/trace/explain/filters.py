"""A call repeated for some elements of a list: those of which one field equals a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb

from nucleate_codifier.discrimination import ValueUse, enough
from nucleate_codifier.trace.align.loops import Calls, ListLoop
from nucleate_codifier.trace.align.mentions import informative
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.evaluation import RunScope, fingerprint, follow, same
from nucleate_codifier.trace.explain.sources import KnownValue, known_in
from nucleate_codifier.trace.expressions import Condition, Const, Each, Item, Known, Missing, Path, Var
from nucleate_sandbox import Effect, Json

DEEPEST = 3


@dataclass(frozen=True, kw_only=True)
class Filtered:
    """A loop over part of a list. `told` are the values that the task states, where the condition needs a parameter."""

    loop: ListLoop
    field: str
    told: tuple[Json, ...] = ()

    def bind(self, known: Known) -> ListLoop:
        """Return the loop with its condition on this value."""
        *before, _ = self.loop.over.path
        last = Each(only=(Condition(field=self.field, equals=known),))
        return ListLoop(over=Var(step=self.loop.over.step, path=(*before, last)), items=self.loop.items)


@dataclass(frozen=True, kw_only=True)
class _Part:
    """For each run the elements of a list, and the positions of those that were called for."""

    over: Var
    items: Mapping[str, Item]
    lists: tuple[tuple[Json, ...], ...]
    taken: tuple[tuple[int, ...], ...]


def filtered(
    calls: Calls, names: Sequence[str], runs: Sequence[SupportingRun], facts: Sequence[KnownValue], effect: Effect
) -> list[Filtered]:
    """Return the conditions under which exactly the elements that were called for remain; several are a doubt."""
    for step in reversed(range(len(runs[0].scope.results))):
        for part in _parts(calls, names, runs, step):
            fields = _shared(part)
            sizes = [comb(len(a), len(t)) for a, t in zip(part.lists, part.taken, strict=True)]
            uses = [ValueUse(run.group_number, 1 / size) for run, size in zip(runs, sizes, strict=True)]
            found = [one for field in fields for one in _conditions(part, field, runs, facts)]
            fixed = any(not one.told for one in found)
            if found and enough(uses, effect if fixed else Effect.READ, tried=len(fields), constants=int(fixed)):
                return found
    return []


def _parts(calls: Calls, names: Sequence[str], runs: Sequence[SupportingRun], step: int) -> Iterator[_Part]:
    for base in sorted(_bases(runs, step), key=lambda path: (len(path), repr(path))):
        lists = [_list(run, step, base) for run in runs]
        first = next((one for elements in lists if isinstance(elements, list) for one in elements), None)
        for path in _paths(first):
            taken = [_taken(elements, path, group, names[0]) for elements, group in zip(lists, calls, strict=True)]
            items = {names[0]: Item(path=path), **_others(first, lists, taken, calls, names[1:])}
            if all(taken) and len(items) == len(names):
                whole = tuple(tuple(elements) for elements in lists if isinstance(elements, list))
                yield _Part(over=Var(step=step, path=base), items=items, lists=whole, taken=tuple(map(tuple, taken)))


def _bases(runs: Sequence[SupportingRun], step: int) -> set[Path]:
    """Return the paths that lead to the elements of a list in every run."""
    found = [run.lists(step) for run in runs]
    return {path for path in set.intersection(*found) if path[-1] == Each()}


def _list(run: SupportingRun, step: int, path: Path) -> Json:
    try:
        return follow(run.scope.results[step], path, run.scope)
    except Missing:
        return None  # the elements are of several shapes


def _paths(element: Json, depth: int = DEEPEST) -> Iterator[Path]:
    if isinstance(element, dict):
        for key, value in element.items() if depth else ():
            yield from ((key, *rest) for rest in _paths(value, depth - 1))
    elif not isinstance(element, list):
        yield ()


def _taken(elements: Json, path: Path, group: Sequence[Mapping[str, Json]], name: str) -> list[int]:
    """Return the positions of the elements that give the calls' values in order, or nothing where some is missing."""
    found: list[int] = []
    if not isinstance(elements, list):
        return found
    for call in group:
        start = found[-1] + 1 if found else 0
        rest = range(start, len(elements))
        index = next((i for i in rest if informative(call[name]) and _holds(elements[i], path, call[name])), None)
        if index is None:
            return []
        found.append(index)
    return found


def _others(
    first: Json, lists: Sequence[Json], taken: Sequence[Sequence[int]], calls: Calls, names: Sequence[str]
) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for name in names:
        for path in _paths(first):
            pairs = [
                (elements[index], call[name])
                for elements, indices, group in zip(lists, taken, calls, strict=True)
                if isinstance(elements, list)
                for index, call in zip(indices, group, strict=False)
            ]
            if all(_holds(element, path, value) for element, value in pairs):
                found.setdefault(name, Item(path=path))
    return found


def _holds(element: Json, path: Path, value: Json) -> bool:
    try:
        return same(follow(element, path, RunScope()), value)
    except Missing:
        return False


def _shared(part: _Part) -> list[str]:
    objects = [one for elements in part.lists for one in elements if isinstance(one, dict)]
    scalars = [key for key, value in objects[0].items() if not isinstance(value, dict | list)] if objects else []
    return [field for field in scalars if all(field in one for one in objects)]


def _conditions(
    part: _Part, field: str, runs: Sequence[SupportingRun], facts: Sequence[KnownValue]
) -> Iterator[Filtered]:
    values = [_only_value(elements, taken, field) for elements, taken in zip(part.lists, part.taken, strict=True)]
    if any(value is None for value in values) or not isinstance(values[0], str | bool | int):
        return
    loop = ListLoop(over=part.over, items=part.items)
    known = [expr for expr, _ in known_in(facts, 0, part.over.step)]
    equal = [fact.expr for fact in facts if fact.expr in known and _alike(fact.column, values)]
    if equal:
        yield Filtered(loop=Filtered(loop=loop, field=field).bind(equal[0]), field=field)
    elif all(informative(value) and value in run.query for value, run in zip(values, runs, strict=True)):
        yield Filtered(loop=loop, field=field, told=tuple(values))
    elif len({fingerprint(value) for value in values}) == 1:
        yield Filtered(loop=Filtered(loop=loop, field=field).bind(Const(value=values[0])), field=field)


def _only_value(elements: Sequence[Json], taken: Sequence[int], field: str) -> Json:
    """Return what all the taken elements have in the field and no other has; None where there is no such value."""
    values = [element[field] if isinstance(element, dict) else None for element in elements]
    inside = {fingerprint(values[index]) for index in taken}
    outside = {fingerprint(value) for index, value in enumerate(values) if index not in taken}
    return values[taken[0]] if len(inside) == 1 and not inside & outside else None


def _alike(one: Sequence[Json], other: Sequence[Json]) -> bool:
    return [fingerprint(value) for value in one] == [fingerprint(value) for value in other]
