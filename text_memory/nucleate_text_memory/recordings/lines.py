"""The documented format of one recorded trajectory (docs/text_memory.md), checked where strangers' data enters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from nucleate_text_memory.recordings.names_in_use import NamesInUse
from nucleate_text_memory.values import JsonObject, Step, StepError, Trajectory, Utterance

_USER, _UNNAMED = "user", "EnvironmentError"

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Reward = Annotated[float, Field(ge=-1, le=1)]


class LineFault(ValueError):
    """Why a line is no trajectory."""


class Strict(BaseModel):
    """No coercion; fields that are not ours are passed over."""

    model_config = ConfigDict(strict=True, extra="ignore")


class ErrorField(Strict):
    """An error observation."""

    type: str = _UNNAMED
    message: str


class StepField(Strict):
    """One call: a result or an error, never both; `error` alone says that the result is the error's message.

    `turn` counts the user's messages before the call; a call `by` the user is none of the agent's.
    """

    function: Identifier
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    result: JsonValue = None
    error: ErrorField | bool | None = None
    turn: int | None = Field(default=None, ge=0)
    by: str = "agent"

    @model_validator(mode="after")
    def _one_observation(self) -> StepField:
        if isinstance(self.error, ErrorField) and self.result is not None:
            raise ValueError("a step has a result or an error, not both")
        return self


class OutcomeField(Strict):
    """How the task ended, as far as somebody judged it."""

    success: bool | None = None
    reward: Reward | None = None


class TrajectoryLine(Strict):
    """A task, what was asked, and the steps in order."""

    task_id: Identifier
    query: str
    steps: list[StepField]
    environment: Identifier | None = None
    outcome: OutcomeField = Field(default_factory=OutcomeField)
    success: bool | None = None
    reward: Reward | None = None
    user_turns: list[str] = Field(default_factory=list)
    group: str = ""
    meta: dict[str, JsonValue] = Field(default_factory=dict)

    def trajectory(self, environment: str | None, meta: JsonObject | None = None, *, names: NamesInUse) -> Trajectory:
        """Return the value; the line's own environment goes before the one given."""
        scope = scope_of(self.environment, environment)
        reward = self.reward if self.reward is not None else self.outcome.reward
        judged = self.success if self.success is not None else self.outcome.success
        return Trajectory(
            task_id=self.task_id,
            query=self.query,
            environment=scope,
            steps=tuple(_step(step, names.function(step.function, scope)) for step in self._own),
            success=judged if judged is not None else succeeded(reward),
            reward=reward,
            meta={**self.meta, **(meta or {})},
            said=tuple(self._said()),
            group=self.group,
        )

    @property
    def _own(self) -> list[StepField]:
        return [step for step in self.steps if step.by != _USER]

    def _said(self) -> Iterator[Utterance]:
        """Yield what the user said after the query; before the calls that counted it."""
        for number, text in enumerate(self.user_turns[1:], start=1):
            counted = (at for at, step in enumerate(self._own) if step.turn is not None and step.turn > number)
            yield Utterance(text=text, at=next(counted, len(self._own)))


def scope_of(named: str | None, given: str | None) -> str:
    """Return the environment of a line."""
    scope = named or given
    if not scope:
        raise LineFault("the line names no environment; give one with --environment")
    return scope


def succeeded(reward: float | None) -> bool | None:
    """Return whether a reward says that the task was solved; None where there is none."""
    return None if reward is None else reward >= 1


def make_step(function: str, arguments: dict[str, Any], result: Any, error: StepError | None) -> Step:
    """Return one step of plain JSON."""
    return Step(function=function, arguments=arguments, result=None if error else result, error=error)


def _step(step: StepField, function: str) -> Step:
    error = None
    if isinstance(step.error, ErrorField):
        error = StepError(kind=step.error.type, message=step.error.message)
    elif step.error:
        text = step.result if isinstance(step.result, str) else json.dumps(step.result, ensure_ascii=False)
        error = StepError(kind=_UNNAMED, message=text)
    return make_step(function, dict(step.arguments), step.result, error)
