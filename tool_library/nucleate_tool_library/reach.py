"""What a version's calls can lead to, and how far two versions of a tool are apart by it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session, col, select

from nucleate_tool_library import closures, rows
from nucleate_tool_library.tables import CapabilityRow, ClosureRow, ToolRow, UsageRow
from nucleate_tool_library.version_numbers import VersionStep, step


def tools_of(session: Session, version_ids: Sequence[str]) -> dict[str, ToolRow]:
    """Return the tool that each version belongs to, under whatever name."""
    found: dict[str, ToolRow] = {}
    for part in closures.parts(version_ids):
        query = select(UsageRow.version_id, ToolRow).join(ToolRow, col(ToolRow.id) == col(UsageRow.tool_id))
        found |= dict(session.exec(query.where(col(UsageRow.version_id).in_(part))).all())
    return found


def versions_of(session: Session, tool: ToolRow) -> list[str]:
    """Return the ids of all versions that belong to a tool."""
    return list(session.exec(select(UsageRow.version_id).where(UsageRow.tool_id == tool.id)).all())


def step_between(session: Session, before: str, after: str) -> VersionStep:
    """Return how far the second version is from the first; both are stored."""
    found = rows.read_versions(session, [before, after])
    same = _reached(session, before) == _reached(session, after)
    return step(found[before].signature, found[after].signature, same_reach=same)


def _reached(session: Session, version_id: str) -> tuple[frozenset[int], frozenset[str]]:
    """Return the other tools of a closure, and the environment functions of all."""
    tools = select(UsageRow.tool_id).join(ClosureRow, col(ClosureRow.member_id) == col(UsageRow.version_id))
    functions = select(CapabilityRow.function).join(
        ClosureRow, col(ClosureRow.member_id) == col(CapabilityRow.version_id)
    )
    return (
        frozenset(session.exec(tools.where(ClosureRow.version_id == version_id, ClosureRow.depth > 0)).all()),
        frozenset(session.exec(functions.where(ClosureRow.version_id == version_id)).all()),
    )
