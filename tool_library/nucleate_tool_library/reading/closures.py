"""Dependency closure (Metis §3.5, ALGORITHMS §3), stored when a version is: U_{r+1} = U_r ∪ Dep(U_r).

A version calls versions that were stored before it and never change, so its closure is theirs and itself, for good.
`depth` is the longest way down to a member: whatever a member calls lies deeper, so that the deepest is loaded first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import LOADABLE
from nucleate_tool_library.reading.statements import StatementRunner, parts

_LOADABLE = [state.value for state in LOADABLE]
_REACHED = """SELECT closure.member_id, max(closure.depth) AS depth, tool_version.name, tool.name AS tool, tool.state,
        tool.version_id
    FROM closure JOIN tool_version ON tool_version.id = closure.member_id
    JOIN usage ON usage.version_id = closure.member_id JOIN tool ON tool.id = usage.tool_id
    WHERE closure.version_id IN :ids
    GROUP BY closure.member_id, tool_version.name, tool.name, tool.state, tool.version_id"""
_LEADING = """SELECT version_id, max(depth) AS depth FROM closure WHERE member_id IN :ids GROUP BY version_id"""
_NAMES = "SELECT id, name FROM tool_version WHERE id IN :ids"
_CALLING = """SELECT tool_version.id, tool_version.name FROM tool_version
    JOIN dependency ON dependency.version_id = tool_version.id WHERE dependency.depends_on = :id"""


@dataclass(frozen=True, kw_only=True)
class Member:
    """A version in a closed set, and the tool that it belongs to, of which it may be an older version."""

    id: str
    depth: int
    name: str
    tool: str
    state: str
    in_force: bool


def reached(run: StatementRunner, ids: Sequence[str]) -> list[Member]:
    """Return the closed set, dependencies first; equal depths stand in order of name."""
    found: dict[str, Member] = {}
    for part in parts(ids):
        for member in _reached(run, part):
            known = found.get(member.id)
            if known is None or known.depth < member.depth:
                found[member.id] = member
    return sorted(found.values(), key=lambda member: (-member.depth, member.name, member.id))


def members(run: StatementRunner, ids: Sequence[str]) -> list[str]:
    """Return the ids of the closed set, dependencies first."""
    return [member.id for member in reached(run, ids)]


def callers(run: StatementRunner, ids: Sequence[str]) -> dict[str, int]:
    """Return the reverse closure: every version that leads to one of these, with the longest way to it."""
    found: dict[str, int] = {}
    for part in parts(ids):
        for row in run(_LEADING, ids=part):
            found[row.version_id] = max(row.depth, found.get(row.version_id, 0))
    return found


def names_of(run: StatementRunner, ids: Sequence[str]) -> dict[str, str]:
    """Return the name of each version."""
    return {row.id: row.name for part in parts(ids) for row in run(_NAMES, ids=part)}


def mixed(names: dict[str, str]) -> dict[str, list[str]]:
    """Return the names of which there are several versions, with these."""
    found: dict[str, list[str]] = {}
    for key, name in names.items():
        found.setdefault(name, []).append(key)
    return {name: ids for name, ids in found.items() if len(ids) > 1}


def check_unmixed(run: StatementRunner, name: str, dependencies: Sequence[str]) -> None:
    """Raise LibraryError if a tool would need two versions of one name, of which a sandbox can load only one."""
    found = {member.id: member.name for member in reached(run, dependencies)}
    if name in found.values():
        raise LibraryError(f"{name!r} would call an earlier version of itself through what it calls; break that circle")
    for other, ids in mixed(found).items():
        raise LibraryError(
            f"{name!r} would need two versions of {other!r} ({' and '.join(key[:12] for key in sorted(ids))}); "
            "register the tools that call the older one again"
        )


def check_loadable(run: StatementRunner, closed: Sequence[Member], *, but: str = "") -> None:
    """Raise LibraryError if a tool of a closed set, `but` one, cannot serve in its state; say who calls it."""
    for member in closed:
        if member.state not in _LOADABLE and member.id != but:
            callers = ", ".join(map(repr, _direct_callers(run, member.id, {other.id for other in closed})))
            where = f", which {callers} calls" if callers else ""
            tool = member.tool
            raise LibraryError(f"tool {tool!r}{where} is {member.state}; `nucleate tools show {tool}` says why")


def _reached(run: StatementRunner, ids: Sequence[str]) -> list[Member]:
    return [
        Member(
            id=row.member_id,
            depth=row.depth,
            name=row.name,
            tool=row.tool,
            state=row.state,
            in_force=row.version_id == row.member_id,
        )
        for row in run(_REACHED, ids=ids)
    ]


def _direct_callers(run: StatementRunner, version_id: str, ids: set[str]) -> list[str]:
    return sorted({row.name for row in run(_CALLING, id=version_id) if row.id in ids})
