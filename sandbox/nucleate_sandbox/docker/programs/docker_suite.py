"""A candidate's pytest files: they run in one container, the tool that they call runs in another."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Mapping
from dataclasses import replace

from nucleate_sandbox.docker.containers.container_source import ContainerSource
from nucleate_sandbox.docker.containers.shape import Shape
from nucleate_sandbox.docker.link.process import LimitHit
from nucleate_sandbox.docker.link.wire import Violation, table, text
from nucleate_sandbox.docker.programs.calls import call_once, call_request, conclude
from nucleate_sandbox.docker.programs.converse import ExchangeEnding, converse, error_message, judged, shortened
from nucleate_sandbox.environment import FunctionError, Functions
from nucleate_sandbox.json_values import Json, JsonObject
from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.outcome import Failure, Outcome, Output, TestCase, TestReport, Usage
from nucleate_sandbox.protocol import Module
from nucleate_sandbox.stopping import Stop

FILE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}\.py")


class SuiteRun:
    """One run of a suite. Each test has a fork of the environment of its own."""

    def __init__(self, pool: ContainerSource, functions: Functions, limits: Limits, module: Module, stop: Stop) -> None:
        self._pool = pool
        self._functions = functions
        self._limits = limits
        self._module = module
        self._stop = stop
        self._calls = 0
        self._test: str | None = None
        self._forked = functions

    def run(self, tests: Mapping[str, str]) -> TestReport:
        """Run the files and return their report."""
        if strange := [name for name in tests if not FILE_NAME.fullmatch(name)]:
            message = f"{strange[0]!r} is not a test file's name; use letters, digits and _, ending in .py"
            return TestReport(failure=Failure(kind="ValueError", message=message))
        with self._pool.lease(Shape.of("test", self._limits)) as container:
            began = time.monotonic()
            process = container.begin(self._limits, self._stop)
            try:
                process.start("test", {"files": dict(tests), "parameters": _parameters(self._module)})
                ending = converse(process, {"tool": self._answer}, began + self._limits.wall_seconds)
                ending, usage = conclude(container, process, ending, began)
                report = _report(ending, self._limits, process.output()[0], usage)
                forged = report.failure is not None and report.failure.kind == "ProtocolError"
                container.spent = container.spent or forged
                return report
            finally:
                process.close()

    def _answer(self, message: JsonObject) -> JsonObject:
        """Perform one call of the tool for the test that asks."""
        self._calls += 1
        if self._calls > self._limits.bridge_calls:
            raise LimitHit(Limit.CALLS)
        test, arguments = text(message, "test"), table(message, "arguments")
        try:
            self._fork_for(test)
        except FunctionError as error:
            return {"error": error_message(Failure(kind=error.kind, message=error.message))}
        request = call_request(self._module, self._module.name, arguments)
        return _reply(call_once(self._pool, self._forked, self._limits, request, self._stop))

    def _fork_for(self, test: str) -> None:
        if test != self._test and self._functions.environment is not None:
            self._forked = replace(self._functions, environment=self._functions.environment.fork())
        self._test = test


def _reply(outcome: Outcome) -> JsonObject:
    if outcome.failure is not None:
        return {"error": error_message(outcome.failure)}
    return {"value": outcome.value}


def _parameters(module: Module) -> list[Json]:
    """Return the names of the tool's positional parameters, read from its source: of the last function of its name."""
    try:
        body = ast.parse(module.source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    functions = (item for item in reversed(body) if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
    arguments = next((item.args for item in functions if item.name == module.name), None)
    return [item.arg for item in (*arguments.posonlyargs, *arguments.args)] if arguments else []


def _report(ending: ExchangeEnding, limits: Limits, stdout: Output, usage: Usage) -> TestReport:
    message = ending.message
    if message is None or message["do"] != "report":
        ending = judged(ending, limits, ())
        failure = ending.failure or Failure(kind="ProtocolError", message="the test run ended without a report")
        return TestReport(failure=failure, limit=ending.limit, stdout=stdout, usage=usage)
    try:
        cases = _cases(message)
        missing = _missing(text(message, "broken"), message.get("collected"), len(cases))
    except Violation as violation:
        failure = Failure(kind="ProtocolError", message=f"the test run sent {violation}")
        return TestReport(failure=failure, stdout=stdout, usage=usage)
    return TestReport(cases=cases, failure=missing, stdout=stdout, usage=usage)


def _cases(message: JsonObject) -> tuple[TestCase, ...]:
    found = message.get("cases")
    if not isinstance(found, list):
        raise Violation("a report without 'cases'")
    return tuple(_case(item) for item in found)


def _case(item: Json) -> TestCase:
    if not isinstance(item, dict):
        raise Violation("a case that is no object")
    name, message = shortened(text(item, "name")), shortened(text(item, "message"))
    return TestCase(name=name, passed=item.get("passed") is True, message=message)


def _missing(broken: str, collected: Json, executed: int) -> Failure | None:
    """Return why the tests that ran are not the tests that were expected."""
    if broken:
        return Failure(kind="CollectionError", message=shortened(broken))
    if collected != executed:
        return Failure(kind="MissingTests", message=f"{collected} tests were collected and {executed} ran")
    return None if executed else Failure(kind="NoTests", message="the files hold no test")
