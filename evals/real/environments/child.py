"""An environment in a process of its own, which answers JSON lines; worlds in it are named by numbers."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evals.real.environments.package import Package, python_of
from nucleate_sandbox import Effect, FunctionError, FunctionSpec, Json, JsonObject

DRIVERS = Path(__file__).with_name("drivers")


class Child:
    """A running driver; a context manager. Several threads may ask, one after the other."""

    def __init__(self, package: Package) -> None:
        command = [str(python_of(package)), str(DRIVERS / package.driver)]
        self._name = package.name
        self._lock = threading.Lock()
        self._functions: dict[str, dict[str, FunctionSpec]] = {}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )

    def ask(self, do: str, **order: Any) -> Any:
        """Give one order and return the answer; RuntimeError where the driver fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps({"do": do, **order}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"failed": "the driver ended"}
        if "failed" in answer:
            raise RuntimeError(f"{self._name}: {answer['failed']}")
        return answer["answer"]

    def start(
        self, scope: str, task: Mapping[str, Any], *, adjusted: Callable[[FunctionSpec], FunctionSpec] = lambda it: it
    ) -> ChildEnvironment:
        """Return the environment in which a task begins; its functions are called `scope.function`.

        What the first task of a scope adjusts about the functions holds for all.
        """
        if scope not in self._functions:
            specs = (adjusted(_spec(scope, spec)) for spec in self.specs(scope))
            self._functions[scope] = {spec.name: spec for spec in specs}
        world = self.ask("start", domain=scope, task=dict(task))
        return ChildEnvironment(self, scope, self._functions[scope], world)

    def describe(self, scope: str, functions: Mapping[str, FunctionSpec]) -> None:
        """Take a scope's functions from elsewhere: its driver knows of none."""
        self._functions[scope] = dict(functions)

    def specs(self, scope: str) -> list[dict[str, Any]]:
        """Return what the driver says of a domain's functions."""
        found: list[dict[str, Any]] = self.ask("functions", domain=scope)
        return found

    def entities(self, scope: str) -> frozenset[str]:
        """Return the keys of the domain's rows and the values of its unique fields, as text."""
        return frozenset(self.ask("entities", domain=scope))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()


def _spec(scope: str, spec: Mapping[str, Any]) -> FunctionSpec:
    return FunctionSpec(
        name=f"{scope}.{spec['name']}",
        doc=spec["doc"],
        parameters=spec["parameters"],
        returns=spec["returns"],
        effect=Effect(spec["effect"]),
    )


class ChildEnvironment:
    """One world of a driver."""

    def __init__(self, child: Child, name: str, functions: Mapping[str, FunctionSpec], world: int) -> None:
        self._child = child
        self._name = name
        self._functions = functions
        self._world = world

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call one function; what it raises is a FunctionError."""
        if name not in self._functions:
            raise FunctionError(f"no function {name!r}; the environment lists {len(self._functions)}", kind="Unknown")
        return self._done("call", name.partition(".")[2], arguments)

    def act(self, function: str, arguments: JsonObject) -> Json:
        """Let the simulated user call a function of the user's own, where the domain has such."""
        return self._done("act", function, arguments)

    def _done(self, do: str, function: str, arguments: JsonObject) -> Json:
        answer = self._child.ask(do, world=self._world, function=function, arguments=arguments)
        if "error" in answer:
            raise FunctionError(answer["error"]["message"], kind=answer["error"]["kind"])
        result: Json = answer["result"]
        return result

    def fork(self) -> ChildEnvironment:
        """Return an independent copy in the same state."""
        world = self._child.ask("fork", world=self._world)
        return ChildEnvironment(self._child, self._name, self._functions, world)

    def state(self) -> dict[str, Any]:
        """Return what differs from the start of the task: path of a leaf → its value, gone ones as null."""
        changes: dict[str, Any] = self._child.ask("state", world=self._world)
        return changes

    def __del__(self) -> None:
        if self._child._process.poll() is None:  # noqa: SLF001 - the same module's
            self._child.ask("drop", world=self._world)
