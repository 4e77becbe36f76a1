"""Short ways to say what a test runs in the Docker sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from textwrap import dedent

from nucleate_sandbox import (
    NONE,
    DockerSandbox,
    Environment,
    FunctionError,
    Functions,
    FunctionSpec,
    Json,
    JsonObject,
    Limits,
    Module,
    Outcome,
)

DEFAULT = Limits(wall_seconds=60.0)
SPINNING = Limits(wall_seconds=60.0, cpu_seconds=0.5)
WAITING = Limits(wall_seconds=1.0)


def module(source: str, *, name: str = "tool", dependencies: tuple[Module, ...] = ()) -> Module:
    return Module(name=name, source=dedent(source), dependencies=dependencies)


def call(
    sandbox: DockerSandbox, source: str, *, functions: Functions = NONE, limits: Limits = DEFAULT, **arguments: Json
) -> Outcome:
    """Call the module's function `tool`."""
    with sandbox.open(functions=functions, limits=limits) as session:
        return session.call(module(source), "tool", arguments)


@dataclass(kw_only=True)
class Shop:
    """An environment of plain functions, with a stock that a write changes."""

    stock: int = 3
    more: Mapping[str, Callable[[JsonObject], Json]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "shop"

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return {
            name: FunctionSpec(name=name, parameters={"type": "object", "additionalProperties": True})
            for name in (*NAMES, *self.more)
        }

    def call(self, name: str, arguments: JsonObject) -> Json:
        if name in self.more:
            return self.more[name](arguments)
        if name == "shop.stock":
            return self.stock
        if name == "shop.echo":
            return arguments
        if self.stock == 0:
            raise FunctionError("nothing is left", kind="SoldOut")
        self.stock -= 1
        return self.stock

    def fork(self) -> Environment:
        return Shop(stock=self.stock, more=self.more)


NAMES = ("shop.stock", "shop.echo", "shop.take")
