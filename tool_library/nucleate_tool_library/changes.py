"""What a change of the library does: who calls the tool, what happens to whom, and which names lead on."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from nucleate_tool_library import names, reading, rows
from nucleate_tool_library.life_cycle import LOADABLE, Release
from nucleate_tool_library.store import Edit
from nucleate_tool_library.tables import ClosureRow, ReleaseRow, ToolRow, UsageRow
from nucleate_tool_library.values import State, Tool

STAYS = "what it calls stays as it is"


@dataclass(frozen=True, kw_only=True)
class Dependent:
    """A tool that calls another one, directly (`depth` 1) or through others.

    After a change: whether it `follows` to the new version, or why it keeps the one that it calls.
    """

    name: str
    scope: str
    state: State
    release: str
    depth: int
    pinned: bool = False
    follows: bool = False
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class ChangeEvent:
    """One event that a change wrote, or would write."""

    tool: str
    scope: str
    event: Release


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change as it was made, or would be: the tool as it then is, who calls it, every event, every new alias."""

    action: str
    tool: Tool
    dependents: tuple[Dependent, ...] = ()
    effects: tuple[ChangeEvent, ...] = ()
    aliases: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Before:
    """What has to be known before a change, so that it can be told afterwards."""

    dependents: dict[int, tuple[int, str]]
    event: int
    aliases: dict[tuple[str, str], str]


def look(edit: Edit, *tools: ToolRow) -> Before:
    """Return how things stand before a change of these tools."""
    found: dict[int, tuple[int, str]] = {}
    for tool in tools:
        for row, depth in callers_of(edit.session, tool):
            found[row.id or 0] = (depth, row.version_id)
    return Before(
        dependents=found,
        event=edit.session.exec(select(func.max(ReleaseRow.id))).one() or 0,
        aliases=names.aliases_of(edit.session, None),
    )


def told(edit: Edit, before: Before, action: str, tool: ToolRow) -> Change:
    """Return what a change did since."""
    session = edit.session
    events = select(ReleaseRow, ToolRow).join(ToolRow, col(ToolRow.id) == col(ReleaseRow.tool_id))
    written = session.exec(events.where(col(ReleaseRow.id) > before.event).order_by(col(ReleaseRow.id))).all()
    aliases = names.aliases_of(session, None)
    return Change(
        action=action,
        tool=reading.tools(session, [tool])[0],
        dependents=tuple(_dependent(edit, before, key) for key in before.dependents),
        effects=tuple(ChangeEvent(tool=row.name, scope=row.scope, event=rows.release(event)) for event, row in written),
        aliases={key[1]: name for key, name in aliases.items() if before.aliases.get(key) != name},
    )


def callers_of(session: Session, tool: ToolRow) -> list[tuple[ToolRow, int]]:
    """Return the loadable tools whose version in force leads to some version of this one, the nearest first."""
    query = (
        select(ToolRow, func.max(ClosureRow.depth))
        .join(ClosureRow, col(ClosureRow.version_id) == col(ToolRow.version_id))
        .join(UsageRow, col(UsageRow.version_id) == col(ClosureRow.member_id))
        .where(UsageRow.tool_id == tool.id, ToolRow.id != tool.id)
        .where(col(ToolRow.state).in_([state.value for state in LOADABLE]))
        .group_by(col(ToolRow.id))
    )
    return sorted(session.exec(query).all(), key=lambda pair: (pair[1], pair[0].name, pair[0].scope))


def dependent(row: ToolRow, depth: int) -> Dependent:
    """Return a caller as a value."""
    return Dependent(
        name=row.name, scope=row.scope, state=State(row.state), release=row.release, depth=depth, pinned=row.pinned
    )


def _dependent(edit: Edit, before: Before, key: int) -> Dependent:
    row = edit.session.get_one(ToolRow, key)
    depth, version_id = before.dependents[key]
    follows = row.version_id != version_id
    return Dependent(
        name=row.name,
        scope=row.scope,
        state=State(row.state),
        release=row.release,
        depth=depth,
        pinned=row.pinned,
        follows=follows,
        why="" if follows else edit.kept.get(key, STAYS),
    )
