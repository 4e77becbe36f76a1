"""Steps in the order in which their calls began, whenever they end; a call that never ended is no step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from nucleate.recording.marks import message_of
from nucleate.recording.stored import stored
from nucleate.recording.unharmed import left_out
from nucleate_sandbox import FunctionError, JsonObject
from nucleate_text_memory import Step, StepError
from nucleate_text_memory.recordings.observations import observed

LEFT_OUT = "a call"


class StepPlace:
    """The place of one call among the steps."""

    def __init__(self) -> None:
        self.step: Step | None = None

    def end(self, step: Step) -> None:
        """Say what came of the call; the first word stands."""
        self.step = self.step or step


@dataclass(frozen=True, kw_only=True)
class OpenCall:
    """A call under way, its arguments in their stored form. Without an end it is no step; none of its ends raises."""

    function: str
    arguments: JsonObject
    place: StepPlace = field(default_factory=StepPlace)

    def answered(self, answer: object, *, failed: bool | None = None) -> None:
        """End with what a model is told: JSON text is read, and text that begins like an error is one."""
        with left_out(LEFT_OUT):
            result, error = observed(stored(answer), failed=failed)
            self.place.end(Step(function=self.function, arguments=self.arguments, result=result, error=error))

    def returned(self, value: object) -> None:
        """End with the value itself."""
        with left_out(LEFT_OUT):
            self.place.end(Step(function=self.function, arguments=self.arguments, result=stored(value)))

    def raised(self, error: BaseException) -> None:
        """End with an exception."""
        with left_out(LEFT_OUT):
            self.place.end(Step(function=self.function, arguments=self.arguments, error=error_of(error)))


class Steps(Protocol):
    """Where steps go: a place for each call, and the name that a tool has as a function of the environment."""

    def begin(self) -> StepPlace: ...
    def name_of(self, tool: str) -> str: ...


class StepLog:
    """A list of steps that several threads may write."""

    def __init__(self) -> None:
        self._places: list[StepPlace] = []

    def begin(self) -> StepPlace:
        """Take the next place."""
        place = StepPlace()
        self._places.append(place)
        return place

    def add(self, *steps: Step) -> None:
        """Add steps that have ended."""
        for step in steps:
            self.begin().end(step)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps that have ended."""
        return tuple(place.step for place in tuple(self._places) if place.step is not None)


def error_of(error: BaseException) -> StepError:
    """Return an exception as the error of a step."""
    kind = error.kind if isinstance(error, FunctionError) else type(error).__name__
    return StepError(kind=kind, message=message_of(error))
