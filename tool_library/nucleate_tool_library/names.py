"""Names: unique in their scope, also as exports map them, and those that a tool once had still lead to it."""

from __future__ import annotations

import difflib

from sqlmodel import Session, col, select

from nucleate_tool_library import rows
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.store import Edit, id_of
from nucleate_tool_library.tables import AliasRow, ToolRow


def find(session: Session, name: str, scope: str | None) -> ToolRow:
    """Return the tool that a name leads to; without a scope the name must be unique over all scopes.

    An alias is asked first: the archived tool whose name it took is found again when it is revived.
    """
    found = {row.scope: row for row in _named(session, name, scope)} | _by_alias(session, name, scope)
    return _only(session, list(found.values()), name, scope)


def find_own(session: Session, name: str, scope: str | None) -> ToolRow:
    """Return the tool that bears this name itself, whatever alias there is."""
    return _only(session, _named(session, name, scope), name, scope)


def check_free(session: Session, name: str, scope: str, *, holder: int | None = None) -> None:
    """Raise LibraryError if a name is taken in its scope, as it is or as exports map it, by another than `holder`."""
    key = rows.export_key(name)
    tool = session.exec(select(ToolRow).where(ToolRow.scope == scope, ToolRow.export_key == key)).one_or_none()
    if tool is not None and tool.id != holder:
        raise LibraryError(_taken(name, tool.name, tool))
    alias = session.exec(select(AliasRow).where(AliasRow.scope == scope, AliasRow.export_key == key)).one_or_none()
    if alias is not None and (holder is None or alias.tool_id != holder):
        raise LibraryError(_leads_elsewhere(session, name, alias))


def add_alias(edit: Edit, name: str, tool: ToolRow, *, holder: int | None = None) -> None:
    """Let a name lead to a tool; `holder` is the tool that gives its own name away."""
    session = edit.session
    check_free(session, name, tool.scope, holder=id_of(tool) if holder is None else holder)
    drop_alias(session, name, tool.scope)
    session.add(
        AliasRow(
            scope=tool.scope,
            name=name,
            export_key=rows.export_key(name),
            tool_id=id_of(tool),
            by=edit.by,
            why=edit.why,
            at=edit.at,
        )
    )
    session.flush()


def drop_alias(session: Session, name: str, scope: str) -> bool:
    """Take an alias away, and return whether there was one."""
    key = rows.export_key(name)
    found = session.exec(select(AliasRow).where(AliasRow.scope == scope, AliasRow.export_key == key)).one_or_none()
    if found is not None:
        session.delete(found)
        session.flush()
    return found is not None


def aliases_of(session: Session, scope: str | None) -> dict[tuple[str, str], str]:
    """Return (scope, alias) → the tool's name, in order."""
    query = select(AliasRow.scope, AliasRow.name, ToolRow.name).join(ToolRow, col(ToolRow.id) == col(AliasRow.tool_id))
    query = query.order_by(col(AliasRow.scope), col(AliasRow.name))
    found = session.exec(query if scope is None else query.where(AliasRow.scope == scope)).all()
    return {(where, alias): name for where, alias, name in found}


def _named(session: Session, name: str, scope: str | None) -> list[ToolRow]:
    query = select(ToolRow).where(ToolRow.name == name).order_by(col(ToolRow.scope))
    return list(session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all())


def _by_alias(session: Session, name: str, scope: str | None) -> dict[str, ToolRow]:
    query = select(ToolRow).join(AliasRow, col(AliasRow.tool_id) == col(ToolRow.id)).where(AliasRow.name == name)
    found = session.exec(query if scope is None else query.where(AliasRow.scope == scope)).all()
    return {row.scope: row for row in found}


def _only(session: Session, found: list[ToolRow], name: str, scope: str | None) -> ToolRow:
    if not found:
        raise LibraryError(_unknown(session, name, scope))
    if len(found) > 1:
        scopes = ", ".join(repr(row.scope) for row in found)
        raise LibraryError(f"the name {name!r} is used in several scopes; say which of {scopes}")
    return found[0]


def _unknown(session: Session, name: str, scope: str | None) -> str:
    query = select(ToolRow.name)
    tools = session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all()
    known = {*tools, *(alias for _scope, alias in aliases_of(session, scope))}
    near = difflib.get_close_matches(name, sorted(known), n=3)
    where = f" in scope {scope!r}" if scope is not None else ""
    hint = f" (near: {', '.join(near)})" if near else ""
    return f"no tool named {name!r}{where}{hint}; `nucleate tools list` shows all"


def _taken(name: str, other: str, tool: ToolRow) -> str:
    if other == name:
        return (
            f"the name {name!r} is taken in scope {tool.scope!r} by version {tool.version_id[:12]} "
            f"({tool.state}); choose another name, or replace it"
        )
    return (
        f"the name {name!r} collides with {other!r} in scope {tool.scope!r}: "
        f"both export as {rows.export_key(name)!r}; choose another name"
    )


def _leads_elsewhere(session: Session, name: str, alias: AliasRow) -> str:
    tool = session.get_one(ToolRow, alias.tool_id)
    return (
        f"the name {name!r} leads to {tool.name!r} in scope {alias.scope!r} (alias {alias.name!r}); choose another "
        f"name, or `nucleate tools alias {alias.name} --remove`"
    )
