"""The last look before a run is stored: whoever made its steps, every value in them has its stored form."""

from __future__ import annotations

import json
from dataclasses import replace

from nucleate.recording.stored import stored, stored_object
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step, StepError, Trajectory
from nucleate_text_memory.storable_text import storable_text

LONGEST = 4_000_000


def storable(trajectory: Trajectory) -> Trajectory:
    """Return the trajectory as a database takes it; its steps are the same objects where they are so already."""
    return replace(
        trajectory,
        task_id=storable_text(trajectory.task_id),
        query=storable_text(trajectory.query),
        environment=storable_text(trajectory.environment),
        steps=tuple(_step(step) for step in trajectory.steps),
        meta=_object(trajectory.meta),
    )


def _step(step: Step) -> Step:
    arguments, function = _object(step.arguments), storable_text(step.function)
    result = step.result if _fits(step.result) else stored(step.result)
    error = step.error and StepError(kind=storable_text(step.error.kind), message=storable_text(step.error.message))
    return replace(step, function=function, arguments=arguments, result=result, error=error)


def _object(value: JsonObject) -> JsonObject:
    return value if _fits(value) else stored_object(value)


def _fits(value: Json) -> bool:
    """Return whether a value is plain JSON within bounds, with text that has a form in UTF-8."""
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
        text.encode()
    except Exception:  # noqa: BLE001 - what is no JSON may be anything, and do anything when it is looked at
        return False
    return len(text) <= LONGEST
