"""Registering a version: all of it in one transaction, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, select

from nucleate_tool_library import rows
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import DEPENDABLE
from nucleate_tool_library.tables import ReleaseRow, ToolRow, ToolVersionRow
from nucleate_tool_library.values import State, ToolVersion


@dataclass(frozen=True, kw_only=True)
class Registration:
    """What is to be registered, in which state, from which plan, on whose word and when."""

    version: ToolVersion
    state: State
    plan_id: str | None
    approved_by: str
    replace: bool
    at: datetime
    why: str = ""


def register(session: Session, order: Registration) -> ToolRow:
    """Return the tool after registration; the same content again changes nothing."""
    version = order.version
    holder = _holder(session, version)
    if holder is not None and holder.name == version.name and holder.version_id == version.id:
        return holder
    if holder is not None and (holder.name != version.name or not order.replace):
        raise LibraryError(_taken(holder, version))
    check_dependencies(session, version)
    if session.get(ToolVersionRow, version.id) is None:
        rows.add_version(session, version, order.at)
    tool = _renewed(holder, order) if holder else _created(order)
    before = None if holder is None else holder.state
    tool.state = order.state.value
    session.add(tool)
    session.flush()
    session.add(event(tool, was=before, by=order.approved_by, why=order.why or _reason(holder), at=order.at))
    return tool


def event(tool: ToolRow, *, was: str | None, by: str, why: str, at: datetime) -> ReleaseRow:
    """Return the event that explains a tool's present state."""
    if tool.id is None:
        raise LibraryError(f"tool {tool.name!r} is not stored yet; register it first")
    return ReleaseRow(
        tool_id=tool.id,
        version_id=tool.version_id,
        number=tool.number,
        release=tool.release,
        from_state=was,
        to_state=tool.state,
        by=by,
        why=why,
        at=at,
    )


def _holder(session: Session, version: ToolVersion) -> ToolRow | None:
    key = rows.export_key(version.name)
    return session.exec(select(ToolRow).where(ToolRow.scope == version.scope, ToolRow.export_key == key)).one_or_none()


def _taken(holder: ToolRow, version: ToolVersion) -> str:
    if holder.name != version.name:
        return (
            f"the name {version.name!r} collides with {holder.name!r} in scope {holder.scope!r}: "
            f"both export as {holder.export_key!r}; choose another name"
        )
    return (
        f"the name {version.name!r} is taken in scope {holder.scope!r} by version {holder.version_id[:12]} "
        f"({holder.state}); choose another name, or replace it"
    )


def check_dependencies(session: Session, version: ToolVersion) -> None:
    """Raise LibraryError if a version calls what is not registered or not in force."""
    known = rows.read_versions(session, list(version.dependencies))
    for dependency in version.dependencies:
        if dependency not in known:
            raise LibraryError(
                f"{version.name!r} depends on {dependency!r}, which is not registered; register it first"
            )
        name, scope = known[dependency].name, known[dependency].scope
        tool = session.exec(select(ToolRow).where(ToolRow.name == name, ToolRow.scope == scope)).one_or_none()
        if tool is None or State(tool.state) not in DEPENDABLE:
            state = tool.state if tool else "gone"
            raise LibraryError(f"{version.name!r} depends on {name!r}, which is {state}; use a tool that is in force")


def _created(order: Registration) -> ToolRow:
    version = order.version
    return ToolRow(
        name=version.name,
        scope=version.scope,
        export_key=rows.export_key(version.name),
        state=order.state.value,
        version_id=version.id,
        plan_id=order.plan_id,
        created_at=order.at,
    )


def _renewed(holder: ToolRow, order: Registration) -> ToolRow:
    holder.number += 1
    holder.version_id = order.version.id
    holder.plan_id = order.plan_id or holder.plan_id
    return holder


def _reason(holder: ToolRow | None) -> str:
    return "registered" if holder is None else f"replaced version {holder.number - 1}"
