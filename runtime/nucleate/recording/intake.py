"""Recordings from elsewhere, taken in: each task learned from, definitions of functions kept or inferred."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nucleate.environments import FunctionsFileError, read_functions
from nucleate.environments.scopes import Scopes
from nucleate.recording.functions import described
from nucleate.recording.inferring import Inferred
from nucleate_sandbox import FunctionSpec, Json, canonical
from nucleate_text_memory import BadLine, MemoryFault, Trajectory, read_trajectories


@dataclass(frozen=True, kw_only=True)
class IngestReport:
    """What became of a recording: tasks stored, already known, and lines that could not be read.

    `inferred` counts, for each environment, the functions that nobody described: their schemas are what calls show.
    """

    stored: int = 0
    known: int = 0
    steps: int = 0
    bad: tuple[BadLine, ...] = field(default=())
    inferred: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a recording comes from: its environment, one for lines that name none, its format and name."""

    environment: str | None = None
    fallback: str | None = None
    format: str = "auto"
    name: str = "session"


class Intake:
    """Takes in one recording."""

    def __init__(self, learn: Callable[[Trajectory], bool], scopes: Scopes) -> None:
        self._learn = learn
        self._scopes = scopes
        self._inferred: dict[str, Inferred] = {}

    def take(self, lines: Iterable[str], origin: Origin) -> IngestReport:
        """Read line by line, in order; a malformed line is reported and skipped."""
        stored, known, steps, bad = 0, 0, 0, list[BadLine]()
        for item in read_trajectories(
            lines,
            environment=origin.environment,
            fallback=origin.fallback,
            format=origin.format,
            name=origin.name,
            tools=self._define,
        ):
            if isinstance(item, BadLine):
                bad.append(item)
                continue
            self._see(item)
            try:
                new = self._learn(item)
            except (MemoryFault, RecursionError) as refusal:
                bad.append(BadLine(number=0, message=f"task {item.task_id!r}: {refusal}", excerpt=item.task_id))
                continue
            stored, known, steps = stored + new, known + (not new), steps + (len(item.steps) if new else 0)
        inferred = self._remember()
        return IngestReport(stored=stored, known=known, steps=steps, bad=tuple(bad), inferred=inferred)

    def _define(self, environment: str, tools: list[Json]) -> None:
        """Keep the definitions that a recording holds; a broken one is left out, and calls tell what it takes."""
        for tool in tools:
            functions = _described(tool, environment)
            if functions:
                self._scopes.remember(environment, functions)
                self._inferred.pop(environment, None)

    def _see(self, trajectory: Trajectory) -> None:
        scope = trajectory.environment
        if scope not in self._inferred:
            self._inferred[scope] = Inferred(self._scopes.view(scope).functions if self._scopes.knows(scope) else {})
        self._inferred[scope].see(trajectory.steps)

    def _remember(self) -> dict[str, int]:
        told = {scope: item for scope, item in self._inferred.items() if item.names}
        for scope, item in told.items():
            self._scopes.remember(scope, {name: item.functions[name] for name in item.names})
        return {scope: len(item.names) for scope, item in told.items()}


def _described(tool: Any, environment: str) -> Mapping[str, FunctionSpec]:
    if not isinstance(tool, dict):
        return {}
    try:
        if "inputSchema" in tool:
            return read_functions(canonical({"tools": [tool]}), environment=environment).functions
        _, spec = described(tool, environment)
    except FunctionsFileError:
        return {}
    return {spec.name: spec}
