"""A session for a program that needs packages: this backend has none, and says so of every program."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.outcome import Failure, Outcome, TestReport
from nucleate_sandbox.packages import Lock
from nucleate_sandbox.protocol import Module


class LackingSession:
    """Implements Session: whatever it is asked to run is unsupported."""

    def __init__(self, packages: Lock) -> None:
        names = ", ".join(packages.pins)
        self._failure = Failure(
            kind="ModuleNotFoundError", message=f"the packages {names} need the Docker sandbox", unsupported=True
        )

    def run(self, code: str) -> Outcome:  # noqa: ARG002
        """Return that the packages are lacking."""
        return Outcome(failure=self._failure)

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:  # noqa: ARG002
        """Return that the packages are lacking."""
        return Outcome(failure=self._failure)

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:  # noqa: ARG002
        """Return that the packages are lacking."""
        return TestReport(failure=self._failure)

    def close(self) -> None:
        """Nothing is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
