"""Plain Python objects as an environment: what is offered, what is checked, what comes back."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import threading
import typing
from enum import Enum
from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from nucleate.environments import ObjectEnvironment, effect
from nucleate_sandbox import Effect, Environment, FunctionError, FunctionSpec, Json, JsonObject


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5


class Place(typing.TypedDict):
    city: str
    floor: typing.NotRequired[int]


class Label(BaseModel):
    text: str


@dataclasses.dataclass
class Tree:
    name: str
    children: list[Tree]


class Counter:
    """Counts; `bad` and `scatter` cannot be offered."""

    limit = 10

    def __init__(self) -> None:
        self.value = 0
        self.log: list[str] = []

    @effect("read")
    def peek(self) -> int:
        """Return the count."""
        return self.value

    def add(self, amount: int, *, note: str = "") -> int:
        """Add to the count.

        More than most people want to know.

        Args:
            amount: How much to add.
            note: Kept in the log.

        Returns:
            The new count.
        """
        self.value += amount
        self.log.append(note)
        return self.value

    @functools.cache  # noqa: B019 - one short-lived object
    def twice(self, amount: int) -> int:
        """Return the double."""
        return 2 * amount

    @effect("destructive")
    def reset(self) -> None:
        """Start again."""
        self.value = 0

    def fail(self, key: str) -> None:
        raise KeyError(key)

    def silent(self) -> None:
        raise ZeroDivisionError

    def opaque(self) -> object:
        return object()

    def not_a_number(self) -> float:
        return float("nan")

    def bad(self, other: Counter) -> None:
        """Take something without a JSON form."""

    def scatter(self, *values: int) -> None:
        """Take values without names."""

    def unknown(self, value: Missing) -> None:  # type: ignore[name-defined]  # noqa: F821 - the case under test
        """Name a type that does not exist."""

    def _hidden(self, amount: int) -> int:
        """Stay inside."""
        return amount

    halved = functools.partialmethod(_hidden, 2)

    @property
    def double(self) -> int:
        raise RuntimeError("reading a property while the functions are listed")

    class Nested:
        """Is no method."""


class Echo:
    """Gives back what it was given."""

    def number(self, value: float) -> float:
        return value

    def whole(self, value: int) -> int:
        return value

    def flag(self, value: bool) -> bool:
        return value

    def maybe(self, value: str | None = None) -> str | None:
        return value

    def either(self, value: int | list[str]) -> int | list[str]:
        return value

    def choice(self, value: Literal["a", "b", 3]) -> str | int:
        return value

    def table(self, value: dict[str, list[int]]) -> dict[str, list[int]]:
        return value

    def colour(self, value: Colour = Colour.RED) -> Colour:
        return value

    def point(self, value: Point) -> Point:
        return value

    def place(self, value: Place) -> list[Place]:
        return [value]

    def label(self, value: Label) -> Label:
        return value

    def tree(self, value: Tree) -> Tree:
        return value

    def anything(self, value: Any) -> Any:
        return value

    def day(self, value: dt.date) -> tuple[dt.date, int]:
        return value, value.year

    def extra(self, first: int, /, second: int = 2, **others: Any) -> dict[str, Any]:
        return {"first": first, "second": second, "others": others}

    def untyped(self, value, other=1):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        return value

    async def later(self, value: int) -> int:
        return value + 1

    @staticmethod
    def free(value: int) -> int:
        return value

    @classmethod
    def of_class(cls, value: int) -> str:
        return f"{cls.__name__} {value}"


def counter() -> ObjectEnvironment:
    return ObjectEnvironment("counting", {"counter": Counter()})


def refusal(environment: Environment, name: str, arguments: JsonObject) -> tuple[str, str]:
    with pytest.raises(FunctionError) as caught:
        environment.call(name, arguments)
    return caught.value.kind, caught.value.message


def test_a_public_method_becomes_a_function_with_schema_words_and_effect() -> None:
    assert counter().functions["counter.add"] == FunctionSpec(
        name="counter.add",
        doc="Add to the count.",
        parameters={
            "type": "object",
            "properties": {
                "amount": {"type": "integer", "description": "How much to add."},
                "note": {"type": "string", "description": "Kept in the log.", "default": ""},
            },
            "additionalProperties": False,
            "required": ["amount"],
        },
        returns={"type": "integer", "description": "The new count."},
        effect=Effect.WRITE,
    )


def test_effects_are_declared_and_write_is_the_default() -> None:
    effects = {name: spec.effect for name, spec in counter().functions.items() if spec.effect is not Effect.WRITE}

    assert effects == {"counter.peek": Effect.READ, "counter.reset": Effect.DESTRUCTIVE}


def test_a_method_without_a_json_form_is_named_and_the_others_stay() -> None:
    environment = counter()

    assert set(environment.unusable) == {"counter.bad", "counter.halved", "counter.scatter", "counter.unknown"}
    assert (
        environment.unusable["counter.scatter"] == "*values takes positional values, which JSON arguments cannot name"
    )
    assert "Missing" in environment.unusable["counter.unknown"]
    assert set(environment.functions) == {
        f"counter.{name}" for name in ("add", "fail", "not_a_number", "opaque", "peek", "reset", "silent", "twice")
    }


def test_calling_an_unusable_method_says_why_it_is_not_offered() -> None:
    kind, message = refusal(counter(), "counter.bad", {})

    assert kind == "UnknownFunction"
    assert message.startswith("'counting' has no function 'counter.bad': parameter 'other' of type")


def test_an_unknown_function_is_named_with_the_nearest_one() -> None:
    assert refusal(counter(), "counter.ad", {}) == (
        "UnknownFunction",
        "'counting' has no function 'counter.ad'; did you mean 'counter.add'?",
    )


def test_every_wrong_argument_is_named_in_one_error() -> None:
    assert refusal(counter(), "counter.add", {"note": 5, "times": 1}) == (
        "InvalidArguments",
        (
            "counter.add: 'amount' is missing; 'times' is not a parameter; it takes amount, note; "
            "note=5: Input should be a valid string"
        ),
    )


@pytest.mark.parametrize("value", ["3", 3.5, True, None, [3]])
def test_a_value_of_another_type_is_refused_and_not_converted(value: Json) -> None:
    environment = counter()

    kind, message = refusal(environment, "counter.add", {"amount": value})

    assert (kind, message.partition("=")[0]) == ("InvalidArguments", "counter.add: amount")
    assert environment.call("counter.peek", {}) == 0


def test_a_long_value_is_shown_by_its_beginning() -> None:
    _, message = refusal(counter(), "counter.add", {"amount": "7" * 500})

    assert message == f"counter.add: amount='{'7' * 76}...: Input should be a valid integer"


def test_a_fault_inside_a_value_is_named_by_its_place() -> None:
    kind, message = refusal(ObjectEnvironment("echo", Echo()), "echo.table", {"value": {"a": [1, "two"]}})

    assert (kind, message) == ("InvalidArguments", "echo.table: value['a'][1]='two': Input should be a valid integer")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", object()])
def test_a_value_that_is_no_json_is_refused_before_the_method_sees_it(value: Any) -> None:
    kind, message = refusal(ObjectEnvironment("echo", Echo()), "echo.anything", {"value": value})

    assert (kind, message.partition(": ")[2].startswith("'value' is not JSON")) == ("InvalidArguments", True)


def test_an_exception_of_a_method_becomes_an_error_of_its_kind() -> None:
    assert refusal(counter(), "counter.fail", {"key": "k"}) == ("KeyError", "'k'")
    assert refusal(counter(), "counter.silent", {}) == ("ZeroDivisionError", "ZeroDivisionError")


@pytest.mark.parametrize("name", ["counter.opaque", "counter.not_a_number"])
def test_a_result_without_a_json_form_is_an_error_that_names_the_function(name: str) -> None:
    kind, message = refusal(counter(), name, {})

    assert (kind, message.startswith(f"{name} returned a value without a JSON form")) == ("InvalidResult", True)


def test_a_fork_starts_in_the_same_state_and_then_goes_its_own_way() -> None:
    environment = counter()
    environment.call("counter.add", {"amount": 2})

    copy = environment.fork()
    copy.call("counter.add", {"amount": 5})

    assert (environment.call("counter.peek", {}), copy.call("counter.peek", {})) == (2, 7)
    assert copy.functions == environment.functions


def test_what_two_objects_share_stays_shared_in_a_fork() -> None:
    shared = Counter()
    copy = ObjectEnvironment("two", {"a": shared, "b": shared}).fork()

    copy.call("a.add", {"amount": 4})

    assert (copy.call("b.peek", {}), shared.value) == (4, 0)


def test_an_object_that_cannot_be_copied_says_so() -> None:
    class Stream:
        def __init__(self) -> None:
            self.lock = threading.Lock()

    with pytest.raises(FunctionError, match="environment 'stream' cannot be copied") as caught:
        ObjectEnvironment("stream", Stream()).fork()

    assert caught.value.kind == "CannotFork"


def test_effects_can_be_given_for_a_class_that_cannot_be_decorated() -> None:
    environment = ObjectEnvironment("echo", Echo(), effects={"echo.whole": "read"})

    assert environment.fork().functions["echo.whole"].effect is Effect.READ
    with pytest.raises(ValueError, match=r"effects names 'echo\.hole'"):
        ObjectEnvironment("echo", Echo(), effects={"echo.hole": "read"})


def test_a_namespace_that_is_no_identifier_is_refused() -> None:
    with pytest.raises(ValueError, match="namespace 'my shop' is not an identifier"):
        ObjectEnvironment("shop", {"my shop": Echo()})


@pytest.mark.parametrize(
    ("function", "schema"),
    [
        ("maybe", {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}),
        ("either", {"anyOf": [{"type": "integer"}, {"items": {"type": "string"}, "type": "array"}]}),
        ("choice", {"enum": ["a", "b", 3]}),
        ("colour", {"enum": ["red", "blue"], "title": "Colour", "type": "string", "default": "red"}),
        ("anything", {}),
        ("untyped", {}),
        (
            "point",
            {
                "properties": {"x": {"type": "integer"}, "y": {"default": 0.5, "type": "number"}},
                "required": ["x"],
                "title": "Point",
                "type": "object",
            },
        ),
        (
            "place",
            {
                "properties": {"city": {"type": "string"}, "floor": {"type": "integer"}},
                "required": ["city"],
                "title": "Place",
                "type": "object",
            },
        ),
    ],
)
def test_a_type_hint_keeps_its_meaning_in_the_schema(function: str, schema: JsonObject) -> None:
    spec = ObjectEnvironment("echo", Echo()).functions[f"echo.{function}"]

    assert spec.parameters["properties"]["value"] == schema  # type: ignore[index,call-overload]


def test_a_recursive_type_keeps_its_references_and_the_schema_still_validates() -> None:
    environment = ObjectEnvironment("echo", Echo())
    value: Json = {"name": "root", "children": [{"name": "leaf", "children": []}]}

    jsonschema.validate({"value": value}, environment.functions["echo.tree"].parameters)

    assert environment.call("echo.tree", {"value": value}) == value


def test_a_result_requires_every_field_that_is_always_there() -> None:
    assert ObjectEnvironment("echo", Echo()).functions["echo.point"].returns["required"] == ["x", "y"]


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        ("point", {"value": {"x": 1}}, {"x": 1, "y": 0.5}),
        ("place", {"value": {"city": "Linz"}}, [{"city": "Linz"}]),
        ("colour", {}, "red"),
        ("colour", {"value": "blue"}, "blue"),
        ("label", {"value": {"text": "hi"}}, {"text": "hi"}),
        ("day", {"value": "2026-03-01"}, ["2026-03-01", 2026]),
        ("extra", {"first": 1, "third": 3}, {"first": 1, "second": 2, "others": {"third": 3}}),
        ("untyped", {"value": [1, "a"]}, [1, "a"]),
        ("later", {"value": 1}, 2),
        ("free", {"value": 4}, 4),
        ("of_class", {"value": 4}, "Echo 4"),
        ("number", {"value": 2}, 2.0),
    ],
)
def test_arguments_reach_the_method_in_their_types_and_results_come_back_as_json(
    function: str, arguments: JsonObject, result: Json
) -> None:
    assert ObjectEnvironment("echo", Echo()).call(f"echo.{function}", arguments) == result


JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1000, 1000)
    | st.floats(-1e6, 1e6).filter(lambda value: not value.is_integer())
    | st.sampled_from(["a", "b", "red", "blue", "x", "city", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["x", "y", "city", "floor", "text", "name", "children"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    function=st.sampled_from(["number", "whole", "flag", "maybe", "either", "choice", "table", "colour", "tree"]),
    value=JSON_VALUES,
)
def test_a_call_accepts_exactly_what_the_schema_allows(function: str, value: Any) -> None:
    environment = ObjectEnvironment("echo", Echo())
    spec = environment.functions[f"echo.{function}"]
    allowed = jsonschema.Draft202012Validator(spec.parameters).is_valid({"value": value})

    if allowed:
        result = environment.call(spec.name, {"value": value})
        assert jsonschema.Draft202012Validator(spec.returns).is_valid(result)
    else:
        assert refusal(environment, spec.name, {"value": value})[0] == "InvalidArguments"


@given(value=JSON_VALUES)
def test_a_json_value_comes_back_as_it_went_in(value: Any) -> None:
    assert ObjectEnvironment("echo", Echo()).call("echo.anything", {"value": value}) == value
