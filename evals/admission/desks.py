"""The worlds that the corpus is about: the demo's shop, tau2's airline, and AgentDojo's workspace."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from evals.real.environments import AGENTDOJO, TAU2, Child, ChildEnvironment, Package
from nucleate.shop import open_shop
from nucleate_sandbox import Effect, Environment, FunctionSpec

PACKAGES: Mapping[str, Package] = {"airline": TAU2, "workspace": AGENTDOJO}
DESTRUCTIVE = ("delete_",)


class Desks:
    """Opens the worlds by name, each as it stands at the start; a context manager that ends their processes."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._first: dict[str, ChildEnvironment] = {}

    def open(self, name: str) -> Environment:
        """Return a world of one's own; raise Unreachable where its package cannot be installed."""
        return open_shop() if name == "shop" else self._child(name).fork()

    def _child(self, name: str) -> ChildEnvironment:
        if name not in self._first:
            child = self._stack.enter_context(Child(PACKAGES[name]))
            returns = child.ask("returns", domain=name)
            self._first[name] = child.start(name, {"structured": True}, adjusted=lambda spec: _typed(spec, returns))
        return self._first[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


def _typed(spec: FunctionSpec, returns: Mapping[str, dict[str, object]]) -> FunctionSpec:
    """Return a function as a careful operator would describe it: with what it returns, and what it deletes marked."""
    name = spec.name.rpartition(".")[2]
    effect = Effect.DESTRUCTIVE if name.startswith(DESTRUCTIVE) else spec.effect
    return replace(spec, returns=returns.get(name, {}), effect=effect)  # type: ignore[arg-type]
