"""Which element of a list was chosen, when no value tells: the least, the greatest, or the first of one kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from nucleate_codifier.discrimination import ValueUse, enough
from nucleate_codifier.trace.align.places import MOST_PLACES, SCHEMA_KEY, Raw, places, spreads
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.evaluation import RunScope, fingerprint, follow, same
from nucleate_codifier.trace.expressions import Best, Condition, Const, Each, Missing, Path, PathElement, Var, Where
from nucleate_sandbox import Effect, Json

MOST_BY_CHANCE = 0.05
"""How likely the rules that were tried may be to fit runs in which the choice has nothing to do with them."""


@dataclass(frozen=True, kw_only=True)
class ElementChoice:
    """A list, and which of its elements each run went on with: by position, with the path from there to the value."""

    step: int
    before: Path
    among: Path
    rest: Path
    lists: tuple[tuple[Json, ...], ...]
    chosen: tuple[int, ...]

    def var(self, rule: PathElement) -> Var:
        """Return the variable that chooses by the rule."""
        return Var(step=self.step, path=(*self.before, rule, *self.rest))


def criteria(column: Sequence[Json], runs: Sequence[SupportingRun], effect: Effect) -> list[Var]:
    """Return the simplest rules of one kind that fit every run and hardly could by chance: more than one is a doubt.

    First those that need one field, then those that look for the least or greatest among elements of one kind.
    """
    for step in reversed(range(len(runs[0].scope.results))):
        for choice in _choices(column, runs, step):
            uses = [ValueUse(run.group_number, 1 / len(one)) for run, one in zip(runs, choice.lists, strict=True)]
            kinds: list[list[Where | Best]] = [
                [*_first_of_a_kind(choice)],
                [*_extremes(choice)],
                [*_extremes_of_a_kind(choice)],
            ]
            for rules in kinds:
                fitting = [rule for rule in rules if _fits(rule, choice)]
                constants = int(bool(fitting) and not isinstance(fitting[0], Best))
                if fitting and enough(uses, effect, tried=len(rules), constants=constants):
                    return [choice.var(rule) for rule in fitting]
    return []


def _choices(column: Sequence[Json], runs: Sequence[SupportingRun], step: int) -> Iterator[ElementChoice]:
    found = [_of_run(value, run, step) for value, run in zip(column, runs, strict=True)]
    for key in found[0]:
        if all(key in one for one in found):
            before, among, rest = key
            lists, chosen = zip(*(one[key] for one in found), strict=True)
            yield ElementChoice(step=step, before=before, among=among, rest=rest, lists=lists, chosen=chosen)


def _of_run(value: Json, run: SupportingRun, step: int) -> dict[tuple[Path, Path, Path], tuple[tuple[Json, ...], int]]:
    result = run.scope.results[step]
    found: dict[tuple[Path, Path, Path], tuple[tuple[Json, ...], int]] = {}
    for raw in islice(places(result, fingerprint(value)), MOST_PLACES):
        start = _keys(raw)
        for depth, among in spreads(raw[start:]):
            rest = raw[start + depth :]
            if _keys(rest) < len(rest):
                continue
            elements = _objects(follow(result, raw[:start], RunScope()), among)
            element = follow(result, raw[: start + depth], RunScope())
            if elements and len(found) < MOST_PLACES:
                found.setdefault((raw[:start], among, rest), (elements, _index(elements, element)))
    return found


def _keys(raw: Raw) -> int:
    """Return how many keys of objects the path begins with."""
    stop = (index for index, key in enumerate(raw) if not (isinstance(key, str) and SCHEMA_KEY.fullmatch(key)))
    return next(stop, len(raw))


def _objects(holder: Json, among: Path) -> tuple[Json, ...]:
    """Return the elements to choose from; none where they are of several shapes."""
    try:
        found = follow(holder, among, RunScope())
    except Missing:
        return ()
    return tuple(found) if isinstance(found, list) and all(isinstance(one, dict) for one in found) else ()


def _index(elements: Sequence[Json], element: Json) -> int:
    return next(index for index, one in enumerate(elements) if same(one, element))


def _first_of_a_kind(choice: ElementChoice) -> Iterator[Where]:
    for one in _kinds(choice):
        yield Where(field=one.field, equals=one.equals, among=choice.among)


def _extremes(choice: ElementChoice) -> Iterator[Best]:
    for field in _shared(choice):
        for most in (False, True):
            yield Best(field=field, most=most, among=choice.among)


def _extremes_of_a_kind(choice: ElementChoice) -> Iterator[Best]:
    if choice.among != (Each(),):
        return
    for one in _kinds(choice):
        for rule in _extremes(choice):
            if rule.field != one.field:
                yield replace(rule, among=(Each(only=(one,)),))


def _kinds(choice: ElementChoice) -> Iterator[Condition]:
    """Yield what the chosen elements have in common, and others do not: a flag or a word."""
    for field in _shared(choice):
        values = [_field(elements[index], field) for elements, index in zip(choice.lists, choice.chosen, strict=True)]
        alike = isinstance(values[0], bool | str) and all(same(value, values[0]) for value in values)
        others = any(not same(_field(one, field), values[0]) for elements in choice.lists for one in elements)
        if alike and others:
            yield Condition(field=field, equals=Const(value=values[0]))


def _shared(choice: ElementChoice) -> list[str]:
    objects = [one for elements in choice.lists for one in elements if isinstance(one, dict)]
    return [field for field in objects[0] if all(field in one for one in objects)]


def _fits(rule: Where | Best, choice: ElementChoice) -> bool:
    bare = replace(rule, among=(Each(only=rule.among[-1].only) if isinstance(rule.among[-1], Each) else Each(),))
    return all(_picks(bare, elements, index) for elements, index in zip(choice.lists, choice.chosen, strict=True))


def _picks(rule: Where | Best, elements: Sequence[Json], index: int) -> bool:
    try:
        return follow(list(elements), (rule,), RunScope()) is elements[index]
    except Missing:
        return False


def _field(element: Json, field: str) -> Json:
    return element[field] if isinstance(element, dict) else None
