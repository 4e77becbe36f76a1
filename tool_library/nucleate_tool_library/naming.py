"""Names that change hands: unique in their scope, also as exports map them."""

from __future__ import annotations

from sqlmodel import Session, select

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.reading import names
from nucleate_tool_library.store import Edit, id_of
from nucleate_tool_library.storing import export_key
from nucleate_tool_library.tables import AliasRow, ToolRow


def find(edit: Edit, name: str, scope: str | None) -> ToolRow:
    """Return the tool that a name leads to, to be changed."""
    return edit.session.get_one(ToolRow, names.find(edit.run, name, scope).id)


def find_own(edit: Edit, name: str, scope: str | None) -> ToolRow:
    """Return the tool that bears this name itself, to be changed."""
    return edit.session.get_one(ToolRow, names.find_own(edit.run, name, scope).id)


def check_free(session: Session, name: str, scope: str, *, holder: int | None = None) -> None:
    """Raise LibraryError if a name is taken in its scope, as it is or as exports map it, by another than `holder`."""
    key = export_key(name)
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
            export_key=export_key(name),
            tool_id=id_of(tool),
            by=edit.by,
            why=edit.why,
            at=edit.at,
        )
    )
    session.flush()


def drop_alias(session: Session, name: str, scope: str) -> bool:
    """Take an alias away, and return whether there was one."""
    key = export_key(name)
    found = session.exec(select(AliasRow).where(AliasRow.scope == scope, AliasRow.export_key == key)).one_or_none()
    if found is not None:
        session.delete(found)
        session.flush()
    return found is not None


def _taken(name: str, other: str, tool: ToolRow) -> str:
    if other == name:
        return (
            f"the name {name!r} is taken in scope {tool.scope!r} by version {tool.version_id[:12]} "
            f"({tool.state}); choose another name, or replace it"
        )
    return (
        f"the name {name!r} collides with {other!r} in scope {tool.scope!r}: "
        f"both export as {export_key(name)!r}; choose another name"
    )


def _leads_elsewhere(session: Session, name: str, alias: AliasRow) -> str:
    tool = session.get_one(ToolRow, alias.tool_id)
    return (
        f"the name {name!r} leads to {tool.name!r} in scope {alias.scope!r} (alias {alias.name!r}); choose another "
        f"name, or `nucleate tools alias {alias.name} --remove`"
    )
