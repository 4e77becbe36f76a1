"""The seam: a Sandbox opens Sessions, a Session runs code that nobody trusts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from nucleate_sandbox.environment import NONE, Functions
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.limits import DEFAULT, Limits
from nucleate_sandbox.outcome import Outcome, TestReport
from nucleate_sandbox.packages import Lock


@dataclass(frozen=True, kw_only=True)
class Module:
    """One plain Python module: source text, and the modules whose public function it calls by name.

    The harness provides `env` and, for each dependency, the function that has the dependency's name.
    `dependencies` is closed and in order: each entry needs only entries before it.
    """

    name: str
    source: str
    dependencies: tuple[Module, ...] = ()


class Session(Protocol):
    """A context manager over one isolated place. Every method returns what the program did, as a value.

    Closing it from another thread ends what runs in it: that outcome is marked as cancelled.
    """

    def run(self, code: str) -> Outcome:
        """Run a code block; names persist between runs. The value is that of a last line that is an expression."""
        ...

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        """Load the module in a fresh process and call one function with keyword arguments."""
        ...

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:
        """Run pytest files (name → text) in a process apart from the module, which they call as `tool(...)`.

        The report is the test files' own word: whoever trusts them must check them with mutants.
        """
        ...

    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Sandbox(Protocol):
    """A place to run code. `final` is true where it is a real boundary, so that verdicts may be final."""

    @property
    def name(self) -> str: ...
    @property
    def final(self) -> bool: ...
    def open(
        self, *, functions: Functions = NONE, limits: Limits = DEFAULT, packages: Lock | None = None
    ) -> Session: ...
    def close(self) -> None: ...
