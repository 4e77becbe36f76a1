"""One task a line: our own format, and conversations as message lists (OpenAI's, Anthropic's, tau-bench's)."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from nucleate_text_memory.recordings.conversations import ConversationLine
from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, an_object, loads, refuse_constant
from nucleate_text_memory.recordings.lines import LineFault, StepField, TrajectoryLine
from nucleate_text_memory.values import Json, JsonObject


class TrajectoryLines:
    """Nucleate's own JSON Lines, read strictly."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the trajectory of a line."""
        value = _strict(text)
        shape = TrajectoryLine.model_validate(value)
        environment = self._source.environment or self._source.fallback
        yield shape.trajectory(environment, meta=_beside(value, TrajectoryLine) | _beside_steps(value))

    def end(self) -> Read:
        """Yield nothing: a line is whole."""
        return ()


class ConversationLines:
    """A list of messages a line, under `messages` (or `traj`, as tau-bench calls it)."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source

    def read(self, number: int, text: str) -> Read:
        """Yield the trajectory of a conversation."""
        value = _named(_strict(text), f"{self._source.name}:{number}")
        environment = self._source.environment or self._source.fallback
        line = ConversationLine.model_validate(value)
        trajectory = line.trajectory(environment, meta=_beside(value, ConversationLine, "tools"))
        tools = value.get("tools")
        if isinstance(tools, list):
            self._source.tools(trajectory.environment, tools)
        yield trajectory

    def end(self) -> Read:
        """Yield nothing: a line is whole."""
        return ()


def _named(value: JsonObject, name: str) -> JsonObject:
    """Return the line with a task id: its own, one made of tau-bench's task and trial, or where it stands."""
    if "messages" not in value and isinstance(value.get("traj"), list):
        value = {**value, "messages": value["traj"]}
        value.pop("traj")
    task = value.get("task_id")
    if isinstance(task, int) and not isinstance(task, bool) and "trial" in value:
        return {**value, "task_id": f"tau-{task}-trial-{value['trial']}"}
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
