"""Whether a template is worth a tool: more than one call, something that varies, one thing that is done."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.explain.fixed_sequences import nothing_varies, routine
from nucleate_codifier.trace.expressions import Const, Expr, Item, Param, Var, parts
from nucleate_codifier.trace.refusals import refused
from nucleate_sandbox import Effect, FunctionSpec


def check_worth(template: Template, functions: Mapping[str, FunctionSpec]) -> None:
    """Raise Refused where nobody would write this tool."""
    if len(template.patterns) < 2 and all(not pattern.repeated for pattern in template.patterns):
        raise refused("one-call", "the tool would make one call", "Call the function itself.")
    handed_on = any(isinstance(expr, Var) for expr in template.expressions)
    if not template.parameters and not handed_on and not routine(template, functions):
        raise nothing_varies(", ".join(_said(pattern) for pattern in template.patterns))
    _check_one_thing(template, functions)
    writes = [pattern for pattern in template.patterns if functions[pattern.function].effect != Effect.READ]
    for one, other in combinations(writes, 2):
        if _apart(_subject(one), _subject(other)):
            raise refused(
                "unrelated-writes",
                f"{one.function} and {other.function} change different things: each has its own {_subject(one)[0]!r}",
                "Use a tool for each: a plan that makes one of these changes becomes one.",
            )


def _check_one_thing(template: Template, functions: Mapping[str, FunctionSpec]) -> None:
    """Raise Refused where calls have nothing to do with each other, or a read is for nothing in a tool that writes."""
    told = [_told(pattern) for pattern in template.patterns]
    used = set[int]().union(*(steps for steps, _ in told))
    writes = any(functions[pattern.function].effect != Effect.READ for pattern in template.patterns)
    _check_no_look_around(template, writes, functions)
    for step, pattern in enumerate(template.patterns):
        reads = functions[pattern.function].effect is Effect.READ
        flows = step in used or bool(told[step][0])
        shares = any(told[step][1] & other for index, (_, other) in enumerate(told) if index != step)
        if reads and not flows and not shares and len(told) > 1 and any(params for _, params in told):
            raise refused(
                "unrelated-reads",
                f"{pattern.function} hands nothing on and shares nothing with the other calls",
                "Use a tool for each: a plan that reads one of these becomes one.",
            )
        if reads and writes and step not in used and step < len(told) - 1 and not told[step][0]:
            raise refused(
                "unneeded-read",
                f"nothing needs what {pattern.function} answers",
                "Call the writing function itself.",
            )


def _check_no_look_around(template: Template, writes: bool, functions: Mapping[str, FunctionSpec]) -> None:
    """Raise Refused where a tool that writes first reads what its caller lists: who lists them looks, then decides."""
    looks = [
        p.function
        for p in template.patterns
        if isinstance(p.over, Param) and functions[p.function].effect is Effect.READ
    ]
    if looks and writes:
        raise refused(
            "looked-around",
            f"{looks[0]} is called for things that the caller lists before it decides what to write",
            "Use one tool that reads them, and another that writes what stands in their answers.",
        )


def _told(pattern: Pattern) -> tuple[set[int], set[str]]:
    """Return the steps whose results a call uses, and the parameters that it takes."""
    sources = [expr for _, expr in pattern.arguments] + ([pattern.over] if pattern.over is not None else [])
    sources += [pattern.guard.of] if pattern.guard is not None else []
    inside = [part for expr in sources for part in parts(expr)]
    used = {part.step for part in inside if isinstance(part, Var)}
    return used, {part.name for part in inside if isinstance(part, Param)}


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
