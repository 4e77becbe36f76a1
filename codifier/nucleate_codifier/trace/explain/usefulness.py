"""Whether a template is worth a tool: more than one call, something that varies, one thing that is done."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.explain.fixed_sequences import nothing_varies, routine
from nucleate_codifier.trace.expressions import Const, Expr, Item, Param, Var
from nucleate_codifier.trace.refusals import refused
from nucleate_sandbox import Effect, FunctionSpec


def check_worth(template: Template, functions: Mapping[str, FunctionSpec]) -> None:
    """Raise Refused where nobody would write this tool."""
    if len(template.patterns) < 2 and all(not pattern.repeated for pattern in template.patterns):
        raise refused("one-call", "the tool would make one call", "Call the function itself.")
    handed_on = any(isinstance(expr, Var) for expr in template.expressions)
    if not template.parameters and not handed_on and not routine(template, functions):
        raise nothing_varies(", ".join(_said(pattern) for pattern in template.patterns))
    writes = [pattern for pattern in template.patterns if functions[pattern.function].effect != Effect.READ]
    for one, other in combinations(writes, 2):
        if _apart(_subject(one), _subject(other)):
            raise refused(
                "unrelated-writes",
                f"{one.function} and {other.function} change different things: each has its own {_subject(one)[0]!r}",
                "Use a tool for each: a plan that makes one of these changes becomes one.",
            )


def _said(pattern: Pattern) -> str:
    given = ", ".join(f"{name}={expr.value!r}" for name, expr in pattern.arguments if isinstance(expr, Const))
    return f"{pattern.function}({given})"


def _subject(pattern: Pattern) -> tuple[str, Expr | None]:
    """Return the first argument that names what the call is about: `order_id`."""
    ids = [(name, expr) for name, expr in pattern.arguments if name == "id" or name.endswith(("_id", "Id", "ID"))]
    if not ids:
        return "", None
    name, expr = ids[0]
    return name, pattern.over if expr == Item() and isinstance(pattern.over, Param) else expr


def _apart(one: tuple[str, Expr | None], other: tuple[str, Expr | None]) -> bool:
    both_given = isinstance(one[1], Param) and isinstance(other[1], Param)
    return both_given and one[0] == other[0] and one[1] != other[1]
