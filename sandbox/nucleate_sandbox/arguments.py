"""Checks the arguments of an environment call against the function's JSON schema, and says everything that is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from jsonschema.exceptions import ValidationError

from nucleate_sandbox.environment import FunctionSpec
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.schemas.checking import check
from nucleate_sandbox.schemas.keywords import Unexpected

MAX_MESSAGE = 240
MAX_SUGGESTIONS = 3
MAX_KNOWN = 100
MAX_NAME = 60


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Each reason why arguments do not fit, and each keyword of the schema that could not be checked, with why."""

    problems: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def problems(spec: FunctionSpec, arguments: JsonObject) -> tuple[str, ...]:
    """Return each reason why the arguments do not fit the function's parameters."""
    return judged(spec, arguments).problems


def judged(spec: FunctionSpec, arguments: JsonObject) -> Judged:
    """Hold arguments to the function's parameters: bounded work, whatever the schema and the arguments are.

    The schema may be of any draft. A fault in it costs the keyword that has it.
    """
    checked = check(spec.parameters, arguments, closed=True)
    errors = sorted(checked.errors, key=_where)
    lines = dict.fromkeys(line for error in errors for line in _lines(error))
    return Judged(problems=tuple(lines), unchecked=checked.unchecked)


def _where(error: ValidationError) -> str:
    return f"{error.json_path} {error.validator}"


def _lines(error: ValidationError) -> list[str]:
    if not error.absolute_path and isinstance(error.cause, Unexpected):
        return _unknown(error.cause.names, _properties(error.schema))
    if not error.absolute_path and error.validator == "required":
        return [f"{error.message.removesuffix(' is a required property')} is missing"]
    return [_short(f"{error.json_path.removeprefix('$.')}: {error.message}")]


def _properties(schema: object) -> list[str]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return list(properties) if isinstance(properties, Mapping) else []


def _unknown(names: Sequence[str], known: list[str]) -> list[str]:
    lines = [f"{_short(name)!r} is not an argument{_suggestion(name, known)}" for name in names[:MAX_SUGGESTIONS]]
    more = len(names) - len(lines)
    return [*lines, f"and {more} more are not arguments"] if more else lines


def _suggestion(name: str, known: list[str]) -> str:
    # A program chooses the names: what it costs to look for a near one must not be its choice too.
    near = get_close_matches(name, known[:MAX_KNOWN], n=1) if len(name) <= MAX_NAME else []
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; it takes {_short(', '.join(map(repr, known)))}" if known else "; it takes none"


def _short(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 1]}…"
