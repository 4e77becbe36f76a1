"""Sequences that are carried out the same way each time: nothing varies, and nothing in them names an entity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nucleate_codifier.trace.align.mentions import informative
from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.annotations import property_schema
from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_codifier.trace.expressions import Const, Expr, Param
from nucleate_codifier.trace.refusals import refused
from nucleate_codifier.values import Example
from nucleate_sandbox import Effect, FunctionSpec, Json

Functions = Mapping[str, FunctionSpec]


def fix(template: Template, examples: Sequence[Example], functions: Functions) -> Template:
    """Return the template with its parameters as constants where all had one value that the schemas enumerate.

    Refused where a parameter had one value that only the task can have meant: a tool would be a guess.
    """
    first = examples[0].arguments
    if not template.parameters or any(fingerprint(e.arguments) != fingerprint(first) for e in examples):
        return template
    patterns = tuple(_fixed(pattern, first, functions) for pattern in template.patterns)
    if any(isinstance(expr, Param) for expr in replace(template, patterns=patterns).expressions):
        raise nothing_varies(", ".join(f"{name}={value!r}" for name, value in sorted(first.items())))
    return replace(template, patterns=patterns)


def routine(template: Template, functions: Functions) -> bool:
    """Return whether the calls change something, in a way that needs no words of the task."""
    writes = [p for p in template.patterns if functions[p.function].effect != Effect.READ]
    given = [
        (expr, property_schema(dict(functions[pattern.function].parameters), name))
        for pattern in template.patterns
        for name, expr in pattern.arguments
    ]
    return len(writes) > 1 and all(isinstance(expr, Const) and enumerated(expr.value, schema) for expr, schema in given)


def nothing_varies(what: str) -> Exception:
    """Return the refusal of a tool that was only ever seen to do one thing; `what` names its arguments."""
    return refused(
        "nothing-varies",
        f"every argument is the same in every run ({what}): nothing shows what the tool does with another",
        "Record runs that differ in at least one argument.",
    )


def enumerated(value: Json, schema: dict[str, Any]) -> bool:
    """Return whether the value is one of few that there are: of an enumeration, a truth value, a small number."""
    if isinstance(value, list):
        return all(enumerated(item, schema.get("items") or {}) for item in value)
    return value in schema.get("enum", []) or not (isinstance(value, str | dict) or informative(value))


def _fixed(pattern: Pattern, values: Mapping[str, Json], functions: Functions) -> Pattern:
    schemas = dict(functions[pattern.function].parameters)
    return replace(
        pattern,
        arguments=tuple(
            (name, _constant(expr, values, property_schema(schemas, name))) for name, expr in pattern.arguments
        ),
    )


def _constant(expr: Expr, values: Mapping[str, Json], schema: dict[str, Any]) -> Expr:
    if isinstance(expr, Param) and expr.name in values and enumerated(values[expr.name], schema):
        return Const(value=values[expr.name])
    return expr
