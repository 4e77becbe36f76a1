"""Sequences that are carried out the same way each time: nothing varies, and nothing in them names an entity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nucleate_codifier.trace.align.mentions import Mentions, informative
from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.annotations import property_schema
from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_codifier.trace.expressions import Const, Expr, Param
from nucleate_codifier.trace.refusals import refused
from nucleate_codifier.values import Example
from nucleate_sandbox import Effect, FunctionSpec, Json

Functions = Mapping[str, FunctionSpec]


def fix(template: Template, examples: Sequence[Example], functions: Functions) -> Template:
    """Return the template with a parameter as a constant where all tasks asked for the one value in their words.

    The value must be one that the schemas enumerate. What no task asked for stays a parameter: a tool would be a guess.
    """
    first = examples[0].arguments
    alike = {name: value for name, value in first.items() if _asked_for(name, value, examples)}
    return replace(template, patterns=tuple(_fixed(pattern, alike, functions) for pattern in template.patterns))


def _asked_for(name: str, value: Json, examples: Sequence[Example]) -> bool:
    """Return whether every task had the value of a parameter, and said so."""
    return all(
        fingerprint(e.arguments.get(name)) == fingerprint(value) and value in Mentions.of(e.query) for e in examples
    )


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
