"""The tool library: register, look up, close, move through the life cycle, count uses."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime

from sqlalchemy import Engine, case, false, func, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlmodel import Session, col, select

from nucleate_tool_library import rows
from nucleate_tool_library.closing import closure
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import LEGAL, LOADABLE, Release
from nucleate_tool_library.registration import Registration, event, register
from nucleate_tool_library.tables import DependencyRow, InvocationRow, ReleaseRow, ToolRow, ToolVersionRow
from nucleate_tool_library.usage import LibraryUse, ToolUse
from nucleate_tool_library.values import State, Tool, ToolVersion


def _now() -> datetime:
    return datetime.now(UTC)


class ToolLibrary:
    """Tools in one database. Its tables exist already; every write is one transaction."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime] = _now) -> None:
        self._engine = engine
        self._clock = clock

    def register(
        self,
        version: ToolVersion,
        *,
        state: State,
        plan_id: str | None = None,
        approved_by: str,
        replace: bool = False,
        why: str = "",
    ) -> Tool:
        """Store a version under its name and return the tool. Content that is in force already changes nothing.

        Raises LibraryError when the name belongs to other content and `replace` is false, when its exported
        name collides with another tool's, or when a dependency is missing or not in force.
        """
        order = Registration(
            version=version,
            state=state,
            plan_id=plan_id,
            approved_by=approved_by,
            replace=replace,
            at=self._clock(),
            why=why,
        )
        try:
            return self._register(order)
        except IntegrityError:  # another process was first; now its rows can be seen
            return self._register(order)

    def tool(self, name: str, scope: str | None = None) -> Tool:
        """Return the tool with this name; without a scope the name must be unique over all scopes."""
        with Session(self._engine) as session:
            return self._tools(session, [self._row(session, name, scope)])[0]

    def tools(self, scope: str | None = None, states: Collection[State] | None = None) -> tuple[Tool, ...]:
        """Return tools by scope and name, all of them or those in one scope and in some states."""
        query = select(ToolRow).order_by(col(ToolRow.scope), col(ToolRow.name))
        if scope is not None:
            query = query.where(ToolRow.scope == scope)
        if states is not None:
            query = query.where(col(ToolRow.state).in_([state.value for state in states]))
        with Session(self._engine) as session:
            return self._tools(session, list(session.exec(query).all()))

    def versions(self, name: str, scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return every version that was ever in force under a name, the oldest first."""
        with Session(self._engine) as session:
            ids = list(dict.fromkeys(row.version_id for row in self._events(session, name, scope)))
            found = rows.read_versions(session, ids)
            return tuple(found[key] for key in ids)

    def version(self, id: str) -> ToolVersion:  # noqa: A002  # it is the value's own name for it
        """Return the version with this id."""
        with Session(self._engine) as session:
            found = rows.read_versions(session, [id])
        if id not in found:
            raise LibraryError(f"no version {id!r}; `nucleate tools list` shows all tools")
        return found[id]

    def transition(self, name: str, scope: str | None = None, *, to: State, by: str, why: str) -> Tool:
        """Move a tool to another state and record who or what said so. Archiving needs that nobody calls it."""
        with Session(self._engine) as session, session.begin():
            _lock(session)
            row = self._row(session, name, scope)
            was = State(row.state)
            if to not in LEGAL[was]:
                choice = ", ".join(sorted(LEGAL[was]))
                raise LibraryError(f"tool {name!r} is {was.value} and cannot become {to.value}; it can become {choice}")
            if to is State.ARCHIVED:
                _check_dependents(session, row)
            row.state = to.value
            session.add(event(row, was=was.value, by=by, why=why, at=self._clock()))
            session.flush()
            return self._tools(session, [row])[0]

    def revision(self) -> int:
        """Return a number that grows with every change of a tool, by whatever process; caches hang on it."""
        with Session(self._engine) as session:
            return session.exec(select(func.max(ReleaseRow.id))).one() or 0

    def history(self, name: str, scope: str | None = None) -> tuple[Release, ...]:
        """Return a tool's events, the oldest first."""
        with Session(self._engine) as session:
            return tuple(rows.release(row) for row in self._events(session, name, scope))

    def dependents(self, name: str, scope: str | None = None) -> tuple[str, ...]:
        """Return the names of the tools whose version in force calls some version of this one."""
        with Session(self._engine) as session:
            return tuple(sorted(row.name for row in _dependents(session, self._row(session, name, scope))))

    def close(self, names: Iterable[str], scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return the named tools (or version ids) with everything that they call, dependencies first."""
        with Session(self._engine) as session:
            ids = [
                item if session.get(ToolVersionRow, item) else self._row(session, item, scope).version_id
                for item in names
            ]
            return closure(session, ids)

    def record_invocation(
        self, version_id: str, *, ok: bool, milliseconds: float, calls: int, path: str, error: str | None = None
    ) -> bool:
        """Count one use on the path that it came by (`agent`, `cli`, `mcp`, `tool`, `demo`, …).

        Best effort: a measurement never breaks the call that it measures, so the answer says whether it was stored.
        """
        row = InvocationRow(
            version_id=version_id,
            ok=ok,
            milliseconds=milliseconds,
            calls=calls,
            path=path,
            error=error,
            at=self._clock(),
        )
        try:
            with Session(self._engine) as session, session.begin():
                known = session.get(ToolVersionRow, version_id) is not None
                if known:
                    session.add(row)
            return known
        except SQLAlchemyError:
            return False

    def uses(self, name: str, scope: str | None = None) -> int:
        """Return how often a tool was called, over all of its versions and paths."""
        return self.tool(name, scope).uses

    def stats(self, scope: str | None = None) -> LibraryUse:
        """Return uses and reliability per tool, and of the library as a whole (ALGORITHMS §8)."""
        with Session(self._engine) as session:
            query = select(ToolRow).order_by(col(ToolRow.scope), col(ToolRow.name))
            found = session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all()
            counts = _counts(session)
        uses = [(row, *counts.get((row.name, row.scope), (0, 0))) for row in found]
        return LibraryUse(
            tools=tuple(ToolUse(name=row.name, scope=row.scope, uses=uses, passes=ok) for row, uses, ok in uses)
        )

    def _register(self, order: Registration) -> Tool:
        with Session(self._engine) as session, session.begin():
            _lock(session)
            return self._tools(session, [register(session, order)])[0]

    def _row(self, session: Session, name: str, scope: str | None) -> ToolRow:
        query = select(ToolRow).where(ToolRow.name == name)
        found = session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all()
        if not found:
            raise LibraryError(_unknown(session, name, scope))
        if len(found) > 1:
            scopes = ", ".join(repr(row.scope) for row in found)
            raise LibraryError(f"the name {name!r} is used in several scopes; say which of {scopes}")
        return found[0]

    def _events(self, session: Session, name: str, scope: str | None) -> list[ReleaseRow]:
        row = self._row(session, name, scope)
        query = select(ReleaseRow).where(ReleaseRow.tool_id == row.id).order_by(col(ReleaseRow.id))
        return list(session.exec(query).all())

    def _tools(self, session: Session, found: list[ToolRow]) -> tuple[Tool, ...]:
        versions = rows.read_versions(session, [row.version_id for row in found])
        counts = _counts(session)
        return tuple(
            Tool(
                name=row.name,
                scope=row.scope,
                state=State(row.state),
                version=versions[row.version_id],
                number=row.number,
                uses=counts.get((row.name, row.scope), (0, 0))[0],
                plan_id=row.plan_id,
                release=row.release,
                pinned=row.pinned,
            )
            for row in found
        )


def _lock(session: Session) -> None:
    """Make this transaction the writer from its first statement on, so that what it reads cannot change under it."""
    session.execute(update(ToolRow).where(false()).values(number=0))


def _unknown(session: Session, name: str, scope: str | None) -> str:
    query = select(ToolRow.name)
    known = session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all()
    near = difflib.get_close_matches(name, sorted(set(known)), n=3)
    where = f" in scope {scope!r}" if scope is not None else ""
    hint = f" (near: {', '.join(near)})" if near else ""
    return f"no tool named {name!r}{where}{hint}; `nucleate tools list` shows all"


def _dependents(session: Session, row: ToolRow) -> list[ToolRow]:
    own = select(ToolVersionRow.id).where(ToolVersionRow.name == row.name, ToolVersionRow.scope == row.scope)
    callers = select(DependencyRow.version_id).where(col(DependencyRow.depends_on).in_(own))
    query = select(ToolRow).where(
        col(ToolRow.version_id).in_(callers), col(ToolRow.state).in_([state.value for state in LOADABLE])
    )
    return list(session.exec(query).all())


def _check_dependents(session: Session, row: ToolRow) -> None:
    names = ", ".join(sorted(repr(item.name) for item in _dependents(session, row)))
    if names:
        raise LibraryError(f"tool {row.name!r} is called by {names}; archive or replace those first")


def _counts(session: Session) -> dict[tuple[str, str], tuple[int, int]]:
    """Return (uses, passes) by name and scope."""
    passes = func.sum(case((col(InvocationRow.ok), 1), else_=0))
    query = (
        select(ToolVersionRow.name, ToolVersionRow.scope, func.count(), passes)
        .join(InvocationRow, col(InvocationRow.version_id) == col(ToolVersionRow.id))
        .group_by(ToolVersionRow.name, ToolVersionRow.scope)
    )
    return {(name, scope): (uses, ok) for name, scope, uses, ok in session.exec(query).all()}
