"""Recorded conversations: lists of messages, whose calls and answers become the steps of one task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nucleate_text_memory.recordings.answers.answering import settled
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Said
from nucleate_text_memory.recordings.lines import Identifier, LineFault, Reward, Strict, make_step, scope_of, succeeded
from nucleate_text_memory.recordings.messages import happenings
from nucleate_text_memory.recordings.names_in_use import NamesInUse
from nucleate_text_memory.recordings.pairing import OpenCalls
from nucleate_text_memory.values import JsonObject, Step, Trajectory, Utterance


class ConversationLine(Strict):
    """A conversation with an agent that calls tools. Its query is the user's first message."""

    task_id: Identifier
    messages: list[Any]
    environment: Identifier | None = None
    success: bool | None = None
    reward: Reward | None = None

    def trajectory(self, environment: str | None, meta: JsonObject | None = None, *, names: NamesInUse) -> Trajectory:
        """Return the value. A call that was never answered, or was refused, is left out; `meta` counts both.

        A message that cannot be read costs itself: `meta` says which (`unread`).
        """
        scope = scope_of(self.environment, environment)
        unread: list[str] = []
        exchange = _Exchange(names, scope)
        for happening in _read(self.messages, unread):
            exchange.take(happening, unread)
        if self.messages and len(unread) >= len(self.messages):
            raise LineFault(unread[0])
        counted: JsonObject = {key: count for key, count in exchange.left_out.items() if count}
        counted |= {"unread": [*unread]} if unread else {}
        first, *later = exchange.said or [("", 0)]
        return Trajectory(
            task_id=self.task_id,
            query=first[0],
            environment=scope,
            steps=exchange.steps,
            success=self.success if self.success is not None else succeeded(self.reward),
            reward=self.reward,
            meta={**(meta or {}), **counted},
            said=tuple(Utterance(text=text, at=exchange.made(at)) for text, at in later),
        )


def _read(messages: list[Any], unread: list[str]) -> Iterator[Happening]:
    for number, message in enumerate(messages):
        try:
            yield from happenings(message)
        except LineFault as fault:
            unread.append(f"messages.{number}: {fault}")


class _Exchange:
    """Calls and answers of one conversation; `said` holds the user's messages with the calls that came before."""

    def __init__(self, names: NamesInUse, scope: str) -> None:
        self._names = names
        self._scope = scope
        self._calls: list[Step | None] = []
        self._waiting = OpenCalls[tuple[int, AskedCall]]()
        self._refused = 0
        self.said: list[tuple[str, int]] = []

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(step for step in self._calls if step is not None)

    @property
    def left_out(self) -> dict[str, int]:
        return {"refused": self._refused, "unanswered": len(self._waiting)}

    def made(self, at: int) -> int:
        """Return how many steps there are among the first calls."""
        return sum(step is not None for step in self._calls[:at])

    def take(self, happening: Happening, unread: list[str]) -> None:
        """Take in what happened; an answer to no call is told as unread."""
        if isinstance(happening, Said):
            self.said.append((happening.text, len(self._calls)))
        elif isinstance(happening, AskedCall):
            self._waiting.ask(happening.id, (len(self._calls), happening), name=happening.name)
            self._calls.append(None)
        elif isinstance(happening, Answered):
            found = self._waiting.answer(happening.id, name=happening.name)
            if found is None:
                unread.append(f"no open tool call has the id {happening.id!r}")
            elif happening.refused:
                self._refused += 1
            else:
                index, call = found
                answer = settled(call, happening)
                function = self._names.function(call.name, self._scope)
                self._calls[index] = make_step(function, call.arguments, answer.result, answer.error)
