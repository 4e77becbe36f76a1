"""What the library answers beyond plain reads: closures, who calls a tool, and what nobody needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from nucleate_tool_library import closures, names, reach, reading, rows
from nucleate_tool_library.life_cycle import LOADABLE
from nucleate_tool_library.reading import ToolLine
from nucleate_tool_library.tables import DependencyRow, ToolRow, ToolVersionRow
from nucleate_tool_library.values import State, ToolVersion


def closed(session: Session, wanted: Iterable[str], scope: str | None) -> tuple[ToolVersion, ...]:
    """Return the named tools (or version ids) with everything that they call, of each name one version."""
    ids = [_version_id(session, item, scope) for item in wanted]
    found = closures.reached(session, ids)
    closures.check_loadable(session, found)
    return in_order(session, _standing(found, ids))


def in_order(session: Session, ids: Iterable[str]) -> tuple[ToolVersion, ...]:
    """Return versions in the order of their ids."""
    order = list(ids)
    found = rows.read_versions(session, order)
    return tuple(found[key] for key in order)


def unused(session: Session, scope: str | None, *, born_before: datetime) -> tuple[ToolLine, ...]:
    """Return the loadable tools of some age that nobody called, calls or pinned."""
    called = _called(session)
    return tuple(
        line
        for line in reading.lines(session, scope, LOADABLE)
        if not line.uses and not line.pinned and line.created_at <= born_before and line.version_id not in called
    )


def direct_callers(session: Session, tool: ToolRow) -> list[ToolRow]:
    """Return the loadable tools whose version in force calls some version of this one itself."""
    callers: set[str] = set()
    for part in closures.parts(reach.versions_of(session, tool)):
        query = select(DependencyRow.version_id).where(col(DependencyRow.depends_on).in_(part))
        callers |= set(session.exec(query).all())
    found: list[ToolRow] = []
    for part in closures.parts(sorted(callers)):
        found += session.exec(select(ToolRow).where(col(ToolRow.version_id).in_(part))).all()
    return [row for row in found if State(row.state) in LOADABLE and row.id != tool.id]


def _version_id(session: Session, item: str, scope: str | None) -> str:
    known = session.exec(select(ToolVersionRow.id).where(ToolVersionRow.id == item)).one_or_none()
    return known or names.find(session, item, scope).version_id


def _standing(closed: Sequence[closures.Member], asked: Sequence[str]) -> list[str]:
    """Return the ids of a closed set, of each name the one that stands for it."""
    best: dict[str, closures.Member] = {}
    for member in closed:
        known = best.setdefault(member.name, member)
        if _rank(member, asked) > _rank(known, asked):
            best[member.name] = member
    return [member.id for member in closed if best[member.name] is member]


def _rank(member: closures.Member, asked: Sequence[str]) -> tuple[bool, bool]:
    return member.id in asked, member.in_force


def _called(session: Session) -> set[str]:
    """Return the versions that some tool in force calls."""
    query = select(DependencyRow.depends_on).join(ToolRow, col(ToolRow.version_id) == col(DependencyRow.version_id))
    return set(session.exec(query.where(ToolRow.state != State.ARCHIVED.value)).all())
