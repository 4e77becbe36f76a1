"""A child that keeps its namespace: the host's side of a session's runs."""

from __future__ import annotations

import secrets
import threading
import time

from nucleate_sandbox.bridge import Bridge
from nucleate_sandbox.docker.containers.container import Container
from nucleate_sandbox.docker.containers.container_source import ContainerSource
from nucleate_sandbox.docker.containers.shape import Shape
from nucleate_sandbox.docker.link.process import Process
from nucleate_sandbox.docker.link.wire import Violation
from nucleate_sandbox.docker.programs.calls import conclude, outcome
from nucleate_sandbox.docker.programs.converse import ExchangeEnding, bridge_handler, converse, judged, violated
from nucleate_sandbox.environment import Functions
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.limits import Limits
from nucleate_sandbox.outcome import Outcome, Usage
from nucleate_sandbox.stopping import Stop


class Notebook:
    """Holds a container from the first run until a limit, the program's end, or the session's."""

    def __init__(self, pool: ContainerSource, functions: Functions, limits: Limits, stop: Stop) -> None:
        self._pool = pool
        self._functions = functions
        self._limits = limits
        self._stop = stop
        self._lock = threading.Lock()
        self._open: tuple[Container, Process] | None = None

    def run(self, code: str) -> Outcome:
        """Run a block; after one that hit a limit or ended its process the next has a fresh namespace."""
        with self._lock:
            return self._run(code)

    def _run(self, code: str) -> Outcome:
        fresh = self._open is None
        container, process = self._open = self._open or self._start()
        bridge, began = Bridge(self._functions, self._limits, self._stop), time.monotonic()
        try:
            exchange = self._exchange(process, code, bridge, began + self._limits.wall_seconds, fresh=fresh)
            ending, usage = judged(exchange, self._limits, bridge.calls), Usage(seconds=time.monotonic() - began)
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

    def _exchange(self, process: Process, code: str, bridge: Bridge, deadline: float, *, fresh: bool) -> ExchangeEnding:
        """Send a block; its result bears a number that nobody knew before, so that none sent ahead passes for it."""
        number = secrets.randbits(60)
        request: JsonObject = {"code": code, "run": number}
        try:
            process.start("session", request) if fresh else process.resume(request)
        except Violation as violation:
            return violated(violation)
        ending = converse(process, {"call": bridge_handler(bridge, deadline)}, deadline)
        if ending.message is not None and ending.message.get("run") != number:
            return violated(Violation("a result of another run"))
        return ending

    def close(self) -> None:
        """End the namespace, once what runs in it has heard the order to stop."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._open is None:
            return
        container, process = self._open
        try:
            conclude(container, process, ExchangeEnding(), time.monotonic())
        except SandboxError:
            container.spent = True
        self._release()

    def _start(self) -> tuple[Container, Process]:
        container = self._pool.take(Shape.of("call", self._limits))
        try:
            return container, container.begin(self._limits, self._stop)
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
