"""A scripted stand-in for a model: it solves the demo's tasks by their families' scripts, and uses tools if it can.

Nothing here thinks. Where a model would read the task and the tools' descriptions and choose, this agent rehearses its
script on a copy of the environment, and lets the tools' own templates say which of those calls they replace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from nucleate.demo.mistakes import Clumsy
from nucleate.demo.tasks import Task
from nucleate.tools import CallableTool
from nucleate_codifier.trace import ToolCall, rewrite
from nucleate_sandbox import Environment, Json, JsonObject
from nucleate_text_memory import Step


class Desk(Protocol):
    """Where an agent works: functions and tools to call, and copies to try things on (a `Recording` is one)."""

    @property
    def tools(self) -> Sequence[CallableTool]: ...
    def call(self, name: str, arguments: JsonObject) -> Json: ...
    def fork(self) -> Environment: ...


class ScriptedAgent:
    """Solves a task at a desk; a model in its place needs the same one method."""

    def solve(self, task: Task, desk: Desk) -> None:
        """Do the task with the fewest calls that the offered tools allow."""
        hands = Clumsy(desk.call, task.mistake)
        plan = rewrite(rehearse(task, desk.fork()), [tool.version for tool in desk.tools])
        if not any(isinstance(item, ToolCall) for item in plan):
            task.run(hands)
            return
        for item in plan:
            if isinstance(item, ToolCall):
                desk.call(item.name, item.arguments)
            else:
                hands(item.function, **item.arguments)


def rehearse(task: Task, copy: Environment) -> tuple[Step, ...]:
    """Return the calls that the script would make, with their results, tried on a copy of the environment."""
    steps: list[Step] = []

    def call(function: str, /, **arguments: Json) -> Any:
        result = copy.call(function, arguments)
        steps.append(Step(function=function, arguments=arguments, result=result))
        return result

    task.run(call)
    return tuple(steps)
