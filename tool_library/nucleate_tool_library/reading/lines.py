"""Whole tools, their events, and light lines for long lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nucleate_tool_library.reading import names, rows
from nucleate_tool_library.reading.statements import StatementRunner, moment
from nucleate_tool_library.values import State, Tool

_MANY = 500  # beyond so many tools, one pass over the sums is quicker than to ask for each
_LINES = """SELECT tool.*, tool_version.summary FROM tool JOIN tool_version ON tool_version.id = tool.version_id
    WHERE (:everywhere OR tool.scope = :scope) AND tool.state IN :states ORDER BY tool.scope, tool.name"""
_CHOSEN = """SELECT * FROM tool WHERE (:everywhere OR scope = :scope) AND state IN :states ORDER BY scope, name"""
_ALL_USES = "SELECT tool_id, sum(uses), sum(passes) FROM usage GROUP BY tool_id"
_USES = "SELECT tool_id, sum(uses), sum(passes) FROM usage WHERE tool_id IN :ids GROUP BY tool_id"
_EVENTS = "SELECT * FROM release WHERE tool_id = :tool ORDER BY id"


@dataclass(frozen=True, kw_only=True)
class ToolLine:
    """A tool as a list shows it: read without its body. `summary` is the first line of its docstring."""

    name: str
    scope: str
    state: State
    release: str
    number: int
    pinned: bool
    uses: int
    passes: int
    summary: str
    version_id: str
    created_at: datetime
    aliases: tuple[str, ...] = ()


def tools(run: StatementRunner, found: Sequence[Any]) -> tuple[Tool, ...]:
    """Return whole tools, in the order of their rows."""
    versions = rows.read_versions(run, [row.version_id for row in found])
    counts = uses_of(run, [row.id for row in found])
    return tuple(
        Tool(
            name=row.name,
            scope=row.scope,
            state=State(row.state),
            version=versions[row.version_id],
            number=row.number,
            uses=counts.get(row.id, (0, 0))[0],
            plan_id=row.plan_id,
            release=row.release,
            pinned=bool(row.pinned),
        )
        for row in found
    )


def uses_of(run: StatementRunner, tool_ids: Sequence[int] | None) -> dict[int, tuple[int, int]]:
    """Return (uses, passes) of each tool over all of its versions; of every tool, if none are named."""
    every = tool_ids is None or len(tool_ids) > _MANY
    found = run(_ALL_USES) if every else run(_USES, ids=list(tool_ids or ()))
    return {tool_id: (int(uses), int(passes)) for tool_id, uses, passes in found}


def lines(run: StatementRunner, scope: str | None, states: Collection[State] | None) -> tuple[ToolLine, ...]:
    """Return tools by scope and name, from two narrow reads."""
    found = run(_LINES, **_which(scope, states))
    counts = uses_of(run, None)
    also: dict[tuple[str, str], list[str]] = {}
    for (where, alias), name in names.aliases_of(run, scope).items():
        also.setdefault((where, name), []).append(alias)
    return tuple(_line(row, counts.get(row.id, (0, 0)), also.get((row.scope, row.name), ())) for row in found)


def chosen(run: StatementRunner, scope: str | None, states: Collection[State] | None) -> Sequence[Any]:
    """Return the rows of tools by scope and name."""
    return run(_CHOSEN, **_which(scope, states))


def events(run: StatementRunner, tool: Any) -> Sequence[Any]:
    """Return the rows of a tool's events, the oldest first."""
    return run(_EVENTS, tool=tool.id)


def _which(scope: str | None, states: Collection[State] | None) -> dict[str, object]:
    wanted = tuple(State) if states is None else states
    return {**names.within(scope), "states": [state.value for state in wanted]}


def _line(row: Any, counts: tuple[int, int], aliases: Sequence[str]) -> ToolLine:
    return ToolLine(
        name=row.name,
        scope=row.scope,
        state=State(row.state),
        release=row.release,
        number=row.number,
        pinned=bool(row.pinned),
        uses=counts[0],
        passes=counts[1],
        summary=row.summary,
        version_id=row.version_id,
        created_at=moment(row.created_at),
        aliases=tuple(aliases),
    )
