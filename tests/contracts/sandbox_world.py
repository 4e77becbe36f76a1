"""The environment and the short ways to say a program that the sandbox contract uses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from textwrap import dedent

from nucleate_sandbox import (
    NONE,
    FunctionError,
    Functions,
    FunctionSpec,
    Json,
    JsonObject,
    Limits,
    Module,
    Outcome,
    Sandbox,
)

ENOUGH = Limits(wall_seconds=60.0, cpu_seconds=60.0)  # for any program here that ends by itself, on any machine
PATIENCE = 30.0  # seconds after which a test that waits for another thread has failed

ANY: JsonObject = {"type": "object", "properties": {"value": {}}, "required": ["value"]}
SEARCH: JsonObject = {
    "type": "object",
    "properties": {
        "category": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["category"],
}
EMPTY: JsonObject = {"type": "object", "properties": {}}
SCHEMAS: dict[str, JsonObject] = {
    "shop.search": SEARCH,
    "shop.echo": ANY,
    "shop.add": ANY,
    "shop.order": ANY,
    "shop.crash": EMPTY,
    "shop.secret": EMPTY,
    "shop.wait": EMPTY,
    "shop.meet": EMPTY,
    "shop.unfit": EMPTY,
    "shop.deep": {"type": "object", "properties": {"levels": {"type": "integer"}}},
    "other.ping": EMPTY,
}
ALLOWED = tuple(name for name in SCHEMAS if name != "shop.secret")


def deep(levels: int, value: Json = 1) -> Json:
    """Return a value within so many lists."""
    for _ in range(levels):
        value = [value]
    return value


class World:
    """An environment with a basket, an error of its own, a bug, and functions that wait for the test."""

    def __init__(self) -> None:
        self.basket: list[Json] = []
        self.released = threading.Event()
        self.reached = threading.Event()
        self.meeting = threading.Barrier(2)
        self._functions: dict[str, Callable[[JsonObject], Json]] = {
            "shop.search": lambda arguments: {"offers": [arguments]},
            "shop.echo": lambda arguments: arguments["value"],
            "shop.add": self._add,
            "shop.order": self._order,
            "shop.crash": lambda _: 1 // 0,
            "shop.secret": lambda _: "secret",
            "shop.wait": self._wait,
            "shop.meet": lambda _: self.meeting.wait(PATIENCE) >= 0,
            "shop.unfit": lambda _: float("nan"),
            "shop.deep": lambda arguments: deep(int(str(arguments["levels"]))),
            "other.ping": lambda _: "pong",
        }

    @property
    def name(self) -> str:
        return "world"

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return {name: FunctionSpec(name=name, parameters=schema) for name, schema in SCHEMAS.items()}

    def call(self, name: str, arguments: JsonObject) -> Json:
        return self._functions[name](arguments)

    def fork(self) -> World:
        """Return a world with a basket of its own."""
        copy = World()
        copy.basket = list(self.basket)
        return copy

    def _add(self, arguments: JsonObject) -> Json:
        self.basket.append(arguments["value"])
        return len(self.basket)

    def _order(self, arguments: JsonObject) -> Json:
        raise FunctionError(f"no order {arguments['value']}", kind="OrderNotFound")

    def _wait(self, _: JsonObject) -> Json:
        self.reached.set()
        return self.released.wait(PATIENCE)


def functions(world: World | None = None) -> Functions:
    """Allow all of the world but its secret."""
    return Functions.only(world or World(), ALLOWED)


def module(source: str, *dependencies: Module, name: str = "tool") -> Module:
    return Module(name=name, source=dedent(source).strip("\n") + "\n", dependencies=dependencies)


def call(
    sandbox: Sandbox, source: str, *, allowed: Functions = NONE, limits: Limits = ENOUGH, **arguments: Json
) -> Outcome:
    """Call the function `tool` of a source, in a session of its own."""
    with sandbox.open(functions=allowed, limits=limits) as session:
        return session.call(module(source), "tool", arguments)


def shown(outcome: Outcome) -> tuple[str, str]:
    """Return kind and message of the failure that must be there."""
    assert outcome.failure is not None, outcome
    return outcome.failure.kind, outcome.failure.message
