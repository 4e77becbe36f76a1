"""What the library answers: tools and lists, versions and events, closures and who calls whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta

from sqlmodel import Session, col, func, select

from nucleate_tool_library import changes, closures, diffs, graphs, names, picking, reach, reading, rows, similar
from nucleate_tool_library.changes import Dependent
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import LOADABLE, Release
from nucleate_tool_library.reading import ToolLine
from nucleate_tool_library.store import Store
from nucleate_tool_library.tables import DependencyRow, ReleaseRow, ToolRow, ToolVersionRow
from nucleate_tool_library.values import State, Tool, ToolVersion

_REVISION = select(func.max(ReleaseRow.id))


class Asking(Store):
    """The questions; none of them writes. A name may be one that a tool had before it was renamed or merged."""

    def tool(self, name: str, scope: str | None = None) -> Tool:
        """Return the tool with this name; without a scope the name must be unique over all scopes."""
        with self._reading() as session:
            return reading.tools(session, [names.find(session, name, scope)])[0]

    def tools(self, scope: str | None = None, states: Collection[State] | None = None) -> tuple[Tool, ...]:
        """Return whole tools by scope and name, all of them or those in one scope and in some states."""
        with self._reading() as session:
            return reading.tools(session, reading.chosen(session, scope, states))

    def listing(self, scope: str | None = None, states: Collection[State] | None = None) -> tuple[ToolLine, ...]:
        """Return the same tools as light lines, without reading their bodies."""
        with self._reading() as session:
            return reading.lines(session, scope, states)

    def names(self, scope: str) -> frozenset[str]:
        """Return every name that is taken in a scope, aliases and archived tools included."""
        with self._reading() as session:
            tools = session.exec(select(ToolRow.name).where(ToolRow.scope == scope)).all()
            return frozenset({*tools, *(alias for _scope, alias in names.aliases_of(session, scope))})

    def aliases(self, scope: str) -> dict[str, str]:
        """Return the names that lead to a tool of another name, with that name."""
        with self._reading() as session:
            return {alias: name for (_scope, alias), name in names.aliases_of(session, scope).items()}

    def versions(self, name: str, scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return every version that was ever in force under a tool's names, the oldest first."""
        with self._reading() as session:
            events = picking.in_force(session, names.find(session, name, scope))
            ids = list(dict.fromkeys(row.version_id for row in events))
            found = rows.read_versions(session, ids)
            return tuple(found[key] for key in ids)

    def pick(self, name: str, version: str, scope: str | None = None) -> ToolVersion:
        """Return the version of a tool that a number, a release or the beginning of an id means."""
        with self._reading() as session:
            key = picking.pick(session, names.find(session, name, scope), version)
            return rows.read_versions(session, [key])[key]

    def version(self, id: str) -> ToolVersion:  # noqa: A002  # it is the value's own name for it
        """Return the version with this id."""
        with self._reading() as session:
            found = rows.read_versions(session, [id])
        if id not in found:
            raise LibraryError(f"no version {id!r}; `nucleate tools list` shows all tools")
        return found[id]

    def revision(self) -> int:
        """Return a number that grows with every change of a tool, by whatever process; caches hang on it."""
        with self._engine.connect() as connection:
            return connection.execute(_REVISION).scalar() or 0

    def history(self, name: str, scope: str | None = None) -> tuple[Release, ...]:
        """Return a tool's events, the oldest first."""
        with self._reading() as session:
            return tuple(rows.release(row) for row in reading.events(session, names.find(session, name, scope)))

    def diff(
        self, name: str, before: str | None = None, after: str | None = None, *, scope: str | None = None
    ) -> diffs.Diff:
        """Return how two versions of a tool differ, each named by number, release or the beginning of its id.

        Without names: the version in force and the one before it.
        """
        with self._reading() as session:
            return diffs.diff(session, names.find(session, name, scope), before, after)

    def dependents(self, name: str, scope: str | None = None, *, transitive: bool = False) -> tuple[str, ...]:
        """Return the names of the tools whose version in force calls some version of this one, or leads to one."""
        with self._reading() as session:
            tool = names.find(session, name, scope)
            if transitive:
                return tuple(sorted(row.name for row, _depth in changes.callers_of(session, tool)))
            return tuple(sorted(row.name for row in direct_callers(session, tool)))

    def callers(self, name: str, scope: str | None = None) -> tuple[Dependent, ...]:
        """Return the tools that lead to this one, the nearest first."""
        with self._reading() as session:
            found = changes.callers_of(session, names.find(session, name, scope))
            return tuple(changes.dependent(row, depth) for row, depth in found)

    def close(self, wanted: Iterable[str], scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return the named tools (or version ids) with everything that they call, dependencies first.

        Where two of them were built on different versions of a third, the one that was asked for, else the one in
        force, stands for its name: each tool runs with its own closure, `close([its id])`, which is never mixed.
        """
        with self._reading() as session:
            ids = [_version_id(session, item, scope) for item in wanted]
            closed = closures.reached(session, ids)
            closures.check_loadable(session, closed)
            kept = _standing(closed, ids)
            found = rows.read_versions(session, kept)
            return tuple(found[key] for key in kept)

    def calls(self, version_id: str) -> tuple[ToolVersion, ...]:
        """Return a version after all that it calls, whatever their state: for somebody who looks, not who runs."""
        with self._reading() as session:
            order = closures.members(session, [version_id])
            found = rows.read_versions(session, order)
            return tuple(found[key] for key in order)

    def graph(self, name: str | None = None, scope: str | None = None, *, callers: bool = False) -> graphs.Graph:
        """Return who calls what: all tools, or one and what it leads to, or one and what leads to it."""
        with self._reading() as session:
            if name is None:
                return graphs.whole(session, scope)
            tool = names.find(session, name, scope)
            return graphs.above(session, tool) if callers else graphs.below(session, tool)

    def similar(self, scope: str | None = None, *, at_least: float = similar.NEAR) -> tuple[similar.Pair, ...]:
        """Return pairs of tools whose signatures and docstrings say nearly the same, the nearest first."""
        with self._reading() as session:
            return similar.pairs(session, scope, at_least=at_least)

    def unused(self, scope: str | None = None, *, for_at_least: timedelta = timedelta(days=30)) -> tuple[ToolLine, ...]:
        """Return the tools that nobody called, calls or pinned, and that had time enough to be called."""
        with self._reading() as session:
            found = reading.lines(session, scope, LOADABLE)
            called = _called(session)
        born_before = self._clock() - for_at_least
        return tuple(
            line
            for line in found
            if not line.uses and not line.pinned and line.created_at <= born_before and line.version_id not in called
        )


def direct_callers(session: Session, tool: ToolRow) -> list[ToolRow]:
    """Return the loadable tools whose version in force calls some version of this one itself."""
    callers: set[str] = set()
    for part in closures.parts(reach.versions_of(session, tool)):
        query = select(DependencyRow.version_id).where(col(DependencyRow.depends_on).in_(part))
        callers |= set(session.exec(query).all())
    found: list[ToolRow] = []
    for part in closures.parts(sorted(callers)):
        found += session.exec(select(ToolRow).where(col(ToolRow.version_id).in_(part))).all()
    return [row for row in found if State(row.state) in LOADABLE and row.id != tool.id]


def _version_id(session: Session, item: str, scope: str | None) -> str:
    known = session.exec(select(ToolVersionRow.id).where(ToolVersionRow.id == item)).one_or_none()
    return known or names.find(session, item, scope).version_id


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


def _called(session: Session) -> set[str]:
    """Return the versions that some tool in force calls."""
    query = select(DependencyRow.depends_on).join(ToolRow, col(ToolRow.version_id) == col(DependencyRow.version_id))
    return set(session.exec(query.where(ToolRow.state != State.ARCHIVED.value)).all())
