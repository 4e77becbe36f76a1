"""Who calls what, as a graph of versions: the tools in force, and older versions that some of them still call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nucleate_tool_library.reading import asking, closures, reach
from nucleate_tool_library.reading.names import within
from nucleate_tool_library.reading.statements import StatementRunner, parts
from nucleate_tool_library.values import State

_IN_FORCE = "SELECT version_id FROM tool WHERE state <> :archived AND (:everywhere OR scope = :scope)"
_EDGES = """SELECT version_id, depends_on FROM dependency WHERE version_id IN :ids ORDER BY version_id, position"""
_FUNCTIONS = "SELECT version_id, function FROM capability WHERE version_id IN :ids ORDER BY function"


@dataclass(frozen=True, kw_only=True)
class Node:
    """A version in a graph; `in_force` is False where a tool still calls an older version of another."""

    id: str
    name: str
    scope: str
    state: State
    release: str
    in_force: bool
    functions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Graph:
    """Versions, dependencies first, and their direct calls as pairs of ids (caller, called)."""

    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    root: str | None = None


def whole(run: StatementRunner, scope: str | None) -> Graph:
    """Return every tool that is not archived, with all that it calls."""
    found = run(_IN_FORCE, archived=State.ARCHIVED.value, **within(scope))
    return _graph(run, closures.members(run, sorted(row.version_id for row in found)), None)


def below(run: StatementRunner, tool: Any) -> Graph:
    """Return a tool with all that it calls."""
    return _graph(run, closures.members(run, [tool.version_id]), tool.version_id)


def above(run: StatementRunner, tool: Any) -> Graph:
    """Return a tool with all that call some version of it."""
    own = set(reach.versions_of(run, tool))
    calling = [row.version_id for row in asking.callers_of(run, tool)]
    called = set(closures.members(run, calling))
    between = set(closures.callers(run, sorted(own)))
    kept = (called & (between | own)) | {tool.version_id}
    return _graph(run, closures.members(run, sorted(kept)), tool.version_id, only=kept)


def _graph(run: StatementRunner, ids: Sequence[str], root: str | None, *, only: set[str] | None = None) -> Graph:
    kept = [key for key in ids if only is None or key in only]
    names = closures.names_of(run, kept)
    tools = reach.tools_of(run, kept)
    functions = _functions(run, kept)
    nodes = tuple(
        Node(
            id=key,
            name=names[key],
            scope=tools[key].scope,
            state=State(tools[key].state),
            release=tools[key].release if tools[key].version_id == key else "",
            in_force=tools[key].version_id == key,
            functions=tuple(functions.get(key, ())),
        )
        for key in kept
    )
    return Graph(nodes=nodes, edges=_edges(run, kept), root=root)


def _edges(run: StatementRunner, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    known, found = set(ids), list[tuple[str, str]]()
    for part in parts(ids):
        found += [(caller, called) for caller, called in run(_EDGES, ids=part) if called in known]
    return tuple(found)


def _functions(run: StatementRunner, ids: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in parts(ids):
        for key, function in run(_FUNCTIONS, ids=part):
            found.setdefault(key, []).append(function)
    return found
