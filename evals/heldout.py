"""The held-out tasks: ground truth as it is, and rewritten with tools, each on fresh instances, states compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from nucleate_sandbox import Call, Environment, FunctionError, FunctionSpec, Json, JsonObject, Outcome
from nucleate_text_memory import Step, StepError

CallTool = Callable[[str, JsonObject, Environment], Outcome]
"""Runs a tool by name in the sandbox, with the environment over the bridge."""


class Stateful(Environment, Protocol):
    """An environment whose whole state can be looked at."""

    def fork(self) -> Stateful:
        """Return an independent copy in the same state."""

    def state(self) -> object:
        """Return a picture of everything that calls may have changed."""


class Logged:
    """An environment that keeps the answers it gave, in order; a call that ended in an error is not kept."""

    def __init__(self, inner: Stateful) -> None:
        self._inner = inner
        self.answers: list[Call] = []

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._inner.functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call one function and keep its answer."""
        result = self._inner.call(name, arguments)
        self.answers.append(Call(function=name, arguments=dict(arguments), result=result))
        return result

    def fork(self) -> Logged:
        """Return an independent copy in the same state, with answers of its own."""
        return Logged(self._inner.fork())

    def state(self) -> object:
        """Return the state of what is logged."""
        return self._inner.state()


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One held-out task: top-level calls before and after, whether the states agree, and the tools that were used.

    `answers`: the APIs were called with the same arguments in the same order, and answered the same.
    `idle` and `cut` are controls: whether the states would agree after no call at all, and without the last call.
    """

    task_id: str
    before: int
    after: int
    identical: bool
    answers: bool
    idle: bool
    cut: bool
    tools: tuple[str, ...]
    failures: tuple[str, ...] = ()


def compare(
    task_id: str, start: Stateful, original: Sequence[Step], rewritten: Sequence[Step], *, call_tool: CallTool
) -> Comparison:
    """Run both lists of calls from the same start and compare the states in the end.

    A step whose function has no namespace is a tool.
    """
    theirs, _ = _run(start, original, call_tool)
    ours, steps = _run(start, rewritten, call_tool)
    shorter, _ = _run(start, original[:-1], call_tool)
    tools = [step for step in steps if "." not in step.function]
    return Comparison(
        task_id=task_id,
        before=len(original),
        after=len(rewritten),
        identical=ours.state() == theirs.state(),
        answers=ours.answers == theirs.answers,
        idle=start.state() == theirs.state(),
        cut=shorter.state() == theirs.state(),
        tools=tuple(dict.fromkeys(step.function for step in tools)),
        failures=tuple(f"{step.function}: {step.error.kind}: {step.error.message}" for step in tools if step.error),
    )


def _run(start: Stateful, steps: Sequence[Step], call_tool: CallTool) -> tuple[Logged, tuple[Step, ...]]:
    environment = Logged(start.fork())
    return environment, execute(steps, _caller(environment, call_tool))


def _caller(environment: Environment, call_tool: CallTool) -> Callable[[str, JsonObject], Json]:
    def call(name: str, arguments: JsonObject) -> Json:
        if "." in name:
            return environment.call(name, arguments)
        outcome = call_tool(name, arguments, environment)
        if outcome.error is not None:
            raise FunctionError(outcome.error.message, kind=outcome.error.kind)
        return outcome.value

    return call


def execute(steps: Iterable[Step], call: Callable[[str, JsonObject], Json]) -> tuple[Step, ...]:
    """Execute the calls in order and return them with what they gave; an error ends nothing."""
    return tuple(_executed(step, call) for step in steps)


def _executed(step: Step, call: Callable[[str, JsonObject], Json]) -> Step:
    try:
        return Step(function=step.function, arguments=step.arguments, result=call(step.function, step.arguments))
    except FunctionError as error:
        failure = StepError(kind=error.kind, message=error.message)
        return Step(function=step.function, arguments=step.arguments, error=failure)
