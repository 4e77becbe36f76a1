"""A sandbox that runs nothing: it answers from a script and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeAlias

from nucleate_sandbox.environment import NONE, Functions
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.limits import DEFAULT, Limits
from nucleate_sandbox.outcome import Outcome, TestReport
from nucleate_sandbox.packages import NO_PACKAGES, Lock
from nucleate_sandbox.protocol import Module


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """A code block that was to be run."""

    code: str
    functions: Functions = field(default=NONE, compare=False)
    limits: Limits = field(default=DEFAULT, compare=False)


@dataclass(frozen=True, kw_only=True)
class CallRequest:
    """A function that was to be called."""

    module: Module
    function: str
    arguments: JsonObject
    functions: Functions = field(default=NONE, compare=False)
    limits: Limits = field(default=DEFAULT, compare=False)


@dataclass(frozen=True, kw_only=True)
class TestRequest:
    """Test files that were to be run against a module."""

    __test__ = False  # not a pytest class

    module: Module
    tests: Mapping[str, str]
    functions: Functions = field(default=NONE, compare=False)
    limits: Limits = field(default=DEFAULT, compare=False)


Request: TypeAlias = RunRequest | CallRequest | TestRequest
Answer: TypeAlias = Outcome | TestReport | SandboxError
Script: TypeAlias = Iterable[Answer] | Callable[[Request], Answer]


class ScriptedSandbox:
    """Answers requests in the order of the script, or by a function of the request.

    A SandboxError in the script is raised: an outage. `requests` lists what was asked, `opened` counts sessions.
    """

    def __init__(self, script: Script = (), *, name: str = "scripted", final: bool = True) -> None:
        self.name = name
        self.final = final
        self.opened = 0
        self.requests: list[Request] = []
        self.packages: list[Lock] = []
        self._answer = script if callable(script) else _in_order(iter(script))

    def open(
        self, *, functions: Functions = NONE, limits: Limits = DEFAULT, packages: Lock | None = None
    ) -> ScriptedSession:
        """Return a session whose requests carry these functions and limits; `packages` lists the locks asked for."""
        self.opened += 1
        self.packages.append(packages or NO_PACKAGES)
        return ScriptedSession(self, functions, limits)

    def close(self) -> None:
        """There is nothing to end."""

    def answer(self, request: Request) -> Outcome | TestReport:
        """Remember the request and return the script's answer."""
        self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, SandboxError):
            raise answer
        return answer


class ScriptedSession:
    """Implements Session: every method asks the script."""

    def __init__(self, sandbox: ScriptedSandbox, functions: Functions, limits: Limits) -> None:
        self._sandbox = sandbox
        self._functions = functions
        self._limits = limits
        self._closed = False

    def run(self, code: str) -> Outcome:
        """Return the scripted outcome of a code block."""
        return self._outcome(RunRequest(code=code, functions=self._functions, limits=self._limits))

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        """Return the scripted outcome of a call."""
        return self._outcome(
            CallRequest(
                module=module, function=function, arguments=arguments, functions=self._functions, limits=self._limits
            )
        )

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:
        """Return the scripted report of test files."""
        answer = self._ask(TestRequest(module=module, tests=tests, functions=self._functions, limits=self._limits))
        if not isinstance(answer, TestReport):
            raise SandboxError(f"the script answers a test with {answer!r}; script a TestReport")
        return answer

    def close(self) -> None:
        """A closed session refuses further work."""
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _outcome(self, request: Request) -> Outcome:
        answer = self._ask(request)
        if not isinstance(answer, Outcome):
            raise SandboxError(f"the script answers a run or call with {answer!r}; script an Outcome")
        return answer

    def _ask(self, request: Request) -> Outcome | TestReport:
        if self._closed:
            raise SandboxError("the session is closed; open another one")
        return self._sandbox.answer(request)


def _in_order(answers: Iterator[Answer]) -> Callable[[Request], Answer]:
    def answer(request: Request) -> Answer:
        following = next(answers, None)
        if following is None:
            raise SandboxError(f"the script has no answer left for {request!r}; add one")
        return following

    return answer
