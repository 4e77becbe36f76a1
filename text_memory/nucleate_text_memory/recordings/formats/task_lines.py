"""One task a line: our own format, and conversations as lists of messages, whichever provider's API wrote them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel

from nucleate_text_memory.recordings.conversations import ConversationLine
from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, an_object, loads, refuse_constant
from nucleate_text_memory.recordings.formats.whole_documents import conversation_of, definitions_of
from nucleate_text_memory.recordings.lines import LineFault, StepField, TrajectoryLine
from nucleate_text_memory.recordings.sessions import REFUSED, UNANSWERED
from nucleate_text_memory.values import Json, JsonObject

_ORIGIN = ("source", "path", "trial")  # what tells runs of one benchmark's task apart
BY_USER, UNREAD = "calls that the user made", "messages that could not be read"


class TrajectoryLines:
    """Nucleate's own JSON Lines, read strictly."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the trajectory of a line."""
        value = _run(_strict(text))
        shape = TrajectoryLine.model_validate(value)
        environment = self._source.environment or _domain(value) or self._source.fallback
        meta = _beside(value, TrajectoryLine) | _beside_steps(value)
        found = shape.trajectory(environment, meta=meta, names=self._source.kept.names)
        self._source.leave_out(BY_USER, len(shape.steps) - len(found.steps))
        yield found

    def end(self) -> Read:
        """Yield nothing: a line is whole."""
        return ()


class ConversationLines:
    """A conversation a line: messages under the key of the API that they were sent to."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source

    def read(self, number: int, text: str) -> Read:
        """Yield the trajectory of a conversation."""
        value = _named(conversation_of(_strict(text)), f"{self._source.name}:{number}")
        environment = self._source.environment or self._source.fallback
        line = ConversationLine.model_validate(value)
        meta = _beside(value, ConversationLine, "tools")
        trajectory = line.trajectory(environment, meta=meta, names=self._source.kept.names)
        self._count(trajectory.meta)
        tools = definitions_of(value.get("tools"))
        if tools:
            self._source.tools(trajectory.environment, tools)
        yield trajectory

    def end(self) -> Read:
        """Yield nothing: a line is whole."""
        return ()

    def _count(self, meta: JsonObject) -> None:
        for key, what in (("refused", REFUSED), ("unanswered", UNANSWERED)):
            count = meta.get(key, 0)
            self._source.leave_out(what, count if isinstance(count, int) else 0)
        unread = meta.get("unread", [])
        self._source.leave_out(UNREAD, len(unread) if isinstance(unread, list) else 0)


def _run(value: JsonObject) -> JsonObject:
    """Return a line with a task id of its own: a benchmark's id names a task, and the file and trial tell its runs."""
    origin = [value[key] for key in _ORIGIN if key in value]
    if "path" not in value or "trial" not in value or "task_id" not in value:
        return value
    told = json.dumps([*origin, value["task_id"], value.get("query"), len(str(value.get("steps")))])
    name = f"{value['task_id']}-trial-{value['trial']}"[:180]
    return {**value, "task_id": f"{name}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"}


def _domain(value: JsonObject) -> str | None:
    """Return the environment of a benchmark's run, which calls it its domain."""
    domain = value.get("domain")
    return domain if isinstance(domain, str) and domain and "trial" in value else None


def _named(value: JsonObject, name: str) -> JsonObject:
    """Return the line with a task id: its own, one made of tau-bench's task and trial, or where it stands."""
    task = value.get("task_id")
    if isinstance(task, int) and not isinstance(task, bool):
        return {**value, "task_id": f"tau-{task}-trial-{value['trial']}" if "trial" in value else str(task)}
    return value if "task_id" in value else {**value, "task_id": str(value.get("id") or name)}


def _beside(value: JsonObject, shape: type[BaseModel], *read: str) -> JsonObject:
    return {key: item for key, item in value.items() if key not in shape.model_fields and key not in read}


def _beside_steps(value: JsonObject) -> JsonObject:
    steps = value["steps"]
    assert isinstance(steps, list)
    kept = {str(i): _beside(step, StepField) for i, step in enumerate(steps) if isinstance(step, dict)}
    found: JsonObject = {number: fields for number, fields in kept.items() if fields}
    return {"steps": found} if found else {}


def _strict(text: str) -> dict[str, Json]:
    try:
        return an_object(json.loads(text, parse_constant=refuse_constant, object_pairs_hook=_unique))
    except json.JSONDecodeError:
        return loads(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise LineFault("an object has the same key twice")
    return value
