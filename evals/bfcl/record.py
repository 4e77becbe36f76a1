"""Ground-truth calls as steps: parsed from their text, executed, recorded."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Protocol

from evals.bfcl.environment import SCOPE, BfclEnvironment
from evals.bfcl.source import Task
from evals.heldout import execute
from nucleate_sandbox import FunctionSpec, Json, JsonObject
from nucleate_text_memory import Step, Trajectory


class NotACall(ValueError):
    """A ground-truth line is something else than one call with literal arguments to a known function."""


class Described(Protocol):
    """Functions, and the order of their parameters."""

    @property
    def functions(self) -> Mapping[str, FunctionSpec]: ...
    def parameter_names(self, name: str) -> list[str]: ...


def parse_call(text: str, environment: Described) -> Step:
    """Return a line such as `cd(folder='x')` as a step without its result; positional arguments get their names."""
    call = _expression(text)
    matches = [name for name in environment.functions if name.partition(".")[2] == ast.unparse(call.func)]
    if len(matches) != 1:
        raise NotACall(f"{text!r} calls no function of the environment, or several")
    return Step(function=matches[0], arguments=_arguments(text, call, environment.parameter_names(matches[0])))


def _expression(text: str) -> ast.Call:
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise NotACall(f"{text!r} is not Python: {error.msg}") from error
    if not isinstance(call, ast.Call):
        raise NotACall(f"{text!r} is not a call")
    return call


def _arguments(text: str, call: ast.Call, names: Sequence[str]) -> JsonObject:
    if len(call.args) > len(names) or any(keyword.arg is None for keyword in call.keywords):
        raise NotACall(f"{text!r} has arguments without a name; the function has {list(names)}")
    named = [*zip(names, call.args, strict=False), *((str(item.arg), item.value) for item in call.keywords)]
    try:
        return {name: _literal(value) for name, value in named}
    except ValueError as error:
        raise NotACall(f"{text!r} has an argument that is not a literal") from error


def _literal(value: ast.expr) -> Json:
    literal: Json = ast.literal_eval(value)
    return literal


def parse_task(task: Task, environment: BfclEnvironment) -> tuple[Step, ...]:
    """Return all ground-truth calls of a task, not yet executed."""
    return tuple(parse_call(text, environment) for text in task.ground_truth)


def record(task: Task, environment: BfclEnvironment) -> Trajectory:
    """Execute a task's ground truth in a fresh environment and return it as a solved trajectory."""
    steps = execute(parse_task(task, environment), environment.call)
    return Trajectory(task_id=task.id, query=task.query, environment=SCOPE, steps=steps, success=True)
