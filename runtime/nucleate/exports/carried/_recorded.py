"""Recorded runs of a tool, and an environment that answers from one of them alone."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._binding import FunctionError, plain, using


class Recorded:
    """Answers the calls of one run, equal ones in their order; reading again gives the last answer again."""

    def __init__(self, calls: list[dict[str, Any]], reads: frozenset[str]) -> None:
        self.functions = frozenset(call["function"] for call in calls)
        self.made: list[tuple[str, Any]] = []
        self._reads = reads
        self._answers: dict[str, deque[dict[str, Any]]] = defaultdict(deque)
        for call in calls:
            self._answers[_key(call["function"], call["arguments"])].append(call)

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """Return the recorded result, or raise the recorded error."""
        waiting = self._answers.get(_key(name, arguments))
        if not waiting:
            raise FunctionError(f"no record of {name}({json.dumps(arguments)})", kind="NoRecord")
        answer = waiting[0] if name in self._reads and len(waiting) == 1 else waiting.popleft()
        if name not in self._reads:
            self.made.append((name, arguments))
        if "error" in answer:
            raise FunctionError(answer["error"]["message"], kind=answer["error"]["kind"])
        return answer["result"]


def read_runs(path: Path) -> list[dict[str, Any]]:
    """Return the runs of a file, one JSON object on each line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def repeat(tool: Callable[..., Any], run: dict[str, Any], reads: frozenset[str]) -> tuple[Any, list[tuple[str, Any]]]:
    """Call a tool as in a run; return its result and the calls that changed something."""
    world = Recorded(run.get("calls", []), reads)
    with using(world):
        result = tool(**run["arguments"])
        if inspect.iscoroutine(result):
            result = asyncio.run(result)
    return plain(result), world.made


def changes(run: dict[str, Any], reads: frozenset[str]) -> list[tuple[str, Any]]:
    """Return the recorded calls that changed something."""
    return [(call["function"], call["arguments"]) for call in run.get("calls", []) if call["function"] not in reads]


def _key(name: str, arguments: dict[str, Any]) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True)}"
