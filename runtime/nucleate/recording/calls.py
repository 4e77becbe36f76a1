"""Calls that a framework makes: begun, then ended by a result or an error; tools of ours record themselves."""

from __future__ import annotations

from nucleate.recording.current import current
from nucleate.recording.log import LEFT_OUT, OpenCall
from nucleate.recording.marks import is_mark
from nucleate.recording.stored import stored
from nucleate.recording.task import Recording
from nucleate.recording.unharmed import left_out
from nucleate_sandbox import JsonObject
from nucleate_text_memory.recordings.observations import json_or_text


def begin(tool: str, arguments: object, run: Recording | None = None) -> OpenCall:
    """Begin a call of a framework's tool in a recording, or in the one that is open here.

    Where there is none, and for tools that record themselves, what comes of the call goes nowhere.
    """
    with left_out(LEFT_OUT):
        target = run or current()
        if target is not None and all(tool != offered.__name__ for offered in target.tools):
            return OpenCall(place=target.begin(), function=target.name_of(tool), arguments=named(arguments))
    return OpenCall(function=str(tool), arguments={})


def named(arguments: object) -> JsonObject:
    """Return arguments by name; a single value without one is called `input`."""
    value = stored(arguments)
    value = json_or_text(value or "{}") if isinstance(value, str) else value
    return value if isinstance(value, dict) and not is_mark(value) else {"input": value}
