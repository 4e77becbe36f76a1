"""A run as JSON lines, for other programs: one object for each event, the result last."""

from __future__ import annotations

import dataclasses
import json
import threading
from types import TracebackType
from typing import Any, Self, TextIO

from nucleate.executor import run_events as events
from nucleate.executor.actions import CodeAction
from nucleate.executor.result import RunResult
from nucleate.manager import Choice


class JsonLines:
    """A listener that writes each event at once; lines of several threads do not mix."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def __call__(self, event: events.RunEvent) -> None:
        """Write one event."""
        line = json.dumps(event_json(event), ensure_ascii=False)
        with self._lock:
            self._out.write(f"{line}\n")
            self._out.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """There is nothing to end."""


def event_json(event: events.RunEvent) -> dict[str, Any]:
    """Return an event as a JSON object; `event` is its name in snake case."""
    name = type(event).__name__
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
    match event:
        case events.RunStarted(choice=choice):
            found = {"task_id": event.task_id, "query": event.query, "environment": event.environment}
            return {"event": words, **found, **choice_json(choice)}
        case events.Acting(action=action):
            kind = "code" if isinstance(action, CodeAction) else "call"
            shown = {"kind": kind, **{key: item for key, item in dataclasses.asdict(action).items() if item != ()}}
            return {"event": words, "step": event.number, "action": shown, "spent": _spent(event.spent)}
        case events.RunEnded(result=result):
            return {"event": words, **result_json(result)}
        case _:
            return {"event": words, **_plain(event)}


def result_json(result: RunResult) -> dict[str, Any]:
    """Return what a run came to."""
    return {
        "task_id": result.task_id,
        "ending": result.ending.value,
        "answer": result.answer,
        "error": result.error,
        "success": result.trajectory.success,
        "steps": result.spent.steps,
        "calls": result.calls,
        "calls_saved": result.saved,
        "tools": list(result.tools),
        "selected": list(result.selected),
        **_spent(result.spent),
    }


def choice_json(choice: Choice) -> dict[str, Any]:
    """Return what a run was given, with the reasons."""
    return {
        "entries": [
            {"id": item.entry.id, "kind": item.entry.kind.value, "score": round(item.score, 3), "reason": item.reason}
            for item in choice.entries
        ],
        "tools": [
            {"name": item.version.name, "score": round(item.score, 3), "reason": item.reason} for item in choice.tools
        ],
        "loaded": [version.name for version in choice.closure],
        "guidance_tokens": choice.tokens,
        "chosen_by": choice.by,
    }


def _plain(event: events.RunEvent) -> dict[str, Any]:
    found = dataclasses.asdict(event)
    if "number" in found:
        found["step"] = found.pop("number")
    if isinstance(event, events.Observed | events.Corrected):
        found["spent"] = _spent(event.spent)
    if isinstance(event, events.Observed):
        found["calls"] = found.pop("steps")
    return dict(found)


def _spent(spent: Any) -> dict[str, Any]:
    return {
        "tokens": spent.tokens,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "dollars": spent.dollars,
        "seconds": round(spent.seconds, 3),
        "model_seconds": round(spent.model_seconds, 3),
    }
