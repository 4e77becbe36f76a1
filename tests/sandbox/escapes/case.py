"""What one hostile program is: its source, what it tries, and what must happen on each backend."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

from nucleate_sandbox import Json, Limit, Limits, Outcome


@dataclass(frozen=True, kw_only=True)
class Expect:
    """The one acceptable outcome: this value, or one of these limits, or a failure of one of these kinds."""

    value: Json = None
    kinds: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    refused: bool = False

    def met(self, outcome: Outcome) -> bool:
        """Tell whether the outcome is the expected one."""
        if self.refused:
            return not outcome.ok and outcome.value is None
        if self.limits and outcome.limit is not None:
            return outcome.limit in self.limits and outcome.value is None
        if self.kinds and outcome.failure is not None:
            return outcome.failure.kind in self.kinds and outcome.limit is None and outcome.value is None
        return not self.kinds and not self.limits and outcome.ok and outcome.value == self.value


def gives(value: Json) -> Expect:
    """Expect that the program ends by itself with a value that shows what it could not do."""
    return Expect(value=value)


def fails(*kinds: str) -> Expect:
    """Expect a failure of one of these kinds and no limit."""
    return Expect(kinds=kinds)


def hits(*limits: Limit) -> Expect:
    """Expect one of these limits."""
    return Expect(limits=limits)


REFUSED = Expect(refused=True)
QUICK = Limits(wall_seconds=5.0)
SHORT = Limits(wall_seconds=0.5)


@dataclass(frozen=True, kw_only=True)
class Hostile:
    """A program whose function `tool` attacks. `monty` is what the embedded interpreter makes of it."""

    name: str
    tries: str
    source: str
    docker: Expect
    monty: Expect = REFUSED
    limits: Limits = QUICK


@dataclass(frozen=True, kw_only=True)
class Twin:
    """A benign program that uses the same means as a class of hostile ones, and the value that it must give."""

    name: str
    source: str
    value: Json


def program(code: str, imports: str = "") -> str:
    """Return a module whose function `tool` has these lines."""
    lines = dedent(code).strip().splitlines()
    head = f"import {imports}\n" if imports else ""
    return head + "def tool():\n" + "".join(f"    {line}\n" for line in lines)
