"""Results of the Berkeley function-calling leaderboard: calls as Python text, their outputs in the inference log."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.lines import LineFault, make_step
from nucleate_text_memory.recordings.observations import observed
from nucleate_text_memory.values import Json, JsonObject, Step, Trajectory

_READ = frozenset({"id", "result", "inference_log"})


class Bfcl:
    """Reads one task a line. A line without its log is refused: what its calls did is not known."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the trajectory of a line."""
        line = loads(text)
        log = line.get("inference_log")
        if not isinstance(log, list) or not any(isinstance(turn, dict) for turn in log):
            raise LineFault(f"{line.get('id')!r} has no inference_log with turns, so what its calls did is not known")
        scope = self._source.scope()
        turns = [turn for turn in log if isinstance(turn, dict)]
        yield Trajectory(
            task_id=f"bfcl:{line.get('id')}",
            query="\n".join(words for turn in turns for words in _words(turn)),
            environment=scope,
            steps=tuple(step for turn in turns for step in self._steps(turn, scope)),
            meta={"format": "bfcl", **{key: value for key, value in line.items() if key not in _READ}},
        )

    def end(self) -> Read:
        """Yield nothing: a line is whole."""
        return ()

    def _steps(self, turn: dict[str, Any], scope: str) -> Iterator[Step]:
        """Yield the calls of a turn with their outputs, which follow them in the same order."""
        for key, entries in turn.items():
            if not key.startswith("step_") or not isinstance(entries, list):
                continue
            calls: list[str] = []
            for entry in entries:
                if not isinstance(entry, dict):
                    continue
                if isinstance(entry.get("model_response_decoded"), list):
                    calls += [str(call) for call in entry["model_response_decoded"]]
                if entry.get("role") == "tool" and calls:
                    name, arguments = call_in(calls.pop(0))
                    function = self._source.kept.names.function(name, scope)
                    yield make_step(function, arguments, *observed(entry.get("content")))


def _words(turn: dict[str, Any]) -> Iterator[str]:
    asked = turn.get("begin_of_turn_query")
    for message in asked if isinstance(asked, list) else ():
        if isinstance(message, dict) and message.get("role") == "user":
            yield str(message.get("content", ""))


def call_in(text: str) -> tuple[str, JsonObject]:
    """Return (name, arguments) of a call such as `cd(folder='document')`; positional ones are `arg0`, `arg1`."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise LineFault(f"{text[:80]!r} is not a call: {error}") from error
    if not isinstance(call, ast.Call):
        raise LineFault(f"{text[:80]!r} is not a call")
    try:
        positional: JsonObject = {f"arg{i}": _literal(value) for i, value in enumerate(call.args)}
        return ast.unparse(call.func), {**positional, **{str(k.arg): _literal(k.value) for k in call.keywords}}
    except ValueError as error:
        raise LineFault(f"{text[:80]!r} has an argument that is no literal") from error


def _literal(node: ast.expr) -> Json:
    value: Json = ast.literal_eval(node)
    return value
