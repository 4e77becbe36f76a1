"""Which tools call which, and in what order they are judged: each after those that it calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter

from nucleate_codifier.admission.reading import source
from nucleate_codifier.admission.reading.references import HARNESS
from nucleate_codifier.admission.reading.scopes import resolve
from nucleate_codifier.repository.project_values import ToolFile


@dataclass(frozen=True, kw_only=True)
class CallGraph:
    """The tools by path, and what each calls. `names` are all free names, also of tools that are no longer there."""

    tools: Mapping[str, ToolFile]
    calls: Mapping[str, tuple[str, ...]]
    names: Mapping[str, frozenset[str]]

    def with_dependencies(self, paths: Iterable[str]) -> frozenset[str]:
        """Return these and everything that they call."""
        return _reach(paths, self.calls)

    def with_dependents(self, paths: Iterable[str]) -> frozenset[str]:
        """Return these and everything that calls them."""
        callers: dict[str, list[str]] = {path: [] for path in self.tools}
        for path, called in self.calls.items():
            for other in called:
                callers[other].append(path)
        return _reach(paths, callers)

    def cycle(self, path: str) -> tuple[str, ...]:
        """Return the names of a cycle of calls through this tool, or none."""
        came_from: dict[str, str] = {}
        waiting = [path]
        while waiting:
            at = waiting.pop(0)
            for other in self.calls[at]:
                if other == path:
                    return self._path(came_from, path, at)
                if other not in came_from:
                    came_from[other] = at
                    waiting.append(other)
        return ()

    def levels(self, paths: frozenset[str]) -> tuple[tuple[str, ...], ...]:
        """Return the paths in rounds, each after those that it calls; what is in a cycle, or calls one, comes last."""
        rounds: list[tuple[str, ...]] = []
        cyclic = frozenset(path for path in paths if self.cycle(path))
        loose = paths - self.with_dependents(cyclic)
        sorter = TopologicalSorter({path: self.calls[path] for path in loose})
        sorter.prepare()
        while ready := sorter.get_ready():
            rounds.append(tuple(sorted(ready)))
            sorter.done(*ready)
        rest = tuple(sorted(paths - loose))
        return (*rounds, rest) if rest else tuple(rounds)

    def _path(self, came_from: Mapping[str, str], first: str, last: str) -> tuple[str, ...]:
        steps = [last]
        while steps[0] != first:
            steps.insert(0, came_from[steps[0]])
        return tuple(self.tools[path].name for path in (*steps, first))


def graph_of(tools: Iterable[ToolFile]) -> CallGraph:
    """Read from the sources alone which tool calls which; a source that cannot be read calls nothing."""
    by_path = {tool.path: tool for tool in tools}
    by_key = {tool.key: tool.path for tool in by_path.values()}
    names = {path: _names(tool) for path, tool in by_path.items()}
    calls = {
        path: tuple(
            sorted(by_key[key] for key in {(tool.candidate.scope, name) for name in names[path]} & by_key.keys())
        )
        for path, tool in by_path.items()
    }
    return CallGraph(tools=by_path, calls=calls, names=names)


def _names(tool: ToolFile) -> frozenset[str]:
    module = source.read(tool.candidate.source).module
    if module is None:
        return frozenset()
    return frozenset(use.id for use in resolve(module).free) - HARNESS - {tool.name}


def _reach(paths: Iterable[str], arrows: Mapping[str, Iterable[str]]) -> frozenset[str]:
    found = set(paths)
    waiting = sorted(found)
    while waiting:
        for other in arrows[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found)
