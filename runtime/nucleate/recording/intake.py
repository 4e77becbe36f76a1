"""Recordings from elsewhere, taken in: each task learned from, definitions of functions kept or inferred."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nucleate.environments import FunctionsFileError, read_functions
from nucleate.environments.scopes import Scopes
from nucleate.recording.functions import described
from nucleate.recording.inferring import Inferred
from nucleate_sandbox import FunctionSpec, Json, canonical
from nucleate_text_memory import BadLine, MemoryFault, Trajectory, read_trajectories
from nucleate_text_memory.recordings.calls_read import CallsRead, Stored
from nucleate_text_memory.recordings.formats import SharedReading
from nucleate_text_memory.recordings.names import identifier
from nucleate_text_memory.recordings.names_in_use import NamesInUse

_FOREIGN = "x-name"  # beside the parameters: what the function's owner calls it


@dataclass(frozen=True, kw_only=True)
class IngestReport:
    """What became of a recording: tasks stored, already known, and lines that could not be read.

    `inferred` counts, for each environment, the functions that nobody described: their schemas are what calls show.
    `left_out` counts what no task holds, by what it is; `apart` says what each function is called by its owner whose
    name reads like another one's.
    """

    stored: int = 0
    known: int = 0
    steps: int = 0
    bad: tuple[BadLine, ...] = field(default=())
    inferred: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    apart: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a recording comes from: its environment, one for lines that name none, its format and name.

    `read` is shared by recordings that are taken in together: what one of them repeats of another is known by it.
    """

    environment: str | None = None
    fallback: str | None = None
    format: str = "auto"
    name: str = "session"
    read: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    calls: CallsRead = field(default_factory=CallsRead)


class Intake:
    """Takes in one recording."""

    def __init__(self, learn: Callable[[Trajectory], bool], scopes: Scopes, *, calls: Stored = dict) -> None:
        self._learn = learn
        self._calls = calls
        self._scopes = scopes
        self._inferred: dict[str, Inferred] = {}
        self._kept = SharedReading()

    def take(self, lines: Iterable[str], origin: Origin) -> IngestReport:
        """Read line by line, in order; a malformed line is reported and skipped."""
        origin.calls.ask(self._calls)
        kept = self._kept = SharedReading(names=NamesInUse(self._foreign), read=origin.read, calls=origin.calls)
        stored, known, steps, bad = 0, 0, 0, list[BadLine]()
        for item in read_trajectories(
            lines,
            environment=origin.environment,
            fallback=origin.fallback,
            format=origin.format,
            name=origin.name,
            tools=self._define,
            kept=kept,
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
        return IngestReport(
            stored=stored,
            known=known,
            steps=steps,
            bad=tuple(bad),
            inferred=inferred,
            left_out={what: count for what, count in kept.left_out.items() if count},
            apart=kept.names.apart,
        )

    def _define(self, environment: str, tools: list[Json]) -> None:
        """Keep the definitions that a recording holds; a broken one is left out, and calls tell what it takes."""
        for tool in sorted(tools, key=_reads_otherwise):
            functions = _described(tool, environment, self._kept.names)
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
            foreign = self._kept.names.foreign(scope)
            self._scopes.remember(scope, {name: _named(item.functions[name], foreign.get(name)) for name in item.names})
        return {scope: len(item.names) for scope, item in told.items()}

    def _foreign(self, environment: str) -> Mapping[str, str]:
        """Return what its owner calls each function of an environment, where recordings showed another name."""
        if not self._scopes.knows(environment):
            return {}
        specs = self._scopes.view(environment).functions.values()
        return {spec.name: str(spec.parameters[_FOREIGN]) for spec in specs if _FOREIGN in spec.parameters}


def _reads_otherwise(tool: Any) -> bool:
    """Return whether a tool's name is no identifier: those that are keep their names."""
    name = tool.get("name") if isinstance(tool, dict) else None
    return isinstance(name, str) and identifier(name) != name


def _named(spec: FunctionSpec, foreign: str | None) -> FunctionSpec:
    return spec if foreign is None else replace(spec, parameters={**spec.parameters, _FOREIGN: foreign})


def _described(tool: Any, environment: str, names: NamesInUse) -> Mapping[str, FunctionSpec]:
    if not isinstance(tool, dict):
        return {}
    try:
        own, spec = described(tool, environment)
        if "inputSchema" in tool:
            (spec,) = read_functions(canonical({"tools": [tool]}), environment=environment).functions.values()
    except FunctionsFileError:
        return {}
    name = names.function(own, environment)
    return {name: _named(replace(spec, name=name), own if name != spec.name else None)}
