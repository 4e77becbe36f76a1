"""Records what an agent does in an environment: task, steps, outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, Self

from nucleate.tools import CallableTool
from nucleate_sandbox import Environment, FunctionError, FunctionSpec, Json, JsonObject, Outcome
from nucleate_text_memory import Step, StepError, Trajectory


class Recording:
    """One task under way: an environment like the one it wraps, with the offered tools beside it.

    Leaving the `with` block stores the trajectory; an exception that leaves it marks the task as failed.
    """

    def __init__(
        self,
        query: str,
        *,
        task_id: str,
        environment: Environment,
        tools: Sequence[CallableTool],
        store: Callable[[Trajectory], object],
        under_way: AbstractContextManager[object] | None = None,
        selected: Sequence[str] = (),
    ) -> None:
        self.query = query
        self.task_id = task_id
        self.tools = tuple(tools)
        self.env = Namespaces(self)
        self._environment = environment
        self._store = store
        self._under_way = under_way or nullcontext()
        self._selected = tuple(selected)
        self._steps: list[Step] = []
        self._success: bool | None = None
        self._reward: float | None = None

    @property
    def name(self) -> str:
        """Return the name of the environment."""
        return self._environment.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        """Return the environment's functions."""
        return self._environment.functions

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return what was recorded so far."""
        return tuple(self._steps)

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call an environment function, or an offered tool by its bare name, and record it as one step."""
        if "." not in name:
            return self._call_tool(name, arguments)
        try:
            result = self._environment.call(name, arguments)
        except FunctionError as error:
            failure = StepError(kind=error.kind, message=error.message)
            self._steps.append(Step(function=name, arguments=arguments, error=failure))
            raise
        self._steps.append(Step(function=name, arguments=arguments, result=result))
        return result

    def add(self, *steps: Step) -> None:
        """Record steps that were made elsewhere, as by code in a sandbox."""
        self._steps.extend(steps)

    def fork(self) -> Environment:
        """Return an independent copy of the environment; nothing that happens in it is recorded."""
        return self._environment.fork()

    def finish(self, *, success: bool | None = None, reward: float | None = None) -> None:
        """Say how the task ended; `reward` is in [-1, 1]."""
        self._success, self._reward = success, reward

    def trajectory(self) -> Trajectory:
        """Return what was recorded as a trajectory."""
        return Trajectory(
            task_id=self.task_id,
            query=self.query,
            environment=self._environment.name,
            steps=tuple(self._steps),
            success=self._success,
            reward=self._reward,
            selected=self._selected,
        )

    def _call_tool(self, name: str, arguments: JsonObject) -> Json:
        tool = next((tool for tool in self.tools if tool.version.name == name), None)
        if tool is None:
            offered = ", ".join(tool.version.name for tool in self.tools) or "none"
            raise FunctionError(f"no tool {name!r} was offered for this task (offered: {offered})", kind="UnknownTool")
        outcome = tool.outcome(**arguments)
        error = _error_of(outcome)
        self._steps.append(Step(function=name, arguments=arguments, result=outcome.value, error=error))
        if error is not None:
            raise FunctionError(error.message, kind=error.kind)
        return outcome.value

    def __enter__(self) -> Self:
        self._under_way.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._success = False
        try:
            self._store(self.trajectory())
        finally:
            self._under_way.__exit__(None, None, None)


class Namespaces:
    """`run.env.orders.get(order_id="W1")` for agents that prefer attributes to names; returns JSON values."""

    def __init__(self, recording: Recording, prefix: str = "") -> None:
        self._recording = recording
        self._prefix = prefix

    def __getattr__(self, name: str) -> Namespaces:
        if name.startswith("_"):
            raise AttributeError(name)
        return Namespaces(self._recording, f"{self._prefix}.{name}" if self._prefix else name)

    def __call__(self, **arguments: Json) -> Any:
        return self._recording.call(self._prefix, dict(arguments))


def _error_of(outcome: Outcome) -> StepError | None:
    if outcome.ok:
        return None
    if outcome.failure is not None:
        return StepError(kind=outcome.failure.kind, message=outcome.failure.message)
    return StepError(kind="LimitReached", message=str(outcome.limit))
