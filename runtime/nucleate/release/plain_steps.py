"""The plain steps of a tool's plan: its template carried out call by call, as an agent without the tool would."""

from __future__ import annotations

import time

from nucleate_codifier import Template
from nucleate_codifier.trace.carry_out.performing import perform
from nucleate_codifier.trace.expressions import Missing
from nucleate_sandbox import Call, Environment, Failure, FunctionError, Json, JsonObject, Limit, Limits, Outcome, Usage

MOST_CALLS = Limits().bridge_calls


class _TooMany(Exception):
    """The template's loop goes on beyond what a tool may do."""


def plain_steps(template: Template, arguments: JsonObject, environment: Environment) -> Outcome:
    """Return what the plain steps give, in the same words as a tool's outcome."""
    calls: list[Call] = []
    began = time.perf_counter()
    value, failure, limit = None, None, None
    try:
        value = perform(template, arguments, lambda name, given: _ask(environment, name, given, calls))
    except FunctionError as error:
        failure = Failure(kind=error.kind, message=error.message, from_environment=True)
    except Missing as missing:
        failure = Failure(kind="Missing", message=f"the plain steps need what is not there: {missing}")
    except _TooMany:
        limit = Limit.CALLS
    usage = Usage(seconds=time.perf_counter() - began)
    return Outcome(value=value, failure=failure, limit=limit, calls=tuple(calls), usage=usage)


def _ask(environment: Environment, name: str, arguments: JsonObject, calls: list[Call]) -> Json:
    if len(calls) >= MOST_CALLS:
        raise _TooMany
    try:
        result = environment.call(name, arguments)
    except FunctionError as error:
        failure = Failure(kind=error.kind, message=error.message)
        calls.append(Call(function=name, arguments=arguments, error=failure))
        raise
    calls.append(Call(function=name, arguments=arguments, result=result))
    return result
