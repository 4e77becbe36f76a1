"""The history that an agent sends with each request: every call in it that was answered since becomes a step."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from nucleate.recording.clients.stand_in import fingerprint
from nucleate.recording.log import StepPlace, Steps
from nucleate.recording.stored import stored, stored_object
from nucleate_text_memory import Step
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.messages import happenings
from nucleate_text_memory.recordings.pairing import OpenCalls

_UNIQUE = 12  # ids that a service makes are longer; a short one ("call_1") is unique in its conversation alone

_Key: TypeAlias = tuple[str, ...]


class History:
    """Reads whole histories, of several conversations at once; what was answered before the first request is old."""

    def __init__(self, run: Steps) -> None:
        self._run = run
        self._known: set[str] = set()
        self._places: dict[_Key, StepPlace | None] = {}
        self._lock = threading.Lock()

    def take(self, messages: Sequence[dict[str, Any]]) -> None:
        """Record what is new in the messages of one request; several threads may send at once."""
        with self._lock:
            self._take(messages)

    def _take(self, messages: Sequence[dict[str, Any]]) -> None:
        conversation = _beginning(messages)
        old = conversation not in self._known and not self._continues(messages)
        self._known.add(conversation)
        for key, call, answer in _calls(messages, conversation):
            if key not in self._places:
                self._places[key] = None if old else self._run.begin()
            place = self._places[key]
            if place is not None and answer is not None:
                name, arguments = self._run.name_of(call.name), stored_object(call.arguments)
                place.end(Step(function=name, arguments=arguments, result=stored(answer.result), error=answer.error))

    def _continues(self, messages: Sequence[dict[str, Any]]) -> bool:
        """Return whether a history that begins otherwise, as one that was cut does, holds calls that are known."""
        return any(key in self._places for key, _, _ in _calls(messages, ""))


def _beginning(messages: Sequence[dict[str, Any]]) -> str:
    first = next((message for message in messages if message.get("role") == "user"), None)
    return fingerprint(first)


def _calls(messages: Sequence[dict[str, Any]], conversation: str) -> Iterator[tuple[_Key, AskedCall, Answered | None]]:
    asked: list[AskedCall] = []
    answers: dict[int, Answered] = {}
    waiting = OpenCalls[int]()
    for happening in _happenings(messages):
        if isinstance(happening, AskedCall):
            waiting.ask(happening.id, len(asked), name=happening.name)
            asked.append(happening)
        elif isinstance(happening, Answered):
            index = waiting.answer(happening.id, name=happening.name)
            if index is not None:
                answers[index] = happening
    seen = Counter[_Key]()
    for index, call in enumerate(asked):
        own = call.id is not None and len(call.id) >= _UNIQUE
        key = (call.id or "", call.name, fingerprint(call.arguments), "" if own else conversation)
        seen[key] += 1
        yield (*key, str(seen[key])), call, answers.get(index)


def _happenings(messages: Sequence[dict[str, Any]]) -> Iterator[Happening]:
    for message in messages:
        try:
            yield from happenings(message)
        except LineFault:
            continue  # a kind of message that is not known: the service understands it, and no step is in it
