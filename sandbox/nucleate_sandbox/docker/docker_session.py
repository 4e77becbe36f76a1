"""A session: blocks that share a namespace, calls in fresh processes, tests apart from the tool."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from nucleate_sandbox.docker.containers.container_source import ContainerSource
from nucleate_sandbox.docker.programs.calls import call_once, call_request
from nucleate_sandbox.docker.programs.docker_suite import SuiteRun
from nucleate_sandbox.docker.programs.notebook import Notebook
from nucleate_sandbox.environment import Functions
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.limits import Limits
from nucleate_sandbox.outcome import Outcome, TestReport
from nucleate_sandbox.protocol import Module
from nucleate_sandbox.sources import texts_of, unreadable, unsendable
from nucleate_sandbox.stopping import Stop


class DockerSession:
    """Implements Session over a pool of containers. Calls may come from several threads, runs from one at a time."""

    def __init__(self, pool: ContainerSource, functions: Functions, limits: Limits) -> None:
        self._pool = pool
        self._functions = functions
        self._limits = limits
        self._stop = Stop()
        self._notebook = Notebook(pool, functions, limits, self._stop)

    def run(self, code: str) -> Outcome:
        """Run a code block; names persist until a limit is hit, which ends the namespace."""
        self._check_open()
        if failure := unreadable([code]):
            return Outcome(failure=failure)
        return self._notebook.run(code)

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        """Load the module in a fresh process and call one function with keyword arguments."""
        self._check_open()
        if failure := unreadable(texts_of(module)) or unsendable(arguments):
            return Outcome(failure=failure)
        request = call_request(module, function, arguments)
        return call_once(self._pool, self._functions, self._limits, request, self._stop)

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:
        """Run pytest files in a container apart from the module, which they call as `tool(...)`."""
        self._check_open()
        if failure := unreadable([*texts_of(module), *tests.values()]):
            return TestReport(failure=failure)
        return SuiteRun(self._pool, self._functions, self._limits, module, self._stop).run(tests)

    def close(self) -> None:
        """End the namespace, and what runs now in any thread; a closed session refuses further work."""
        self._stop.give()
        self._notebook.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._stop.given:
            raise SandboxError("the session is closed; open another one")
