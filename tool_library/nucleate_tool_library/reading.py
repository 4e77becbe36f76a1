"""Reading the library: whole tools, their versions and events, and light lines for long lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from nucleate_tool_library import names, rows
from nucleate_tool_library.tables import ReleaseRow, ToolRow, ToolVersionRow, UsageRow
from nucleate_tool_library.values import State, Tool

_MANY = 500  # beyond so many tools, one pass over the sums is quicker than to ask for each


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


def tools(session: Session, found: Sequence[ToolRow]) -> tuple[Tool, ...]:
    """Return whole tools, in the order of their rows."""
    versions = rows.read_versions(session, [row.version_id for row in found])
    counts = uses_of(session, [row.id or 0 for row in found])
    return tuple(
        Tool(
            name=row.name,
            scope=row.scope,
            state=State(row.state),
            version=versions[row.version_id],
            number=row.number,
            uses=counts.get(row.id or 0, (0, 0))[0],
            plan_id=row.plan_id,
            release=row.release,
            pinned=row.pinned,
        )
        for row in found
    )


def uses_of(session: Session, tool_ids: Sequence[int] | None) -> dict[int, tuple[int, int]]:
    """Return (uses, passes) of each tool over all of its versions; of every tool, if none are named."""
    query = select(UsageRow.tool_id, func.sum(UsageRow.uses), func.sum(UsageRow.passes)).group_by(col(UsageRow.tool_id))
    if tool_ids is None or len(tool_ids) > _MANY:
        found = session.exec(query).all()
    else:
        found = session.exec(query.where(col(UsageRow.tool_id).in_(tool_ids))).all()
    return {tool_id: (int(uses), int(passes)) for tool_id, uses, passes in found}


def lines(session: Session, scope: str | None, states: Collection[State] | None) -> tuple[ToolLine, ...]:
    """Return tools by scope and name, from two narrow reads."""
    query = select(ToolRow, ToolVersionRow.summary).join(
        ToolVersionRow, col(ToolVersionRow.id) == col(ToolRow.version_id)
    )
    if scope is not None:
        query = query.where(ToolRow.scope == scope)
    if states is not None:
        query = query.where(col(ToolRow.state).in_([state.value for state in states]))
    found = session.exec(query.order_by(col(ToolRow.scope), col(ToolRow.name))).all()
    counts = uses_of(session, None)
    also: dict[tuple[str, str], list[str]] = {}
    for (where, alias), name in names.aliases_of(session, scope).items():
        also.setdefault((where, name), []).append(alias)
    return tuple(
        _line(row, summary, counts.get(row.id or 0, (0, 0)), also.get((row.scope, row.name), ()))
        for row, summary in found
    )


def chosen(session: Session, scope: str | None, states: Collection[State] | None) -> list[ToolRow]:
    """Return the rows of tools by scope and name."""
    query = select(ToolRow).order_by(col(ToolRow.scope), col(ToolRow.name))
    if scope is not None:
        query = query.where(ToolRow.scope == scope)
    if states is not None:
        query = query.where(col(ToolRow.state).in_([state.value for state in states]))
    return list(session.exec(query).all())


def events(session: Session, tool: ToolRow) -> list[ReleaseRow]:
    """Return a tool's events, the oldest first."""
    return list(
        session.exec(select(ReleaseRow).where(ReleaseRow.tool_id == tool.id).order_by(col(ReleaseRow.id))).all()
    )


def _line(row: ToolRow, summary: str, counts: tuple[int, int], aliases: Sequence[str]) -> ToolLine:
    return ToolLine(
        name=row.name,
        scope=row.scope,
        state=State(row.state),
        release=row.release,
        number=row.number,
        pinned=row.pinned,
        uses=counts[0],
        passes=counts[1],
        summary=summary,
        version_id=row.version_id,
        created_at=rows.utc(row.created_at),
        aliases=tuple(aliases),
    )
