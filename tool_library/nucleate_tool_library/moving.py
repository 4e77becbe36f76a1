"""Changes of names: a tool under another name, two tools as one, one as several. Old names lead on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import select

from nucleate_tool_library import changes, naming
from nucleate_tool_library.changing import admitted
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import LOADABLE, Change
from nucleate_tool_library.reading import asking, reach, rows
from nucleate_tool_library.registration import Registration, check_unpinned, register
from nucleate_tool_library.relinking import derived, relink
from nucleate_tool_library.source.rewriting import check_name, function_renamed
from nucleate_tool_library.stepping import advance
from nucleate_tool_library.store import Edit
from nucleate_tool_library.storing import export_key
from nucleate_tool_library.tables import AliasRow, ToolRow
from nucleate_tool_library.values import State, ToolVersion


def rename(edit: Edit, name: str, scope: str | None, *, to: str) -> Change:
    """Give a tool another name, in its source and in those of the tools that call it; the old name leads on."""
    check_name(to)
    tool = _changeable(edit, name, scope, "renamed")
    before, old = changes.look(edit, tool), tool.name
    if to == old:
        raise LibraryError(f"the tool is named {to!r} already; give it another name")
    naming.check_free(edit.session, to, tool.scope, holder=tool.id)
    naming.drop_alias(edit.session, to, tool.scope)
    version = rows.read_versions(edit.run, [tool.version_id])[tool.version_id]
    renamed = replace(version, name=to, source=function_renamed(version.source, old, to))
    tool.name, tool.export_key = to, export_key(to)
    made = derived(renamed, version, "renamed")
    advance(edit, tool, made, state=State(tool.state), action="renamed", why=f"was {old!r}: {edit.why}")
    naming.add_alias(edit, old, tool)
    relink(edit, tool)
    return changes.told(edit, before, "rename", tool)


def merge(edit: Edit, name: str, scope: str | None, *, into: str) -> Change:
    """Let one tool stand for two: the name of the other leads to it, and who called the other calls it.

    Who cannot, since the signatures differ or it is pinned, keeps the other tool, which is deprecated then;
    else it is archived.
    """
    tool = _changeable(edit, name, scope, "merged")
    kept = naming.find(edit, into, tool.scope)
    _check_mergeable(tool, kept)
    before = changes.look(edit, tool)
    relink(edit, kept, reach.versions_of(edit.run, tool))
    _retire(edit, tool, "merged", f"into {kept.name!r}: {edit.why}")
    _lead(edit, tool, kept)
    edit.record(kept, "merged", was=kept.state, why=f"stands for {tool.name!r} too: {edit.why}")
    return changes.told(edit, before, "merge", kept)


def split(
    edit: Edit, name: str, scope: str | None, *, into: Sequence[ToolVersion], lead_to: str | None = None
) -> Change:
    """Put several tools in the place of one; each is registered, as active if its verdict is `admitted`.

    The old name leads to the part `lead_to`, or stays with the old tool. That is deprecated: it serves who calls
    it, and no one new; where nobody calls it and its name leads on, it is archived.
    """
    tool = _changeable(edit, name, scope, "split")
    _check_parts(tool, into, lead_to)
    before = changes.look(edit, tool)
    parts = {part.name: register(edit.session, _part(edit, tool, part)) for part in into}
    listed = ", ".join(repr(part) for part in parts)
    _retire(edit, tool, "split", f"into {listed}: {edit.why}", keep=lead_to is None)
    if lead_to is not None:
        _lead(edit, tool, parts[lead_to])
    return changes.told(edit, before, "split", tool)


def _changeable(edit: Edit, name: str, scope: str | None, what: str) -> ToolRow:
    tool = naming.find(edit, name, scope)
    check_unpinned(tool, what)
    if tool.state == State.ARCHIVED.value:
        raise LibraryError(f"tool {tool.name!r} is archived; `nucleate tools revive {tool.name}` first")
    return tool


def _check_mergeable(tool: ToolRow, kept: ToolRow) -> None:
    if tool.id == kept.id:
        raise LibraryError(f"{kept.name!r} cannot be merged into itself; name two tools")
    if State(kept.state) not in LOADABLE:
        raise LibraryError(f"tool {kept.name!r} is {kept.state} and cannot stand for another; merge into one in force")


def _check_parts(tool: ToolRow, parts: Sequence[ToolVersion], lead_to: str | None) -> None:
    found = [part.name for part in parts]
    if len(set(found)) < 2 or len(set(found)) < len(found) or tool.name in found:
        raise LibraryError(f"{tool.name!r} is split into two or more tools of other names, not into {found!r}")
    if lead_to is not None and lead_to not in found:
        raise LibraryError(f"the old name can lead to one of {found!r}, not to {lead_to!r}")
    elsewhere = [part.name for part in parts if part.scope != tool.scope]
    if elsewhere:
        raise LibraryError(f"{elsewhere!r} are in another scope than {tool.name!r}, which is in {tool.scope!r}")


def _part(edit: Edit, tool: ToolRow, part: ToolVersion) -> Registration:
    return Registration(
        version=part,
        state=State.ACTIVE if admitted(part) else State.CANDIDATE,
        plan_id=tool.plan_id,
        approved_by=edit.by,
        replace=False,
        at=edit.at,
        why=f"a part of {tool.name!r}: {edit.why}",
    )


def _retire(edit: Edit, tool: ToolRow, action: str, why: str, *, keep: bool = False) -> None:
    """Deprecate a tool that somebody still calls, or whose name nothing else takes; archive any other."""
    was = tool.state
    called = keep or bool(asking.callers_of(edit.run, tool))
    tool.state = (State.DEPRECATED if called else State.ARCHIVED).value
    edit.record(tool, action, was=was, why=why)


def _lead(edit: Edit, tool: ToolRow, to: ToolRow) -> None:
    """Let a tool's name, and all that led to it, lead to another."""
    for alias in edit.session.exec(select(AliasRow).where(AliasRow.tool_id == tool.id)).all():
        alias.tool_id = to.id or 0
    naming.add_alias(edit, tool.name, to, holder=tool.id)
