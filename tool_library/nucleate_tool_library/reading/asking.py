"""What the library answers beyond plain reads: closures, who calls a tool, and what nobody needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from nucleate_tool_library.life_cycle import LOADABLE, Dependent
from nucleate_tool_library.reading import closures, lines, names, reach, rows
from nucleate_tool_library.reading.lines import ToolLine
from nucleate_tool_library.reading.statements import StatementRunner, parts
from nucleate_tool_library.values import State, ToolVersion

_KNOWN = "SELECT id FROM tool_version WHERE id = :id"
_CALLING = "SELECT version_id FROM dependency WHERE depends_on IN :ids"
_BY_VERSION = "SELECT * FROM tool WHERE version_id IN :ids"
_LEADING = """SELECT tool.*, reached.depth FROM tool JOIN (
        SELECT closure.version_id, max(closure.depth) AS depth FROM closure
        JOIN usage ON usage.version_id = closure.member_id WHERE usage.tool_id = :tool GROUP BY closure.version_id
    ) AS reached ON reached.version_id = tool.version_id
    WHERE tool.id <> :tool AND tool.state IN :states"""
_CALLED = """SELECT DISTINCT dependency.depends_on FROM dependency
    JOIN tool ON tool.version_id = dependency.version_id WHERE tool.state <> :archived"""


def dependent(row: Any) -> Dependent:
    """Return a caller, read with its `depth`, as a value."""
    return Dependent(
        name=row.name,
        scope=row.scope,
        state=State(row.state),
        release=row.release,
        depth=row.depth,
        pinned=bool(row.pinned),
    )


def closed(run: StatementRunner, wanted: Iterable[str], scope: str | None) -> tuple[ToolVersion, ...]:
    """Return the named tools (or version ids) with everything that they call, of each name one version."""
    ids = [_version_id(run, item, scope) for item in wanted]
    found = closures.reached(run, ids)
    closures.check_loadable(run, found)
    return in_order(run, _standing(found, ids))


def in_order(run: StatementRunner, ids: Iterable[str]) -> tuple[ToolVersion, ...]:
    """Return versions in the order of their ids."""
    order = list(ids)
    found = rows.read_versions(run, order)
    return tuple(found[key] for key in order)


def unused(run: StatementRunner, scope: str | None, *, born_before: datetime) -> tuple[ToolLine, ...]:
    """Return the loadable tools of some age that nobody called, calls or pinned."""
    called = {row.depends_on for row in run(_CALLED, archived=State.ARCHIVED.value)}
    return tuple(
        line
        for line in lines.lines(run, scope, LOADABLE)
        if not line.uses and not line.pinned and line.created_at <= born_before and line.version_id not in called
    )


def direct_callers(run: StatementRunner, tool: Any) -> list[Any]:
    """Return the rows of the loadable tools whose version in force calls some version of this one itself."""
    callers: set[str] = set()
    for part in parts(reach.versions_of(run, tool)):
        callers |= {row.version_id for row in run(_CALLING, ids=part)}
    found = [row for part in parts(sorted(callers)) for row in run(_BY_VERSION, ids=part)]
    return [row for row in found if State(row.state) in LOADABLE and row.id != tool.id]


def callers_of(run: StatementRunner, tool: Any) -> list[Any]:
    """Return the rows of the loadable tools whose version in force leads to this one, with `depth`, nearest first."""
    found = run(_LEADING, tool=tool.id, states=[state.value for state in LOADABLE])
    return sorted(found, key=lambda row: (row.depth, row.name, row.scope))


def _version_id(run: StatementRunner, item: str, scope: str | None) -> str:
    known = run(_KNOWN, id=item)
    return str(known[0].id if known else names.find(run, item, scope).version_id)


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
