"""Doubles of the seams, for tests only: nothing here is a boundary."""

from __future__ import annotations

import contextlib
import io
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from nucleate_sandbox import (
    NONE,
    Call,
    Environment,
    Failure,
    FunctionError,
    Functions,
    FunctionSpec,
    Json,
    JsonError,
    JsonObject,
    Limit,
    Limits,
    Lock,
    Module,
    Outcome,
    Output,
    SandboxError,
    TestCase,
    TestReport,
    canonical,
    parse,
)
from nucleate_sandbox.bridge import Bridge

# A process has one standard output, and gates call from several threads.
_STDOUT = threading.RLock()


class LimitReached(BaseException):
    """Ends a program of an in-process session that has made too many calls."""


class ToolError(Exception):
    """What a tool knows as FunctionError."""

    def __init__(self, message: str, *, kind: str = "FunctionError", from_environment: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.failure = Failure(kind=kind, message=message, from_environment=from_environment)


class InProcessSandbox:
    """Runs trusted test sources in this process, and counts what it was asked to run."""

    def __init__(self, *, final: bool = True, lacks: str | None = None) -> None:
        self._final = final
        self.lacks = lacks
        self.ran: list[str] = []

    @property
    def name(self) -> str:
        return "in-process"

    @property
    def final(self) -> bool:
        return self._final

    def open(
        self,
        *,
        functions: Functions = NONE,
        limits: Limits = Limits(),  # noqa: B008
        packages: Lock | None = None,
    ) -> InProcessSession:
        """Open a session that shares nothing but the interpreter."""
        return InProcessSession(self, functions, limits)

    def close(self) -> None:
        """Nothing is held."""


class InProcessSession:
    """One session: each call executes the module anew."""

    def __init__(self, sandbox: InProcessSandbox, functions: Functions, limits: Limits) -> None:
        self._sandbox = sandbox
        self._functions = functions
        self._limits = limits
        self._names: dict[str, Any] = {}

    def run(self, code: str) -> Outcome:
        """Execute statements; the value is always None."""
        return self._judge(lambda names: exec(code, names), self._names)

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        """Execute the module with its dependencies and call one function."""
        self._sandbox.ran.append(module.source)
        lacks = self._sandbox.lacks
        if lacks is not None and lacks in module.source:
            return Outcome(failure=Failure(kind="NotImplementedError", message=f"no {lacks}", unsupported=True))

        def program(names: dict[str, Any]) -> object:
            load(module, names)
            return names[function](**parse_object(arguments))

        return self._judge(program, {})

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:
        """Call every function `test_…` of every file; `tool` is the module's function."""
        cases: list[TestCase] = []
        for file, text in tests.items():
            names: dict[str, Any] = {"tool": self._tool(module)}
            exec(text, names)
            cases += [_case(f"{file}::{name}", names[name]) for name in names if name.startswith("test_")]
        return TestReport(cases=tuple(cases))

    def _tool(self, module: Module) -> Callable[..., Json]:
        def tool(**arguments: Json) -> Json:
            outcome = self.call(module, module.name, arguments)
            if outcome.failure is not None:
                raise RuntimeError(outcome.failure.kind)
            return outcome.value

        return tool

    def _judge(self, program: Callable[[dict[str, Any]], object], names: dict[str, Any]) -> Outcome:
        bridge = Bridge(self._functions, self._limits)
        names |= {"env": Names(bridge), "FunctionError": ToolError}
        out = io.StringIO()
        value, failure, limit = None, None, None
        with _STDOUT, contextlib.redirect_stdout(out):
            try:
                value = parse(canonical(program(names)))  # type: ignore[arg-type]
            except LimitReached:
                limit = Limit.CALLS
            except ToolError as error:
                failure = error.failure
            except JsonError as error:
                failure = Failure(kind="TypeError", message=str(error))
            except Exception as error:  # noqa: BLE001 - whatever the program raises is its outcome
                failure = Failure(kind=type(error).__name__, message=str(error), traceback=traceback.format_exc())
        text = out.getvalue()
        return Outcome(
            value=value,
            failure=failure,
            limit=limit,
            calls=bridge.calls,
            stdout=Output(text=text, total_bytes=len(text.encode())),
        )

    def close(self) -> None:
        """Nothing is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class BrokenSandbox(InProcessSandbox):
    """A sandbox whose machine is down."""

    def open(
        self,
        *,
        functions: Functions = NONE,
        limits: Limits = Limits(),  # noqa: B008
        packages: Lock | None = None,
    ) -> InProcessSession:
        """Fail as an engine does that nobody started."""
        raise SandboxError("no engine answers; start Docker")


def load(module: Module, names: dict[str, Any]) -> None:
    """Execute a module's dependencies and the module in one namespace."""
    for dependency in module.dependencies:
        own = {**names}
        exec(dependency.source, own)
        names[dependency.name] = own[dependency.name]
    exec(module.source, names)


class Names:
    """Attribute access that ends in a call over the bridge, as the sandbox's own `env` does."""

    def __init__(self, bridge: Bridge, prefix: str = "") -> None:
        self._bridge = bridge
        self._prefix = prefix

    def __getattr__(self, name: str) -> Names:
        return Names(self._bridge, f"{self._prefix}.{name}" if self._prefix else name)

    def __call__(self, **arguments: Json) -> Json:
        return _caller(self._bridge, self._prefix)(**arguments)


def _caller(bridge: Bridge, name: str) -> Callable[..., Json]:
    def caller(**arguments: Json) -> Json:
        call = bridge.call(name, arguments)
        if bridge.exhausted:
            raise LimitReached
        if call.error is not None:
            error = call.error
            raise ToolError(error.message, kind=error.kind, from_environment=error.from_environment)
        return call.result

    return caller


def parse_object(arguments: JsonObject) -> JsonObject:
    """Return a copy of the arguments as the channel would deliver them."""
    value = parse(canonical(arguments))
    assert isinstance(value, dict)
    return value


def _case(name: str, function: Callable[[], None]) -> TestCase:
    try:
        function()
    except Exception as error:  # noqa: BLE001 - whatever the test raises is its outcome
        return TestCase(name=name, passed=False, message=f"{type(error).__name__}: {error}")
    return TestCase(name=name, passed=True)


class TableEnvironment:
    """An environment of plain functions over one JSON state, which a fork copies."""

    def __init__(
        self,
        functions: Iterable[FunctionSpec],
        state: JsonObject,
        answers: Mapping[str, Callable[[JsonObject, JsonObject], Json]],
    ) -> None:
        self._functions = {spec.name: spec for spec in functions}
        self._state = parse_object(state)
        self._answers = answers
        self.made: list[Call] = []

    @property
    def name(self) -> str:
        return "shop"

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Answer from the state."""
        answer = self._answers.get(name)
        if answer is None:
            raise FunctionError(f"no function {name!r}", kind="UnknownFunction")
        result = answer(self._state, arguments)
        self.made.append(Call(function=name, arguments=arguments, result=result))
        return result

    def fork(self) -> Environment:
        """Return a copy with a state of its own."""
        return TableEnvironment(self._functions.values(), self._state, self._answers)

    def state(self) -> Json:
        """Tell what the calls so far have made of the state."""
        return self._state
