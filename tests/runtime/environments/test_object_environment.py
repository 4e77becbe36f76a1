"""Plain Python objects as an environment: what is offered, what is checked, what comes back."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from nucleate.environments import ObjectEnvironment
from nucleate_sandbox import Effect, FunctionError, FunctionSpec, Json
from tests.runtime.environments.object_world import Counter, Echo, counter, refusal


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


def test_a_state_is_what_the_given_function_tells_of_the_objects_and_copies_keep_it() -> None:
    shop = ObjectEnvironment("shop", {"basket": Basket()}, state=lambda objects: list(objects["basket"].items))
    copy = shop.fork()
    copy.call("basket.add", {"item": "pen"})
    assert (shop.state(), copy.state()) == ([], ["pen"])


def test_without_such_a_function_there_is_no_state() -> None:
    assert ObjectEnvironment("shop", {"basket": Basket()}).state() is None


class Basket:
    """Items that were put together."""

    def __init__(self) -> None:
        self.items: list[str] = []

    def add(self, item: str) -> None:
        """Add an item."""
        self.items.append(item)
