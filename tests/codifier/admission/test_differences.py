"""Differences of JSON values: the place, what was expected, and what came."""

from __future__ import annotations

import pytest

from nucleate_codifier.admission.running.differences import describe
from nucleate_sandbox import Json


@pytest.mark.parametrize(
    ("expected", "came", "words"),
    [
        (1, 1.0, ""),
        ({"a": [1, {"b": None}]}, {"a": [1.0, {"b": None}]}, ""),
        (True, 1, "$: expected true, came 1"),
        (0, False, "$: expected 0, came false"),
        ("x", None, '$: expected "x", came null'),
        ({"a": 1}, {"a": 2, "b": 3}, "$.a: expected 1, came 2; $.b: expected nothing, came 3"),
        ({"a": 1}, {}, "$.a: expected 1, came nothing"),
        ({"a b": [1, 2]}, {"a b": [1]}, "$['a b']: expected 2 elements, came 1"),
        ([{"id": "R-1"}], [{"id": "R-2"}], '$[0].id: expected "R-1", came "R-2"'),
        ([1], {"0": 1}, '$: expected [1], came {"0":1}'),
        ([0] * 6, [1] * 6, "; ".join(f"$[{n}]: expected 0, came 1" for n in range(4)) + "; …"),
    ],
)
def test_each_difference_has_a_place(expected: Json, came: Json, words: str) -> None:
    assert describe(expected, came) == words


def test_a_long_value_is_cut() -> None:
    assert describe("x" * 500, "y") == f'$: expected "{"x" * 58}…, came "y"'
