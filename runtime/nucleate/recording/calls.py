"""Calls that a framework makes: begun, then ended by a result or an error; tools of ours record themselves."""

from __future__ import annotations

from dataclasses import dataclass

from nucleate.recording.current import current
from nucleate.recording.log import Place
from nucleate.recording.observing import as_json, error_of
from nucleate.recording.task import Recording
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step
from nucleate_text_memory.observations import json_or_text, observed


@dataclass(frozen=True, kw_only=True)
class OpenCall:
    """A call under way; without an end it is no step."""

    place: Place
    function: str
    arguments: JsonObject

    def answered(self, answer: object, *, failed: bool | None = None) -> None:
        """End with what a model is told: JSON text is read, and text that begins like an error is one."""
        result, error = observed(as_json(answer), failed=failed)
        self.place.end(Step(function=self.function, arguments=self.arguments, result=result, error=error))

    def returned(self, value: object) -> None:
        """End with the value itself."""
        self.place.end(Step(function=self.function, arguments=self.arguments, result=as_json(value)))

    def raised(self, error: BaseException) -> None:
        """End with an exception."""
        self.place.end(Step(function=self.function, arguments=self.arguments, error=error_of(error)))


def begin(tool: str, arguments: object, run: Recording | None = None) -> OpenCall | None:
    """Begin a call of a framework's tool in a recording, or in the one that is open here; None where there is none."""
    target = run or current()
    if target is None or any(tool == offered.__name__ for offered in target.tools):
        return None
    return OpenCall(place=target.begin(), function=target.name_of(tool), arguments=named(arguments))


def named(arguments: object) -> JsonObject:
    """Return arguments by name; a single value without one is called `input`."""
    value: Json = as_json(arguments)
    value = json_or_text(value or "{}") if isinstance(value, str) else value
    return value if isinstance(value, dict) else {"input": value}
