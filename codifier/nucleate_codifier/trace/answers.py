"""What functions give back, read off their recorded answers where their schema does not say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nucleate_codifier.values import Example
from nucleate_sandbox import FunctionSpec, Json, JsonObject

KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", type(None): "null"}


def with_answers(functions: Mapping[str, FunctionSpec], examples: Sequence[Example]) -> dict[str, FunctionSpec]:
    """Return the functions, each that was called and has no schema for its result with one that all its answers fit."""
    answers: dict[str, list[Json]] = {}
    for call in (call for example in examples for call in example.calls if call.error is None):
        answers.setdefault(call.function, []).append(call.result)
    learned = {name: schema_of(found) for name, found in answers.items() if not functions[name].returns}
    return {name: replace(spec, returns=learned.get(name, spec.returns)) for name, spec in functions.items()}


def schema_of(values: Sequence[Json]) -> JsonObject:
    """Return the schema of what the values are, not of what objects hold: their keys may differ in the next answer."""
    items = [item for value in values if isinstance(value, list) for item in value]
    kinds = {KINDS[type(value)] for value in values if not isinstance(value, list)}
    schemas: list[Json] = [{"type": kind} for kind in sorted(kinds)]
    if any(isinstance(value, list) for value in values):
        schemas.append({"type": "array", "items": schema_of(items)})
    return {"anyOf": schemas} if schemas else {}
