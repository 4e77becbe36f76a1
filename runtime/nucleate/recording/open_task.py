"""One task as it is recorded: its steps in order, and whatever else is said of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from nucleate.errors import ToolFailed
from nucleate.exports.offering import offered
from nucleate.recording.function_names import name_in
from nucleate.recording.log import OpenCall, StepLog, StepPlace
from nucleate.recording.observed_functions import observe
from nucleate.recording.stored import stored_object
from nucleate.recording.unharmed import left_out
from nucleate.tools import CallableTool
from nucleate_sandbox import Environment, FunctionError, FunctionSpec, Json, JsonObject, Outcome, SandboxError
from nucleate_text_memory import Step, StepError, Trajectory
from nucleate_text_memory.storable_text import storable_text
from nucleate_tool_library import ToolVersion

if TYPE_CHECKING:
    from nucleate.exports.offering import FrameworkTools
    from nucleate.exports.provider_tools import ProviderTools

P = ParamSpec("P")
R = TypeVar("R")

CURRENT: ContextVar[OpenTask | None] = ContextVar("nucleate_recording", default=None)


class OpenTask:
    """What is recorded of one task: an environment like the one it wraps, with the offered tools beside it.

    Steps stand in the order in which their calls began; several threads may call at once.
    """

    def __init__(
        self,
        query: str,
        *,
        task_id: str,
        environment: Environment,
        tools: Sequence[CallableTool],
        selected: Sequence[str] = (),
    ) -> None:
        self.query = storable_text(query)
        self.task_id = storable_text(task_id)
        self.tools = tuple(tools)
        self.env = Namespaces(self)
        self._environment = environment
        self._selected = tuple(selected)
        self._log = StepLog()
        self._meta: JsonObject = {}
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
        return self._log.steps

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call an environment function, or an offered tool by its bare name, and record it as one step."""
        if "." not in name:
            return self._call_tool(name, arguments)
        call = OpenCall(place=self.begin(), function=name, arguments=stored_object(arguments))
        try:
            result = self._environment.call(name, arguments)
        except FunctionError as error:
            call.raised(error)
            raise
        call.returned(result)
        return result

    def add(self, *steps: Step) -> None:
        """Record steps that were made elsewhere, as by code in a sandbox."""
        self._log.add(*steps)

    def begin(self) -> StepPlace:
        """Take the place of a call that is made elsewhere and ends later; one that never ends is no step."""
        return self._log.begin()

    def name_of(self, tool: str) -> str:
        """Return the environment's function that an agent's tool of this name is."""
        return name_in(tool, self.functions, self.name)

    def tool(self, function: Callable[P, R], *, name: str | None = None) -> Callable[P, R]:
        """Return a function of the agent's own, with or without async, each call of which is one step."""
        return observe(function, self, name=name)

    @property
    def recorded_tools(self) -> tuple[CallableTool, ...]:
        """Return the offered tools as callables each call of which is one step; an outage is their ToolFailed."""
        return tuple(CallableTool(tool.version, partial(self._served, tool)) for tool in self.tools)

    def _served(self, tool: CallableTool, _version: ToolVersion, arguments: JsonObject) -> Outcome:
        try:
            return self._tool_outcome(tool, arguments)
        except (SandboxError, SQLAlchemyError) as outage:
            cause = getattr(outage, "orig", None) or outage
            raise ToolFailed(f"{tool.version.name} is out of order ({cause}); do without it") from outage

    def offered(self, form: str) -> ProviderTools | FrameworkTools:
        """Return the offered tools in a provider's or a framework's form; their calls are recorded here."""
        return offered(self.recorded_tools, form)

    def note(self, **meta: Json) -> None:
        """Keep facts about the task that are no steps, such as the model's name."""
        self._meta |= stored_object(meta)

    def fork(self) -> Environment:
        """Return an independent copy of the environment; nothing that happens in it is recorded."""
        return self._environment.fork()

    def finish(self, *, success: bool | None = None, reward: float | None = None) -> None:
        """Say how the task ended; `reward` is in [-1, 1], and one that is no such number is left out."""
        self._success, self._reward = None, None
        with left_out("how a task ended"):
            self._success = None if success is None else bool(success)
            self._reward = None if reward is None else _within(float(reward))

    def trajectory(self) -> Trajectory:
        """Return what was recorded as a trajectory."""
        return Trajectory(
            task_id=self.task_id,
            query=self.query,
            environment=self._environment.name,
            steps=self.steps,
            success=self._success,
            reward=self._reward,
            selected=self._selected,
            meta=dict(self._meta),
        )

    def _call_tool(self, name: str, arguments: JsonObject) -> Json:
        tool = next((tool for tool in self.tools if tool.version.name == name), None)
        if tool is None:
            offered = ", ".join(tool.version.name for tool in self.tools) or "none"
            raise FunctionError(f"no tool {name!r} was offered for this task (offered: {offered})", kind="UnknownTool")
        outcome = self._tool_outcome(tool, arguments)
        error = _error_of(outcome)
        if error is not None:
            raise FunctionError(error.message, kind=error.kind)
        return outcome.value

    def _tool_outcome(self, tool: CallableTool, arguments: JsonObject) -> Outcome:
        call = OpenCall(place=self.begin(), function=tool.version.name, arguments=stored_object(arguments))
        outcome = tool.outcome(**arguments)
        error = _error_of(outcome)
        call.place.end(Step(function=call.function, arguments=call.arguments, result=outcome.value, error=error))
        return outcome


class Namespaces:
    """`run.env.orders.get(order_id="W1")` for agents that prefer attributes to names; returns JSON values."""

    def __init__(self, recording: OpenTask, prefix: str = "") -> None:
        self._recording = recording
        self._prefix = prefix

    def __getattr__(self, name: str) -> Namespaces:
        if name.startswith("_"):
            raise AttributeError(name)
        return Namespaces(self._recording, f"{self._prefix}.{name}" if self._prefix else name)

    def __call__(self, **arguments: Json) -> Any:
        return self._recording.call(self._prefix, dict(arguments))


def _within(reward: float) -> float:
    if not -1 <= reward <= 1:
        raise ValueError(f"a reward is between -1 and 1, and this is {reward!r}")
    return reward


def _error_of(outcome: Outcome) -> StepError | None:
    error = outcome.error
    return None if error is None else StepError(kind=error.kind, message=error.message)
