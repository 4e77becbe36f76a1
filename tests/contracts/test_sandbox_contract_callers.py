"""What a caller hands in wrongly is the caller's error, alike on every backend, and costs no container."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Failure, Json, Sandbox
from tests.contracts.sandbox_world import call

ECHO = 'def tool(value: object) -> object:\n    """Return it."""\n    return value\n'


def deep(levels: int) -> Json:
    value: Json = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (float("nan"), "not a JSON value: ValueError: Out of range float values are not JSON compliant"),
        (deep(61), "JSON is nested deeper than 62 levels"),
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
