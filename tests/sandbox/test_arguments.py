"""What a program pays for a wrong environment call is not what the host pays: names and lists are bounded."""

from __future__ import annotations

from nucleate_sandbox import FunctionSpec, JsonObject
from nucleate_sandbox.arguments import problems

NARROW = FunctionSpec(name="desk.ask", parameters={"type": "object", "properties": {"city": {"type": "string"}}})
NUMBERS = FunctionSpec(
    name="desk.sum",
    parameters={"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}}}},
)


def test_of_many_unknown_arguments_three_are_named_and_the_rest_counted() -> None:
    arguments: JsonObject = {f"unknown_{number}": 1 for number in range(5000)}
    assert problems(NARROW, arguments) == (
        "'unknown_0' is not an argument; it takes 'city'",
        "'unknown_1' is not an argument; it takes 'city'",
        "'unknown_2' is not an argument; it takes 'city'",
        "and 4997 more are not arguments",
    )


def test_a_long_name_is_shortened_and_no_near_one_is_sought() -> None:
    assert problems(NARROW, {"c" * 100_000: 1}) == (f"'{'c' * 239}…' is not an argument; it takes 'city'",)


def test_of_many_wrong_items_twenty_are_told() -> None:
    assert len(problems(NUMBERS, {"items": ["x"] * 10_000})) == 20
