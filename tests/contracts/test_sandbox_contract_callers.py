"""What a caller hands in wrongly is the caller's error, alike on every backend, and costs no container."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Failure, Json, Sandbox
from tests.contracts.sandbox_world import call, deep, functions

ECHO = 'def tool(value: object) -> object:\n    """Return it."""\n    return value\n'


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (float("nan"), "not a JSON value: ValueError: Out of range float values are not JSON compliant"),
        (deep(61), "JSON is nested deeper than 61 levels"),
        ("\ud800", "a string holds a lone surrogate"),
        (b"x", "not a JSON value: TypeError: Object of type bytes is not JSON serializable"),
        ((1, 2), "it holds tuples, keys that are no strings, or other types that JSON lacks"),
    ],
    ids=["nan", "deep", "surrogate", "bytes", "tuple"],
)
def test_arguments_that_cannot_be_sent_are_an_error_of_the_call(sandbox: Sandbox, value: Json, says: str) -> None:
    failure = Failure(kind="InvalidArguments", message=f"the arguments of the call: {says}")
    assert call(sandbox, ECHO, value=value).failure == failure


def test_what_is_as_deep_as_may_be_comes_back(sandbox: Sandbox) -> None:
    assert call(sandbox, ECHO, value=deep(60)).value == deep(60)
    assert call(sandbox, ECHO, value=deep(60, 0.5)).value == deep(60, 0.5)


THROUGH = '''
def tool(levels: int) -> object:
    """Send a value of so many levels to the environment, which gives it back."""
    value = "a"
    for _ in range(levels):
        value = [value]
    try:
        return env.shop.echo(value=value)
    except Exception as error:
        return str(error)
'''


def test_the_same_depth_holds_for_what_goes_to_the_environment_and_back(sandbox: Sandbox) -> None:
    assert call(sandbox, THROUGH, allowed=functions(), levels=60).value == deep(60, "a")
    assert call(sandbox, THROUGH, allowed=functions(), levels=61).value == "the value is nested deeper than 60 levels"


def test_what_an_environment_gives_may_be_as_deep_as_what_a_tool_may_give(sandbox: Sandbox) -> None:
    source = 'def tool(levels: int) -> object:\n    """Ask."""\n    return env.shop.deep(levels=levels)\n'
    assert call(sandbox, source, allowed=functions(), levels=60).value == deep(60)
    failure = call(sandbox, source, allowed=functions(), levels=61).failure
    assert failure is not None
    assert (failure.kind, failure.message) == (
        "BadResult",
        "shop.deep: the result is not acceptable JSON: JSON is nested deeper than 60 levels",
    )
