"""Checks the arguments of an environment call against the function's JSON schema, and says everything that is wrong."""

from __future__ import annotations

import json
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from nucleate_sandbox.environment import FunctionSpec
from nucleate_sandbox.json_values import JsonObject, canonical

MAX_MESSAGE = 240
UNKNOWN_ARGUMENTS = ("additionalProperties", "unevaluatedProperties")


class BadSchema(ValueError):
    """A function's own schema is not a valid JSON schema."""


def problems(spec: FunctionSpec, arguments: JsonObject) -> tuple[str, ...]:
    """Return each reason why the arguments do not fit the function's parameters; raise BadSchema."""
    try:
        errors = sorted(_validator(canonical(spec.parameters)).iter_errors(arguments), key=_where)
    except (SchemaError, Unresolvable) as error:
        raise BadSchema(_short(f"the parameter schema of {spec.name!r} is unusable: {error}")) from error
    return tuple(line for error in errors for line in _lines(error, arguments))


@lru_cache(maxsize=1024)
def _validator(schema_text: str) -> Draft202012Validator:
    schema = json.loads(schema_text)
    Draft202012Validator.check_schema(schema)
    if not any(word in schema for word in UNKNOWN_ARGUMENTS):
        # JSON Schema lets unknown properties pass; an argument that nobody reads is a mistake of the caller.
        schema["unevaluatedProperties"] = False
    # An empty registry: a schema that refers to an address must not make the host fetch it.
    return Draft202012Validator(schema, registry=Registry())


def _where(error: ValidationError) -> str:
    return f"{error.json_path} {error.validator}"


def _lines(error: ValidationError, arguments: JsonObject) -> list[str]:
    if not error.absolute_path and error.validator in UNKNOWN_ARGUMENTS:
        return _unknown(error.schema, arguments) or [_short(error.message)]
    if not error.absolute_path and error.validator == "required":
        return [f"{error.message.removesuffix(' is a required property')} is missing"]
    return [_short(f"{error.json_path.removeprefix('$.')}: {error.message}")]


def _unknown(schema: Any, arguments: JsonObject) -> list[str]:
    known = list(schema.get("properties", {}))
    return [f"{name!r} is not an argument{_suggestion(name, known)}" for name in arguments if name not in known]


def _suggestion(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; it takes {', '.join(map(repr, known))}" if known else "; it takes none"


def _short(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 1]}…"
