"""What a tool does, carried out from its template: the calls in order, each with its arguments, and the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from nucleate_codifier.trace.align.pages import Pages
from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.evaluation import RunScope, elements, evaluate, meets, same
from nucleate_codifier.trace.expressions import Each, Missing, Param
from nucleate_sandbox import Call, Json, JsonObject

Answer: TypeAlias = Callable[[str, JsonObject], Json]


def perform(template: Template, arguments: JsonObject, answer: Answer) -> Json:
    """Make the template's calls with these arguments and return what the tool returns; Missing where it would fail."""
    scope = RunScope(parameters={**dict.fromkeys(template.parameters - template.required), **arguments})
    for pattern in template.patterns:
        scope.results.append(_step(pattern, scope, answer))
    return template.result(scope.results)


def reproduces(template: Template, arguments: JsonObject, calls: Sequence[Call]) -> bool:
    """Return whether the template makes just these calls, in this order, when it is answered as they were."""
    left = list(calls)

    def answer(function: str, given: JsonObject) -> Json:
        if not left or left[0].function != function or not same(left[0].arguments, given):
            raise Missing(function)
        return left.pop(0).result

    try:
        perform(template, arguments, answer)
    except Missing:
        return False
    return not left


def _step(pattern: Pattern, scope: RunScope, answer: Answer) -> Json:
    if pattern.guard is not None and not meets(pattern.guard, scope):
        return None
    if pattern.pages is not None:
        return _pages(pattern, pattern.pages, scope, answer)
    if pattern.over is None:
        return answer(pattern.function, _arguments(pattern, scope))
    over = elements(evaluate(pattern.over, scope), Each(), scope)
    return [answer(pattern.function, _arguments(pattern, scope.within(item))) for item in over]


def _pages(pattern: Pattern, pages: Pages, scope: RunScope, answer: Answer) -> Json:
    results: list[Json] = []
    number: Json = pages.first
    while not results or pages.goes_on(results[-1], number):
        number = pages.next(results[-1], number) if results else number
        given = {} if number is None else {pages.argument: number}
        results.append(answer(pattern.function, {**_arguments(pattern, scope), **given}))
    return pages.gathered(results)


def _arguments(pattern: Pattern, scope: RunScope) -> JsonObject:
    given = {name: evaluate(expr, scope) for name, expr in pattern.arguments}
    optional = {name for name, expr in pattern.arguments if isinstance(expr, Param) and expr.optional}
    return {name: value for name, value in given.items() if name not in optional or value is not None}
