"""What a change of the library does: who calls the tool, what happens to whom, and which names lead on."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import col, func, select

from nucleate_tool_library.life_cycle import Change, ChangeEvent, Dependent
from nucleate_tool_library.reading import asking, lines, names, rows
from nucleate_tool_library.store import Edit
from nucleate_tool_library.tables import ReleaseRow, ToolRow
from nucleate_tool_library.values import State

STAYS = "what it calls stays as it is"


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
        for row in asking.callers_of(edit.run, tool):
            found[row.id] = (row.depth, row.version_id)
    return Before(
        dependents=found,
        event=edit.session.exec(select(func.max(ReleaseRow.id))).one() or 0,
        aliases=names.aliases_of(edit.run, None),
    )


def told(edit: Edit, before: Before, action: str, tool: ToolRow) -> Change:
    """Return what a change did since."""
    session = edit.session
    events = select(ReleaseRow, ToolRow).join(ToolRow, col(ToolRow.id) == col(ReleaseRow.tool_id))
    written = session.exec(events.where(col(ReleaseRow.id) > before.event).order_by(col(ReleaseRow.id))).all()
    aliases = names.aliases_of(edit.run, None)
    return Change(
        action=action,
        tool=lines.tools(edit.run, [tool])[0],
        dependents=tuple(_dependent(edit, before, key) for key in before.dependents),
        effects=tuple(ChangeEvent(tool=row.name, scope=row.scope, event=rows.release(event)) for event, row in written),
        aliases={key[1]: name for key, name in aliases.items() if before.aliases.get(key) != name},
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
