"""What parameters must have been, read off recorded values that were selected by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nucleate_codifier.trace.evaluation import RunScope, candidates, elements, evaluate, fingerprint, pick, same
from nucleate_codifier.trace.expressions import (
    At,
    Best,
    Each,
    Expr,
    Item,
    Known,
    Mapped,
    Missing,
    Param,
    Path,
    Var,
    Where,
)
from nucleate_sandbox import Json, JsonObject

ITEM = "the element of the loop"
"""Stands among the bindings for the element itself; no parameter can have this name."""


def settle(scope: RunScope) -> bool:
    """Bind the parameters that open questions depend on; return whether there is a binding that answers them all."""
    telling_first = sorted(scope.open, key=lambda question: not isinstance(question[0], Mapped | Var))
    found = next(_answers(telling_first, scope, scope.parameters), None)
    if found is None:
        return False
    scope.parameters.update(found)
    scope.open.clear()
    return True


def openings(over: Var, scope: RunScope) -> Iterator[JsonObject]:
    """Yield what is bound, with each value that the one condition of a loop may have compared its elements with."""
    last = over.path[-1]
    if not isinstance(last, Each) or len(last.only) != 1 or not isinstance(last.only[0].equals, Param):
        return
    every = Var(step=over.step, path=(*over.path[:-1], Each()))
    try:
        chosen_from = evaluate(every, scope)
    except Missing:
        return
    name = last.only[0].equals.name
    if isinstance(chosen_from, list):
        yield from ({**scope.parameters, name: found[0][1]} for found in _by_value(chosen_from, last.only[0].field))


def _answers(questions: Sequence[tuple[Expr, Json]], scope: RunScope, bound: JsonObject) -> Iterator[JsonObject]:
    if not questions:
        yield bound
        return
    (expr, actual), *others = questions
    for more in solutions(expr, actual, scope, bound):
        yield from _answers(others, scope, more)


def solutions(expr: Expr, actual: Json, scope: RunScope, bound: JsonObject) -> Iterator[JsonObject]:
    """Yield every binding, besides what is bound, under which the expression gives the value."""
    if isinstance(expr, Mapped):
        yield from _mapped(expr, actual, scope, bound)
    elif isinstance(expr, Var):
        yield from _along(scope.results[expr.step], expr.path, actual, scope, bound)
    elif isinstance(expr, Item) and not expr.path and ITEM not in bound:
        yield {**bound, ITEM: actual}
    elif same_when(expr, actual, RunScope(parameters=bound, results=scope.results, item=bound.get(ITEM))):
        yield bound


def same_when(expr: Expr, actual: Json, scope: RunScope) -> bool:
    """Return whether the expression gives the value, when everything that it depends on is known."""
    try:
        return same(evaluate(expr, scope), actual)
    except Missing:
        return False


def _mapped(expr: Mapped, actual: Json, scope: RunScope, bound: JsonObject) -> Iterator[JsonObject]:
    if not isinstance(actual, list):
        return
    for items, more in _items(expr.element, actual, scope, bound):
        if expr.over.name not in bound:
            yield {**more, expr.over.name: items}
        elif same(bound[expr.over.name], items):
            yield more


def _items(
    element: Expr, values: Sequence[Json], scope: RunScope, bound: JsonObject
) -> Iterator[tuple[list[Json], JsonObject]]:
    if not values:
        yield [], bound
        return
    for found in solutions(element, values[0], scope, bound):
        item = found.pop(ITEM)
        for items, more in _items(element, values[1:], scope, found):
            yield [item, *items], more


def _along(value: Json, path: Path, actual: Json, scope: RunScope, bound: JsonObject) -> Iterator[JsonObject]:
    if not path:
        if same(value, actual):
            yield dict(bound)
        return
    head, rest = path[0], path[1:]
    try:
        for one, more in _choices(value, head, scope, bound):
            yield from _along(one, rest, actual, scope, more)
    except Missing:
        return


def _choices(value: Json, head: Path | object, scope: RunScope, bound: JsonObject) -> Iterator[tuple[Json, JsonObject]]:
    match head:
        case Where(equals=known) if (name := _free(known, bound)) is not None:
            yield from _the_only_ones(candidates(value, head, scope), head, name, bound)
        case At(key=known) if (name := _free(known, bound)) is not None:
            keys = elements(value, Each(over="keys"), scope)
            values = elements(value, Each(over="values"), scope)
            yield from ((one, {**bound, name: key}) for key, one in zip(keys, values, strict=True))
        case Where() | Best() | At() | str() | int():
            inner = RunScope(parameters=bound, results=scope.results, item=bound.get(ITEM))
            yield pick(value, head, inner), bound
        case _:
            raise Missing(head)


def _the_only_ones(
    chosen_from: Sequence[Json], where: Where, name: str, bound: JsonObject
) -> Iterator[tuple[Json, JsonObject]]:
    """Yield each element that no other one shares its value of the field with: a selection can find no other."""
    for found in _by_value(chosen_from, where.field):
        if all(same(one, found[0][0]) for one, _ in found):
            yield found[0][0], {**bound, name: found[0][1]}


def _by_value(chosen_from: Sequence[Json], field: str) -> list[list[tuple[Json, Json]]]:
    """Return (element, value of the field) for each different value."""
    values: dict[str, list[tuple[Json, Json]]] = {}
    for one in chosen_from:
        try:
            value = evaluate(Item(path=(field,)), RunScope(item=one))
        except Missing:
            continue
        values.setdefault(fingerprint(value), []).append((one, value))
    return list(values.values())


def _free(known: Known, bound: JsonObject) -> str | None:
    name = ITEM if isinstance(known, Item) else known.name if isinstance(known, Param) else None
    return None if name in bound else name
