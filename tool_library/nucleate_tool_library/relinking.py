"""Tools follow what they call: a new version of a tool, unless it breaks them, becomes a patch of those that call it.

A version names the exact versions that it calls, so without this a correction would reach nobody. Who follows keeps
its source, state and verdict, and says from which version it derives; pinned tools keep what they have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import col, select

from nucleate_tool_library.life_cycle import LOADABLE
from nucleate_tool_library.reading import closures, reach, rows
from nucleate_tool_library.reading.statements import parts
from nucleate_tool_library.source.rewriting import calls_renamed
from nucleate_tool_library.source.signature import read_signature
from nucleate_tool_library.stepping import advance
from nucleate_tool_library.store import Edit
from nucleate_tool_library.tables import DependencyRow, ToolRow
from nucleate_tool_library.values import State, ToolVersion
from nucleate_tool_library.version_numbers import VersionStep

MAJOR = "it calls a version with another signature or reach; register it again to follow"
PINNED = "it is pinned"
MIXED = "it would need two versions of one tool"
UNREADABLE = "the name in its source cannot be replaced without a person"


def relink(edit: Edit, tool: ToolRow, outdated: Sequence[str] = ()) -> None:
    """Let the tools that call earlier versions of a tool, or those in `outdated`, call the one in force."""
    earlier = [*outdated, *(key for key in reach.versions_of(edit.run, tool) if key != tool.version_id)]
    followers = _followers(edit, earlier, tool)
    following = _replacements(edit, earlier, tool, followers)
    for follower in followers:
        _follow(edit, follower, following, why=f"calls {tool.name} {tool.release}")


def _followers(edit: Edit, earlier: Sequence[str], tool: ToolRow) -> list[ToolRow]:
    """Return the tools whose version in force leads to an earlier one, the nearest first."""
    depths = closures.callers(edit.run, earlier)
    found: list[ToolRow] = []
    for part in parts(list(depths)):
        query = select(ToolRow).where(
            col(ToolRow.version_id).in_(part), col(ToolRow.state).in_([state.value for state in LOADABLE])
        )
        found += [row for row in edit.session.exec(query).all() if row.id != tool.id and row.version_id not in earlier]
    return sorted(found, key=lambda row: (depths[row.version_id], row.name, row.scope))


def _replacements(
    edit: Edit, earlier: Sequence[str], tool: ToolRow, followers: Sequence[ToolRow]
) -> dict[str, str | None]:
    """Return for each earlier version that is called what to call in its place; None where the step is a major one."""
    called: set[str] = set()
    for part in parts([row.version_id for row in followers]):
        query = select(DependencyRow.depends_on).where(col(DependencyRow.version_id).in_(part))
        called |= set(edit.session.exec(query).all()) & set(earlier)
    return {
        key: None if reach.step_between(edit.run, key, tool.version_id) is VersionStep.MAJOR else tool.version_id
        for key in sorted(called)
    }


def _follow(edit: Edit, tool: ToolRow, following: dict[str, str | None], *, why: str) -> None:
    version = rows.read_versions(edit.run, [tool.version_id])[tool.version_id]
    touched = {key: following[key] for key in version.dependencies if key in following}
    if not touched:
        return
    made = _relinked(edit, tool, version, touched)
    if isinstance(made, str):
        edit.kept[tool.id or 0] = made
        return
    # What it calls now takes the same arguments and reaches the same: there is nothing for callers to know.
    advance(edit, tool, made, state=State(tool.state), action="relinked", why=why, step=VersionStep.PATCH)
    following[version.id] = made.id


def _relinked(edit: Edit, tool: ToolRow, version: ToolVersion, touched: dict[str, str | None]) -> ToolVersion | str:
    """Return the version that follows, or why there is none."""
    replaced = {key: value for key, value in touched.items() if value is not None}
    if tool.pinned:
        return PINNED
    if len(replaced) < len(touched):
        return MAJOR
    dependencies = tuple(dict.fromkeys(replaced.get(key, key) for key in version.dependencies))
    reached = {member.id: member.name for member in closures.reached(edit.run, dependencies)}
    if version.name in reached.values() or closures.mixed(reached):
        return MIXED
    names = closures.names_of(edit.run, [*replaced, *replaced.values()])
    renamed = {names[key]: names[value] for key, value in replaced.items() if names[key] != names[value]}
    source = calls_renamed(version.source, renamed) if renamed else version.source
    if source is None:
        return UNREADABLE
    return derived(replace(version, source=source, dependencies=dependencies), version, "relinked")


def derived(made: ToolVersion, origin: ToolVersion, by: str) -> ToolVersion:
    """Return a version with its signature read anew and a word on its origin, whose verdict it keeps."""
    evidence = origin.evidence | {"derived": {"from": origin.id, "by": by}}
    return replace(made, evidence=evidence, signature=read_signature(made.source, made.name))
