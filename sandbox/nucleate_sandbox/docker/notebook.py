"""A child that keeps its namespace: the host's side of a session's runs."""

from __future__ import annotations

import time

from nucleate_sandbox.bridge import Bridge
from nucleate_sandbox.docker.calls import conclude, outcome
from nucleate_sandbox.docker.container import Container
from nucleate_sandbox.docker.converse import Ending, bridge_handler, converse, judged
from nucleate_sandbox.docker.process import Process
from nucleate_sandbox.docker.shape import Shape
from nucleate_sandbox.docker.supply import Supply
from nucleate_sandbox.environment import Functions
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.limits import Limits
from nucleate_sandbox.outcome import Outcome, Usage


class Notebook:
    """Holds a container from the first run until a limit, the program's end, or the session's."""

    def __init__(self, pool: Supply, functions: Functions, limits: Limits) -> None:
        self._pool = pool
        self._functions = functions
        self._limits = limits
        self._open: tuple[Container, Process] | None = None

    def run(self, code: str) -> Outcome:
        """Run a block; after one that hit a limit or ended its process the next has a fresh namespace."""
        container, process = self._open = self._open or self._start()
        bridge, began = Bridge(self._functions, self._limits), time.monotonic()
        try:
            process.send({"code": code})
            exchange = converse(process, {"call": bridge_handler(bridge)}, began + self._limits.wall_seconds)
            ending, usage = judged(exchange, self._limits), Usage(seconds=time.monotonic() - began)
            over = ending.exited or ending.limit is not None or not ending.isolated
            if over:
                ending, usage = conclude(container, process, ending, began)
            result = outcome(ending, process, bridge.calls, usage)
        except BaseException:
            self._release(spent=True)
            raise
        if over:
            self._release()
        return result

    def close(self) -> None:
        """End the namespace."""
        if self._open is None:
            return
        container, process = self._open
        try:
            conclude(container, process, Ending(), time.monotonic())
        except SandboxError:
            container.spent = True
        self._release()

    def _start(self) -> tuple[Container, Process]:
        container = self._pool.take(Shape.of("call", self._limits))
        try:
            return container, container.fork("session", self._limits)
        except BaseException:
            container.spent = True
            self._pool.give(container)
            raise

    def _release(self, *, spent: bool = False) -> None:
        if self._open is not None:
            container, process = self._open
            self._open = None
            process.close()
            container.spent = container.spent or spent
            self._pool.give(container)
