"""Changes of one tool on somebody's word: its state, its version, its pin, the names that lead to it."""

from __future__ import annotations

from nucleate_tool_library import changes, naming
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import LEGAL, Change
from nucleate_tool_library.reading import asking, closures, lines, picking, rows
from nucleate_tool_library.registration import check_unpinned, put
from nucleate_tool_library.relinking import relink
from nucleate_tool_library.source.rewriting import check_name
from nucleate_tool_library.store import Edit
from nucleate_tool_library.tables import ToolRow
from nucleate_tool_library.values import State, Tool, ToolVersion


def admitted(version: ToolVersion) -> bool:
    """Return whether every gate admitted a version; a provisional verdict is none."""
    return version.verdict.get("decision") == "admitted"


def transition(edit: Edit, name: str, scope: str | None, *, to: State) -> Tool:
    """Move a tool to another state and record who or what said so. Archiving needs that nobody calls it."""
    tool = naming.find(edit, name, scope)
    _move(edit, tool, to, action="moved")
    return lines.tools(edit.run, [tool])[0]


def rollback(edit: Edit, name: str, scope: str | None, *, to: str) -> Change:
    """Put an earlier version in force again, under new numbers: a forward step.

    `to` is its number, its release or the beginning of its id. Without an admitted verdict it is a candidate.
    """
    tool = naming.find(edit, name, scope)
    version = _earlier(edit, tool, to)
    before = changes.look(edit, tool)
    state = State.ACTIVE if admitted(version) else State.CANDIDATE
    put(edit, tool, version, state=state, action="rolled back", why=f"back to {to}: {edit.why}")
    return changes.told(edit, before, "rollback", tool)


def alias(edit: Edit, alias: str, scope: str | None, *, to: str) -> Change:
    """Let one more name lead to a tool."""
    check_name(alias)
    tool = naming.find(edit, to, scope)
    before = changes.look(edit, tool)
    if alias == tool.name:
        raise LibraryError(f"the tool is named {alias!r} itself; an alias is another name")
    naming.add_alias(edit, alias, tool)
    edit.record(tool, "alias", was=tool.state, why=f"{alias!r} leads here: {edit.why}")
    return changes.told(edit, before, "alias", tool)


def unalias(edit: Edit, alias: str, scope: str | None) -> Change:
    """Take an alias away, so that the name is free again."""
    tool = naming.find(edit, alias, scope)
    before = changes.look(edit, tool)
    if not naming.drop_alias(edit.session, alias, tool.scope):
        raise LibraryError(f"{alias!r} is no alias but the tool's own name; `nucleate tools rename` changes it")
    edit.record(tool, "alias removed", was=tool.state, why=f"{alias!r} leads here no longer: {edit.why}")
    return changes.told(edit, before, "unalias", tool)


def archive(edit: Edit, name: str, scope: str | None) -> Change:
    """Take a tool that nobody calls out of the library's lists; it can be revived."""
    tool = naming.find(edit, name, scope)
    before = changes.look(edit, tool)
    _move(edit, tool, State.ARCHIVED, action="archived")
    return changes.told(edit, before, "archive", tool)


def revive(edit: Edit, name: str, scope: str | None) -> Change:
    """Bring an archived tool back as a candidate, under its own name and with everything that was known of it."""
    tool = naming.find_own(edit, name, scope)
    if tool.state != State.ARCHIVED.value:
        raise LibraryError(f"tool {name!r} is {tool.state}, not archived; there is nothing to revive")
    before = changes.look(edit, tool)
    closed = closures.reached(edit.run, [tool.version_id])
    closures.check_loadable(edit.run, closed, but=tool.version_id)
    naming.drop_alias(edit.session, tool.name, tool.scope)
    _move(edit, tool, State.CANDIDATE, action="revived")
    return changes.told(edit, before, "revive", tool)


def pinned(edit: Edit, name: str, scope: str | None, *, pinned: bool) -> Change:
    action = "pinned" if pinned else "unpinned"
    tool = naming.find(edit, name, scope)
    before = changes.look(edit, tool)
    if tool.pinned is not pinned:
        tool.pinned = pinned
        edit.record(tool, action, was=tool.state)
    return changes.told(edit, before, action, tool)


def _move(edit: Edit, tool: ToolRow, to: State, *, action: str) -> None:
    was = State(tool.state)
    if to not in LEGAL[was]:
        choice = ", ".join(sorted(LEGAL[was]))
        raise LibraryError(f"tool {tool.name!r} is {was.value} and cannot become {to.value}; it can become {choice}")
    if to is State.ARCHIVED:
        check_unpinned(tool, "archived")
        _check_uncalled(edit, tool)
    tool.state = to.value
    edit.record(tool, action, was=was.value)
    if to is State.ACTIVE:
        relink(edit, tool)


def _check_uncalled(edit: Edit, tool: ToolRow) -> None:
    callers = ", ".join(sorted(repr(row.name) for row in asking.direct_callers(edit.run, tool)))
    if callers:
        raise LibraryError(f"tool {tool.name!r} is called by {callers}; archive or replace those first")


def _earlier(edit: Edit, tool: ToolRow, to: str) -> ToolVersion:
    """Return the version to go back to, if it can be loaded still."""
    check_unpinned(tool, "rolled back")
    if tool.state == State.ARCHIVED.value:
        raise LibraryError(f"tool {tool.name!r} is archived; `nucleate tools revive {tool.name}` first")
    version_id = picking.pick(edit.run, tool, to)
    if version_id == tool.version_id:
        raise LibraryError(f"tool {tool.name!r} has version {to!r} in force already; name an earlier one")
    closures.check_loadable(edit.run, closures.reached(edit.run, [version_id]), but=version_id)
    version = rows.read_versions(edit.run, [version_id])[version_id]
    if version.name != tool.name:
        raise LibraryError(
            f"version {to!r} of {tool.name!r} is named {version.name!r}; rename the tool back before you roll it back"
        )
    return version
