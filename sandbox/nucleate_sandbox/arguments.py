"""Checks the arguments of an environment call against the function's JSON schema, and says everything that is wrong."""

from __future__ import annotations

import json
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from nucleate_sandbox.environment import FunctionSpec
from nucleate_sandbox.json_values import JsonObject, canonical

MAX_MESSAGE = 240
MAX_PROBLEMS = 20
MAX_SUGGESTIONS = 3
MAX_KNOWN = 100
MAX_NAME = 60
UNKNOWN_ARGUMENTS = ("additionalProperties", "unevaluatedProperties")


class BadSchema(ValueError):
    """A function's own schema is not a valid JSON schema."""


def problems(spec: FunctionSpec, arguments: JsonObject) -> tuple[str, ...]:
    """Return each reason why the arguments do not fit the function's parameters; raise BadSchema."""
    try:
        found = _validator(canonical(spec.parameters)).iter_errors(arguments)
        errors = sorted(islice(found, MAX_PROBLEMS), key=_where)
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
    unknown = [name for name in arguments if name not in schema.get("properties", {})]
    lines = [f"{_short(name)!r} is not an argument{_suggestion(name, known)}" for name in unknown[:MAX_SUGGESTIONS]]
    more = len(unknown) - len(lines)
    return [*lines, f"and {more} more are not arguments"] if more else lines


def _suggestion(name: str, known: list[str]) -> str:
    # A program chooses the names: what it costs to look for a near one must not be its choice too.
    near = get_close_matches(name, known[:MAX_KNOWN], n=1) if len(name) <= MAX_NAME else []
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; it takes {_short(', '.join(map(repr, known)))}" if known else "; it takes none"


def _short(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 1]}…"
