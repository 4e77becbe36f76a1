"""What an expression gives in one run, and whether a recorded value agrees with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nucleate_codifier.trace.conversions import turned
from nucleate_codifier.trace.expressions import (
    At,
    Best,
    Const,
    Each,
    Expr,
    Guard,
    Item,
    Items,
    Known,
    Mapped,
    Missing,
    Param,
    Path,
    PathElement,
    Record,
    Text,
    Total,
    Turned,
    Var,
    Where,
    parts,
)
from nucleate_sandbox import Json, JsonObject, canonical


@dataclass(kw_only=True)
class RunScope:
    """What one run knows so far: parameters bound, results of the steps done, the loop's element.

    `open` holds expressions that were seen to have a value, but depend on parameters that nothing has told yet.
    """

    parameters: JsonObject = field(default_factory=dict)
    results: list[Json] = field(default_factory=list)
    item: Json = None
    open: list[tuple[Expr, Json]] = field(default_factory=list)

    def within(self, item: Json) -> RunScope:
        """Return the scope as it is inside a loop that is at this element."""
        return RunScope(parameters=self.parameters, results=self.results, item=item, open=self.open)


def fingerprint(value: Json) -> str:
    """Return one text for equal JSON values: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, str):
        return f'"{value}"'  # most values are texts, and nothing else begins with a quotation mark
    return canonical(_whole(value))


def same(one: Json, other: Json) -> bool:
    """Return whether two JSON values are equal (see fingerprint)."""
    return one is other or fingerprint(one) == fingerprint(other)


def evaluate(expr: Expr, scope: RunScope) -> Json:
    """Return the value of the expression, or raise Missing."""
    match expr:
        case Const():
            return expr.value
        case Param():
            return _under(scope.parameters, expr.name)
        case Var():
            return follow(_at(scope.results, expr.step), expr.path, scope)
        case Item():
            return follow(scope.item, expr.path, scope)
        case Record():
            return {key: evaluate(value, scope) for key, value in expr.fields}
        case Items():
            return [evaluate(item, scope) for item in expr.items]
        case _:
            return _made(expr, scope)


def _made(expr: Mapped | Total | Turned | Text, scope: RunScope) -> Json:
    match expr:
        case Mapped():
            over = elements(evaluate(expr.over, scope), Each(), scope)
            return [evaluate(expr.element, scope.within(item)) for item in over]
        case Total():
            return total(evaluate(expr.of, scope))
        case Turned():
            return turned(evaluate(expr.of, scope), expr.how)
        case Text():
            return "".join(part if isinstance(part, str) else str(evaluate(part, scope)) for part in expr.parts)


def follow(value: Json, path: Path, scope: RunScope) -> Json:
    """Return what lies at the path; each `Each` in it gives a list, and several give one flat list."""
    if not path:
        return value
    head, rest = path[0], path[1:]
    if not isinstance(head, Each):
        return follow(pick(value, head, scope), rest, scope)
    found = [follow(element, rest, scope) for element in elements(value, head, scope)]
    if any(isinstance(element, Each) for element in rest):
        return [leaf for group in found if isinstance(group, list) for leaf in group]
    return found


def elements(value: Json, each: Each, scope: RunScope) -> list[Json]:
    """Return what a loop over the value runs over, or raise Missing."""
    if each.over == "items" and isinstance(value, list):
        return [item for item in value if all(_meets(item, one.field, one.equals, scope) for one in each.only)]
    if each.over == "keys" and isinstance(value, dict):
        return list(value)
    if each.over == "values" and isinstance(value, dict):
        return list(value.values())
    raise Missing(each.over)


def pick(value: Json, element: PathElement, scope: RunScope) -> Json:
    """Return what one path element picks from the value, or raise Missing."""
    if isinstance(element, At):
        key = evaluate(element.key, scope)
        return _under(value, key) if isinstance(key, str) else _fail(key)
    if isinstance(element, str):
        return _under(value, element)
    if isinstance(element, Where):
        return _only(candidates(value, element, scope), element, scope)
    if isinstance(element, Best):
        return best(candidates(value, element, scope), element)
    if isinstance(element, int) and isinstance(value, list):
        return _at(value, element)
    raise Missing(element)


def meets(guard: Guard, scope: RunScope) -> bool:
    """Return whether a guarded call is made; not where the result has nothing there."""
    try:
        return same(evaluate(guard.of, scope), guard.equals) == guard.holds
    except Missing:
        return False


def candidates(value: Json, where: Where | Best, scope: RunScope) -> list[Json]:
    """Return the elements that a selection chooses from, or raise Missing."""
    found = follow(value, where.among, scope)
    return found if isinstance(found, list) else []


def best(chosen_from: list[Json], rule: Best) -> Json:
    """Return the first of the elements with the least or greatest value, as min and max do, or raise Missing."""
    values = [_under(one, rule.field) for one in chosen_from]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = [value for value in values if isinstance(value, str)]
    ranked: list[Any] = numbers or texts
    if not values or len(ranked) < len(values):
        raise Missing(rule.field)
    return chosen_from[ranked.index(max(ranked) if rule.most else min(ranked))]


def total(values: Json) -> float:
    """Return the sum of a list of numbers, as `sum` gives it, or raise Missing."""
    numbers = [one for one in values if isinstance(one, int | float)] if isinstance(values, list) else []
    if not isinstance(values, list) or len(numbers) < len(values):
        raise Missing("sum")
    return sum(numbers)


def unify(expr: Expr, actual: Json, scope: RunScope) -> bool:
    """Return whether the recorded value agrees with the expression, binding parameters that are still free.

    Where a selection depends on a parameter that is free, the question is left open in the scope.
    """
    match expr:
        case Param() if expr.name not in scope.parameters:
            scope.parameters[expr.name] = actual
            return True
        case Record():
            return _unify_record(expr, actual, scope)
        case Items():
            if not isinstance(actual, list) or len(actual) != len(expr.items):
                return False
            return all(unify(item, value, scope) for item, value in zip(expr.items, actual, strict=True))
        case Mapped() | Var() | Total() | Turned() | Text() if free_in(expr, scope):
            scope.open.append((expr, actual))
            return True
        case _:
            try:
                return same(evaluate(expr, scope), actual)
            except Missing:
                return False


def free_in(expr: Expr, scope: RunScope) -> bool:
    """Return whether the expression depends on a parameter that nothing has told yet."""
    return any(isinstance(part, Param) and part.name not in scope.parameters for part in parts(expr))


def _unify_record(expr: Record, actual: Json, scope: RunScope) -> bool:
    if not isinstance(actual, dict) or set(actual) != {key for key, _ in expr.fields}:
        return False
    return all(unify(value, actual[key], scope) for key, value in expr.fields)


def _only(candidates: list[Json], where: Where, scope: RunScope) -> Json:
    """Return the element that fits, or raise Missing where none does, or several that differ: never a guess."""
    found = [one for one in candidates if _meets(one, where.field, where.equals, scope)]
    if not found or any(not same(one, found[0]) for one in found[1:]):
        raise Missing(where)
    return found[0]


def _meets(element: Json, field: str, equals: Known, scope: RunScope) -> bool:
    wanted = evaluate(equals, scope)
    try:
        return same(_under(element, field), wanted)
    except Missing:
        return False


def _under(value: Json, key: str) -> Json:
    if not isinstance(value, dict) or key not in value:
        raise Missing(key)
    return value[key]


def _at(values: list[Json], index: int) -> Json:
    if not -len(values) <= index < len(values):
        raise Missing(index)
    return values[index]


def _fail(key: Json) -> Json:
    raise Missing(key)


def _whole(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {key: _whole(item) for key, item in value.items()} if isinstance(value, dict) else value
