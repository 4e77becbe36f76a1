"""Dependency closure (Metis §3.5, ALGORITHMS §3), stored when a version is: U_{r+1} = U_r ∪ Dep(U_r).

A version calls versions that were stored before it and never change, so its closure is theirs and itself, for good.
`depth` is the longest way down to a member: whatever a member calls lies deeper, so that the deepest is loaded first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from sqlalchemy import delete, func, insert
from sqlmodel import Session, col, select

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import LOADABLE
from nucleate_tool_library.tables import ClosureRow, DependencyRow, ToolRow, ToolVersionRow, UsageRow

_PART = 500  # variables in one statement; SQLite's oldest limit is 999
_LOADABLE = [state.value for state in LOADABLE]


def parts(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    """Return ids in portions that one statement takes."""
    return (ids[start : start + _PART] for start in range(0, len(ids), _PART))


def add(session: Session, version_id: str, dependencies: Sequence[str]) -> None:
    """Store a new version's closure from those of the versions that it calls."""
    depths: dict[str, int] = {}
    for part in parts(dependencies):
        for member, depth in _depths(session, part):
            depths[member] = max(depth + 1, depths.get(member, 0))
    members = [{"version_id": version_id, "member_id": key, "depth": depth} for key, depth in depths.items()]
    session.execute(insert(ClosureRow), [*members, {"version_id": version_id, "member_id": version_id, "depth": 0}])


@dataclass(frozen=True, kw_only=True)
class Member:
    """A version in a closed set, and the tool that it belongs to, of which it may be an older version."""

    id: str
    depth: int
    name: str
    tool: str
    state: str
    in_force: bool


def reached(session: Session, ids: Sequence[str]) -> list[Member]:
    """Return the closed set, dependencies first; equal depths stand in order of name."""
    found: dict[str, Member] = {}
    for part in parts(ids):
        for member in _reached(session, part):
            known = found.get(member.id)
            if known is None or known.depth < member.depth:
                found[member.id] = member
    return sorted(found.values(), key=lambda member: (-member.depth, member.name, member.id))


def members(session: Session, ids: Sequence[str]) -> list[str]:
    """Return the ids of the closed set, dependencies first."""
    return [member.id for member in reached(session, ids)]


def callers(session: Session, ids: Sequence[str]) -> dict[str, int]:
    """Return the reverse closure: every version that leads to one of these, with the longest way to it."""
    found: dict[str, int] = {}
    for part in parts(ids):
        query = select(ClosureRow.version_id, func.max(ClosureRow.depth)).where(col(ClosureRow.member_id).in_(part))
        for version_id, depth in session.exec(query.group_by(col(ClosureRow.version_id))).all():
            found[version_id] = max(depth, found.get(version_id, 0))
    return found


def names_of(session: Session, ids: Sequence[str]) -> dict[str, str]:
    """Return the name of each version."""
    found: dict[str, str] = {}
    for part in parts(ids):
        query = select(ToolVersionRow.id, ToolVersionRow.name).where(col(ToolVersionRow.id).in_(part))
        found |= dict(session.exec(query).all())
    return found


def mixed(names: dict[str, str]) -> dict[str, list[str]]:
    """Return the names of which there are several versions, with these."""
    found: dict[str, list[str]] = {}
    for key, name in names.items():
        found.setdefault(name, []).append(key)
    return {name: ids for name, ids in found.items() if len(ids) > 1}


def check_unmixed(session: Session, name: str, dependencies: Sequence[str]) -> None:
    """Raise LibraryError if a tool would need two versions of one name, of which a sandbox can load only one."""
    found = {member.id: member.name for member in reached(session, dependencies)}
    if name in found.values():
        raise LibraryError(f"{name!r} would call an earlier version of itself through what it calls; break that circle")
    for other, ids in mixed(found).items():
        raise LibraryError(
            f"{name!r} would need two versions of {other!r} ({' and '.join(key[:12] for key in sorted(ids))}); "
            "register the tools that call the older one again"
        )


def check_loadable(session: Session, closed: Sequence[Member], *, but: str = "") -> None:
    """Raise LibraryError if a tool of a closed set, `but` one, cannot serve in its state; say who calls it."""
    for member in closed:
        if member.state not in _LOADABLE and member.id != but:
            callers = ", ".join(map(repr, _direct_callers(session, member.id, [other.id for other in closed])))
            where = f", which {callers} calls" if callers else ""
            tool = member.tool
            raise LibraryError(f"tool {tool!r}{where} is {member.state}; `nucleate tools show {tool}` says why")


def rebuild(session: Session) -> int:
    """Derive every stored closure anew from the direct calls; return how many versions there are."""
    calls: dict[str, list[str]] = {key: [] for key in session.exec(select(ToolVersionRow.id)).all()}
    for version_id, depends_on in session.exec(select(DependencyRow.version_id, DependencyRow.depends_on)).all():
        calls[version_id].append(depends_on)
    try:
        order = list(TopologicalSorter(calls).static_order())
    except CycleError as error:
        names = names_of(session, error.args[1])
        path = " → ".join(repr(names[key]) for key in error.args[1])
        raise LibraryError(f"tools call each other in a cycle: {path}; break it in one of them") from error
    session.execute(delete(ClosureRow))
    for key in order:
        add(session, key, calls[key])
    return len(order)


def _reached(session: Session, ids: Sequence[str]) -> list[Member]:
    told = (col(ToolVersionRow.name), col(ToolRow.name), col(ToolRow.state), col(ToolRow.version_id))
    query = (
        select(col(ClosureRow.member_id), func.max(ClosureRow.depth), *told)  # type: ignore[call-overload]
        .join(ToolVersionRow, col(ToolVersionRow.id) == col(ClosureRow.member_id))
        .join(UsageRow, col(UsageRow.version_id) == col(ClosureRow.member_id))
        .join(ToolRow, col(ToolRow.id) == col(UsageRow.tool_id))
        .where(col(ClosureRow.version_id).in_(ids))
        .group_by(col(ClosureRow.member_id), *told)
    )
    return [
        Member(id=key, depth=depth, name=name, tool=tool, state=state, in_force=in_force == key)
        for key, depth, name, tool, state, in_force in session.exec(query).all()
    ]


def _depths(session: Session, ids: Sequence[str]) -> Sequence[tuple[str, int]]:
    query = select(ClosureRow.member_id, func.max(ClosureRow.depth)).where(col(ClosureRow.version_id).in_(ids))
    return session.exec(query.group_by(col(ClosureRow.member_id))).all()


def _direct_callers(session: Session, version_id: str, ids: Sequence[str]) -> list[str]:
    query = (
        select(ToolVersionRow.id, ToolVersionRow.name)
        .join(DependencyRow, col(DependencyRow.version_id) == col(ToolVersionRow.id))
        .where(DependencyRow.depends_on == version_id)
    )
    return sorted({name for key, name in session.exec(query).all() if key in set(ids)})
