"""The held-out tasks: ground truth as it is, and rewritten with tools, each on fresh instances, states compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.bfcl_environment import BfclEnvironment, Logged
from evals.bfcl_record import execute
from nucleate_sandbox import Environment, FunctionError, Json, JsonObject, Outcome
from nucleate_text_memory import Step

CallTool = Callable[[str, JsonObject, Environment], Outcome]
"""Runs a tool by name in the sandbox, with the environment over the bridge."""


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
    task_id: str, start: BfclEnvironment, original: Sequence[Step], rewritten: Sequence[Step], *, call_tool: CallTool
) -> Comparison:
    """Run both lists of calls from the same start and compare everything that the API objects hold in the end.

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


def _run(start: BfclEnvironment, steps: Sequence[Step], call_tool: CallTool) -> tuple[Logged, tuple[Step, ...]]:
    environment = Logged(start.fork())
    return environment, execute(steps, _caller(environment, call_tool))


def _caller(environment: Environment, call_tool: CallTool) -> Callable[[str, JsonObject], Json]:
    def call(name: str, arguments: JsonObject) -> Json:
        if "." in name:
            return environment.call(name, arguments)
        outcome = call_tool(name, arguments, environment)
        if outcome.failure is not None:
            raise FunctionError(outcome.failure.message, kind=outcome.failure.kind)
        if outcome.limit is not None:
            raise FunctionError(f"ended at its limit of {outcome.limit.value}", kind="LimitReached")
        return outcome.value

    return call
