"""The binding that packages carry: any object that has the functions will do, and a recording too."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest

from nucleate.exports.carried._binding import FunctionError, NotBound, bind, env, plain, using
from nucleate.exports.carried._recorded import Recorded, changes, repeat
from nucleate_sandbox import FunctionError as GivenError


class Colour(Enum):
    RED = "red"


@dataclass
class Order:
    number: int
    colour: Colour
    lines: tuple[str, ...] = ("a",)


class Orders:
    def get_order(self, number: int) -> Order:
        if number < 0:
            raise KeyError(number)
        return Order(number, Colour.RED)


class Called:
    functions = frozenset({"orders.get_order"})

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        if arguments["number"] < 0:
            raise GivenError("gone", kind="OrderNotFound")
        return {"name": name, **arguments}


@pytest.mark.parametrize(
    "target",
    [SimpleNamespace(orders=Orders()), {"orders": Orders()}, Orders()],
    ids=["attributes", "mapping", "the object itself"],
)
def test_any_object_with_the_functions_will_do(target: Any) -> None:
    with using(target):
        assert env.orders.get_order(number=7) == {"number": 7, "colour": "red", "lines": ["a"]}


def test_an_environment_is_called_by_the_functions_whole_name() -> None:
    with using(Called()):
        assert env.orders.get_order(number=7) == {"name": "orders.get_order", "number": 7}
        with pytest.raises(FunctionError, match="gone") as failed:
            env.orders.get_order(number=-1)
    assert failed.value.kind == "OrderNotFound"


def test_what_a_function_raises_has_its_class_as_kind() -> None:
    with using(Orders()), pytest.raises(FunctionError) as failed:
        env.orders.get_order(number=-1)
    assert (failed.value.kind, failed.value.from_environment) == ("KeyError", True)


def test_nothing_bound_and_a_missing_function_say_what_to_do() -> None:
    with pytest.raises(NotBound, match=r"orders.get_order is called, but no environment is bound; call bind"):
        env.orders.get_order(number=1)
    with using(Orders()), pytest.raises(NotBound, match=r"Orders has no function 'orders.cancel'"):
        env.orders.cancel(number=1)


def test_using_holds_for_its_own_thread_and_bind_for_all() -> None:
    seen: list[Any] = []
    thread = threading.Thread(target=lambda: seen.append(env.orders.get_order(number=1)["number"]))
    bind(Orders())
    try:
        with using(Called()):
            thread.start()
            thread.join()
            assert env.orders.get_order(number=2) == {"name": "orders.get_order", "number": 2}
        assert seen == [1]
    finally:
        bind(None)


def test_a_model_of_pydantic_and_a_date_become_json() -> None:
    model = SimpleNamespace(model_dump=lambda mode: {"a": mode})
    day = SimpleNamespace(isoformat=lambda: "2026-01-02")
    assert plain([model, day, {1}, {2: None}]) == [{"a": "json"}, "2026-01-02", [1], {"2": None}]


def test_a_run_is_repeated_with_its_answers_and_its_changes_are_told() -> None:
    run = {
        "arguments": {"number": 1},
        "calls": [
            {"function": "orders.get", "arguments": {"number": 1}, "result": {"open": True}},
            {"function": "orders.close", "arguments": {"number": 1}, "result": "closed"},
        ],
    }

    async def tool(number: int) -> Any:
        for _ in range(3):
            env.orders.get(number=number)
        return env.orders.close(number=number)

    reads = frozenset({"orders.get"})
    assert repeat(tool, run, reads) == ("closed", changes(run, reads)) == ("closed", [("orders.close", {"number": 1})])


def test_a_call_that_is_not_recorded_is_the_environments_error() -> None:
    with using(Recorded([], frozenset())), pytest.raises(FunctionError, match=r"no record of orders.get") as failed:
        env.orders.get(number=1)
    assert failed.value.kind == "NoRecord"
