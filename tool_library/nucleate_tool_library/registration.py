"""Registering a version: all of it in one transaction, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, select

from nucleate_tool_library import naming, storing
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import DEPENDABLE
from nucleate_tool_library.reading import closures, reach
from nucleate_tool_library.relinking import relink
from nucleate_tool_library.stepping import advance
from nucleate_tool_library.store import Edit, id_of, run_on
from nucleate_tool_library.tables import ToolRow
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
    edit = Edit(session=session, by=order.approved_by, why=order.why, at=order.at)
    holder = _holder(session, version)
    if holder is not None and holder.version_id == version.id:
        return holder
    if holder is None or not order.replace:
        naming.check_free(session, version.name, version.scope)
    check_dependencies(session, version)
    closures.check_unmixed(edit.run, version.name, version.dependencies)
    return _create(edit, order) if holder is None else _replace(edit, holder, order)


def put(edit: Edit, tool: ToolRow, version: ToolVersion, *, state: State, action: str, why: str = "") -> None:
    """Let a version be in force; tools that call an earlier one follow, where the step is no major one."""
    advance(edit, tool, version, state=state, action=action, why=why)
    if state is State.ACTIVE:
        relink(edit, tool)


def check_dependencies(session: Session, version: ToolVersion) -> None:
    """Raise LibraryError if a version calls what is not registered or not in force."""
    tools = reach.tools_of(run_on(session), version.dependencies)
    for dependency in version.dependencies:
        if dependency not in tools:
            raise LibraryError(
                f"{version.name!r} depends on {dependency!r}, which is not registered; register it first"
            )
        tool = tools[dependency]
        if State(tool.state) not in DEPENDABLE:
            raise LibraryError(
                f"{version.name!r} depends on {tool.name!r}, which is {tool.state}; use a tool that is in force"
            )


def check_unpinned(tool: ToolRow, what: str) -> None:
    """Raise LibraryError if a tool is pinned: then nothing but unpinning lets it change."""
    if tool.pinned:
        raise LibraryError(
            f"tool {tool.name!r} is pinned at {tool.release} and cannot be {what}; "
            f"`nucleate tools pin {tool.name} --remove` first"
        )


def _holder(session: Session, version: ToolVersion) -> ToolRow | None:
    query = select(ToolRow).where(ToolRow.scope == version.scope, ToolRow.name == version.name)
    return session.exec(query).one_or_none()


def _create(edit: Edit, order: Registration) -> ToolRow:
    version = order.version
    storing.add_version(edit.session, version, edit.at)
    tool = ToolRow(
        name=version.name,
        scope=version.scope,
        export_key=storing.export_key(version.name),
        state=order.state.value,
        version_id=version.id,
        plan_id=order.plan_id,
        created_at=edit.at,
    )
    edit.session.add(tool)
    edit.session.flush()
    storing.own(edit.session, version.id, id_of(tool))
    edit.record(tool, "registered", was=None, why=edit.why or "registered")
    return tool


def _replace(edit: Edit, tool: ToolRow, order: Registration) -> ToolRow:
    check_unpinned(tool, "replaced")
    naming.check_free(edit.session, tool.name, tool.scope, holder=tool.id)
    tool.plan_id = order.plan_id or tool.plan_id
    why = edit.why or f"replaced version {tool.number}"
    put(edit, tool, order.version, state=order.state, action="replaced", why=why)
    return tool
