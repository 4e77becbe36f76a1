"""Who calls what, as a graph of versions: the tools in force, and older versions that some of them still call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from nucleate_tool_library import changes, closures, reach
from nucleate_tool_library.tables import CapabilityRow, DependencyRow, ToolRow
from nucleate_tool_library.values import State


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


def whole(session: Session, scope: str | None) -> Graph:
    """Return every tool that is not archived, with all that it calls."""
    query = select(ToolRow.version_id).where(ToolRow.state != State.ARCHIVED.value)
    found = session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all()
    return _graph(session, closures.members(session, sorted(found)), None)


def below(session: Session, tool: ToolRow) -> Graph:
    """Return a tool with all that it calls."""
    return _graph(session, closures.members(session, [tool.version_id]), tool.version_id)


def above(session: Session, tool: ToolRow) -> Graph:
    """Return a tool with all that call some version of it."""
    own = set(reach.versions_of(session, tool))
    calling = [row.version_id for row, _depth in changes.callers_of(session, tool)]
    called = set(closures.members(session, calling))
    between = set(closures.callers(session, sorted(own)))
    kept = (called & (between | own)) | {tool.version_id}
    return _graph(session, closures.members(session, sorted(kept)), tool.version_id, only=kept)


def _graph(session: Session, ids: Sequence[str], root: str | None, *, only: set[str] | None = None) -> Graph:
    kept = [key for key in ids if only is None or key in only]
    names = closures.names_of(session, kept)
    tools = reach.tools_of(session, kept)
    functions = _functions(session, kept)
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
    return Graph(nodes=nodes, edges=_edges(session, kept), root=root)


def _edges(session: Session, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    known, found = set(ids), list[tuple[str, str]]()
    for part in closures.parts(ids):
        query = select(DependencyRow.version_id, DependencyRow.depends_on).where(
            col(DependencyRow.version_id).in_(part)
        )
        ordered = query.order_by(col(DependencyRow.version_id), col(DependencyRow.position))
        found += [(caller, called) for caller, called in session.exec(ordered).all() if called in known]
    return tuple(found)


def _functions(session: Session, ids: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in closures.parts(ids):
        query = select(CapabilityRow.version_id, CapabilityRow.function).where(col(CapabilityRow.version_id).in_(part))
        for key, function in session.exec(query.order_by(col(CapabilityRow.function))).all():
            found.setdefault(key, []).append(function)
    return found
