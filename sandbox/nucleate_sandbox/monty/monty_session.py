"""A session on Monty: a fresh interpreter for each call, one that lasts for the runs."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from pydantic_monty import Frame, Monty

from nucleate_sandbox.environment import Functions
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.limits import Limits
from nucleate_sandbox.monty.env_object import IMPORT_FUNCTION_ERROR
from nucleate_sandbox.monty.interpreter import Interpreter
from nucleate_sandbox.monty.monty_suite import run_tests
from nucleate_sandbox.monty.program import call_module
from nucleate_sandbox.outcome import Outcome, TestReport
from nucleate_sandbox.protocol import Module
from nucleate_sandbox.sources import texts_of, unreadable, unsendable
from nucleate_sandbox.stopping import Stop


class MontySession:
    """Implements Session. Calls may come from several threads, runs from one at a time."""

    def __init__(self, pool: Monty, functions: Functions, limits: Limits) -> None:
        self._pool = pool
        self._functions = functions
        self._limits = limits
        self._notebook: Interpreter | None = None
        self._stop = Stop()
        self._running = threading.Lock()

    def run(self, code: str) -> Outcome:
        """Run a code block; names persist until a limit is hit, which ends the namespace.

        The value of a last line that is no JSON value is None; of a function or an iterator, its text.
        """
        self._check_open()
        if failure := unreadable([code]):
            return Outcome(failure=failure)
        with self._running:
            return self._run(code)

    def _run(self, code: str) -> Outcome:
        notebook = self._notebook = self._notebook or self._start()
        notebook.begin()
        value, ending = notebook.feed(code, _run_file, {})
        plain, unfit = notebook.valued(value)
        if unfit is not None and unfit.limit is not None:
            ending = ending or unfit
        outcome = notebook.outcome(plain, ending)
        if outcome.limit is not None or (outcome.failure and outcome.failure.kind == "InterpreterCrash"):
            self._end_notebook()
        return outcome

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        """Load the module in a fresh interpreter and call one function with keyword arguments."""
        self._check_open()
        if failure := unreadable(texts_of(module)) or unsendable(arguments):
            return Outcome(failure=failure)
        with Interpreter(self._pool, self._functions, self._limits, self._stop) as interpreter:
            return call_module(interpreter, module, function, arguments)

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:
        """Run the plain test functions of pytest files, each in a fresh interpreter apart from the module's."""
        self._check_open()
        if failure := unreadable([*texts_of(module), *tests.values()]):
            return TestReport(failure=failure)
        return run_tests(self._pool, self._functions, self._limits, module, tests, self._stop)

    def close(self) -> None:
        """End the namespace, and what runs now in any thread; a closed session refuses further work."""
        if self._running.acquire(blocking=False):  # nothing runs: the worker of the namespace goes back unharmed
            self._end_notebook()
            self._running.release()
        self._stop.give()
        with self._running:
            self._end_notebook()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> Interpreter:
        interpreter = Interpreter(self._pool, self._functions, self._limits, self._stop).__enter__()
        interpreter.prepare(IMPORT_FUNCTION_ERROR, {"env": interpreter.answers.env()})
        return interpreter

    def _end_notebook(self) -> None:
        notebook, self._notebook = self._notebook, None
        if notebook is not None:
            notebook.__exit__(None, None, None)

    def _check_open(self) -> None:
        if self._stop.given:
            raise SandboxError("the session is closed; open another one")


def _run_file(frame: Frame) -> str:
    """Name the block: Monty calls the session's feeds <python-input-N>, and ours was number 0."""
    number = frame.filename.removeprefix("<python-input-").removesuffix(">")
    return f"run_{number}.py" if number.isdigit() else "<string>"
