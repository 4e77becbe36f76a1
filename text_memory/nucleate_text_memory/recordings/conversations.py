"""Recorded conversations: message lists of OpenAI or Anthropic, whose tool calls and tool results become steps."""

from __future__ import annotations

from nucleate_text_memory.recordings.lines import (
    Identifier,
    LineFault,
    Reward,
    Strict,
    make_step,
    qualified,
    scope_of,
    succeeded,
)
from nucleate_text_memory.recordings.messages import Answered, AskedCall, RecordedMessage
from nucleate_text_memory.recordings.pairing import OpenCalls
from nucleate_text_memory.values import JsonObject, Trajectory


class ConversationLine(Strict):
    """A conversation with an agent that calls tools. Its query is everything that the user said."""

    task_id: Identifier
    messages: list[RecordedMessage]
    environment: Identifier | None = None
    success: bool | None = None
    reward: Reward | None = None

    def trajectory(self, environment: str | None, meta: JsonObject | None = None) -> Trajectory:
        """Return the value; a call that was never answered is left out, since what it did is not known."""
        scope = scope_of(self.environment, environment)
        answered = _answered(self.messages)
        return Trajectory(
            task_id=self.task_id,
            query="\n".join(
                m.text for m in self.messages if m.role == "user" and m.content is not None and not _answers_only(m)
            ),
            environment=scope,
            steps=tuple(
                make_step(qualified(call.name, scope), call.arguments, answer.result, answer.error)
                for call, answer in answered
            ),
            success=self.success if self.success is not None else succeeded(self.reward),
            reward=self.reward,
            meta=meta or {},
        )


def _answers_only(message: RecordedMessage) -> bool:
    blocks = message.content if isinstance(message.content, list) else []
    return not message.text and any(block.type == "tool_result" for block in blocks)


def _answered(messages: list[RecordedMessage]) -> list[tuple[AskedCall, Answered]]:
    calls: list[AskedCall] = []
    answers: dict[int, Answered] = {}
    waiting = OpenCalls[int]()
    for number, message in enumerate(messages):
        for happening in message.happenings():
            if isinstance(happening, AskedCall):
                waiting.ask(happening.id, len(calls))
                calls.append(happening)
            elif isinstance(happening, Answered):
                index = waiting.answer(happening.id)
                if index is None:
                    raise LineFault(f"messages.{number}: no open tool call has the id {happening.id!r}")
                answers[index] = happening
    return [(call, answers[index]) for index, call in enumerate(calls) if index in answers]
