"""Recorded conversations: OpenAI-style message lists, whose tool calls and tool results become steps."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from typing import Any

from pydantic import JsonValue

from nucleate_text_memory.lines import (
    Identifier,
    LineFault,
    Reward,
    Strict,
    make_step,
    qualified,
    scope_of,
    succeeded,
)
from nucleate_text_memory.values import Json, Step, StepError, Trajectory


class CallFunction(Strict):
    """The function of a tool call; its arguments are JSON text (or, in some logs, the object itself)."""

    name: Identifier
    arguments: str | dict[str, JsonValue] = "{}"


class ToolCall(Strict):
    """One call that the assistant asks for."""

    id: str | None = None
    function: CallFunction


class TextPart(Strict):
    """One part of a message's content; parts that are not text are passed over."""

    text: str = ""


class Message(Strict):
    """One message of the conversation."""

    role: str
    content: str | list[TextPart] | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None

    @property
    def text(self) -> str:
        """Return the text of the message."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class ConversationLine(Strict):
    """A conversation with an agent that calls tools. Its query is everything that the user said."""

    task_id: Identifier
    messages: list[Message]
    environment: Identifier | None = None
    success: bool | None = None
    reward: Reward | None = None

    def trajectory(self, environment: str | None) -> Trajectory:
        """Return the value; a call that was never answered is left out, since what it did is not known."""
        scope = scope_of(self.environment, environment)
        answered = _answered(self.messages)
        return Trajectory(
            task_id=self.task_id,
            query="\n".join(m.text for m in self.messages if m.role == "user"),
            environment=scope,
            steps=tuple(_step(call, text, scope) for call, text in answered),
            success=self.success if self.success is not None else succeeded(self.reward),
            reward=self.reward,
        )


def _answered(messages: list[Message]) -> list[tuple[ToolCall, str]]:
    """Pair calls with results: a result answers the first open call that has its id, since ids may repeat."""
    calls: list[ToolCall] = []
    answers: dict[int, str] = {}
    open_calls: defaultdict[str | None, deque[int]] = defaultdict(deque)
    for number, message in enumerate(messages):
        for call in message.tool_calls or []:
            open_calls[call.id].append(len(calls))
            calls.append(call)
        if message.role == "tool":
            if not open_calls[message.tool_call_id]:
                raise LineFault(f"messages.{number}: no open tool call has the id {message.tool_call_id!r}")
            answers[open_calls[message.tool_call_id].popleft()] = message.text
    return [(call, answers[index]) for index, call in enumerate(calls) if index in answers]


def _step(call: ToolCall, text: str, scope: str) -> Step:
    function = qualified(call.function.name, scope)
    error = StepError(kind="EnvironmentError", message=text) if text.startswith("Error") else None
    return make_step(function, _arguments(call.function), _json_or_text(text), error)


def _arguments(function: CallFunction) -> dict[str, Any]:
    value = _json_or_text(function.arguments or "{}") if isinstance(function.arguments, str) else function.arguments
    if not isinstance(value, dict):
        raise LineFault(f"the arguments of {function.name!r} are not a JSON object")
    return value


def _json_or_text(text: str) -> Json:
    try:
        value: Json = json.loads(text, parse_constant=_text_after_all)
    except (ValueError, RecursionError):
        return text
    return value


def _text_after_all(name: str) -> None:
    raise ValueError(name)
