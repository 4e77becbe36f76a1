"""Versions on trial: a canary stands beside a tool's active version until it is promoted or withdrawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy import select as columns
from sqlmodel import Session, col, delete, select
from sqlmodel.sql.expression import SelectOfScalar

from nucleate_tool_library import storing
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.reading import reach, rows
from nucleate_tool_library.registration import Registration, register
from nucleate_tool_library.store import be_the_writer, run_on
from nucleate_tool_library.tables import ReleaseRow, ToolRow, ToolVersionRow
from nucleate_tool_library.trials.trial_tables import CanaryRow
from nucleate_tool_library.values import State, ToolVersion
from nucleate_tool_library.version_numbers import next_release


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Canary:
    """A version on trial beside the tool's active one; `number` is the one that it gets when it is promoted."""

    name: str
    scope: str
    version_id: str
    number: int
    approved_by: str
    plan_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How a tool stands at this moment: what a router needs to know before each call. `why` is its latest event's."""

    state: State
    version_id: str
    pinned: bool = False
    canary: str | None = None
    why: str = ""


class Canaries:
    """The canaries of one database. Every change is one transaction, with its events, all or nothing."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime] = _now) -> None:
        self._engine = engine
        self._clock = clock

    def standing(self, name: str, scope: str) -> Standing | None:
        """Return how a tool stands; None where there is none of this name."""
        wanted = (col(ToolRow.id), col(ToolRow.state), col(ToolRow.version_id), col(ToolRow.pinned))
        query = columns(*wanted, col(CanaryRow.version_id)).select_from(ToolRow).join(CanaryRow, isouter=True)
        with Session(self._engine) as session:
            found = session.execute(query.where(col(ToolRow.name) == name, col(ToolRow.scope) == scope)).one_or_none()
            if found is None:
                return None
            id_, state, version_id, pinned, canary = found
            why = _latest(session, id_) if state == State.SUSPECT else ""
        return Standing(state=State(state), version_id=version_id, pinned=pinned, canary=canary, why=why)

    def all(self, scope: str | None = None) -> tuple[Canary, ...]:
        """Return the canaries (of a scope) by scope and name."""
        query = select(ToolRow, CanaryRow).join(CanaryRow).order_by(col(ToolRow.scope), col(ToolRow.name))
        with Session(self._engine) as session:
            found = session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all()
            return tuple(_canary(tool, row) for tool, row in found)

    def of(self, name: str, scope: str) -> Canary | None:
        """Return a tool's canary, if it has one."""
        return next((canary for canary in self.all(scope) if canary.name == name), None)

    def offer(self, version: ToolVersion, *, plan_id: str | None, by: str, why: str) -> Canary:
        """Put a version on trial beside the active one; an earlier canary makes room.

        Raises LibraryError where the tool is not active, or has this very content.
        """
        with Session(self._engine) as session, session.begin():
            tool = _locked(session, version.name, version.scope)
            _check(tool, version)
            earlier = session.get(CanaryRow, tool.id)
            if earlier is not None and earlier.version_id == version.id:
                return _canary(tool, earlier)
            if earlier is not None:
                self._end(session, tool, earlier, by=by, why=f"made room for version {version.id[:12]}")
            if session.get(ToolVersionRow, version.id) is None:
                storing.add_version(session, version, self._clock())
            storing.own(session, version.id, tool.id)
            row = CanaryRow(
                tool_id=tool.id or 0,
                version_id=version.id,
                number=tool.number + 1,
                plan_id=plan_id,
                approved_by=by,
                at=self._clock(),
            )
            session.add(row)
            session.add(self._event(session, tool, row, was=None, now=State.CANARY, by=by, why=why))
            return _canary(tool, row)

    def promote(self, name: str, scope: str, *, version_id: str, by: str, why: str) -> bool:
        """Make a canary the active version; False if it is no longer there, since another process was first."""
        with Session(self._engine) as session, session.begin():
            tool = _locked(session, name, scope)
            row = session.get(CanaryRow, tool.id)
            if row is None or row.version_id != version_id:
                return False
            version = rows.read_versions(run_on(session), [version_id])[version_id]
            if version.name != tool.name:
                self._end(
                    session, tool, row, by=by, why=f"it is named {version.name!r}: the tool was renamed meanwhile"
                )
                return False
            session.exec(delete(CanaryRow).where(col(CanaryRow.tool_id) == tool.id))
            order = Registration(
                version=version,
                state=State.ACTIVE,
                plan_id=row.plan_id,
                approved_by=by,
                replace=True,
                at=self._clock(),
                why=why,
            )
            register(session, order)
            session.flush()
            newest = session.exec(_events(tool.id)).first()
            if newest is not None:  # what is said of the version is that it was on trial
                newest.from_state = State.CANARY.value
            return True

    def withdraw(self, name: str, scope: str, *, version_id: str, by: str, why: str) -> bool:
        """End a canary's trial, so that the version before it serves alone; False if it is no longer there."""
        with Session(self._engine) as session, session.begin():
            tool = _locked(session, name, scope)
            row = session.get(CanaryRow, tool.id)
            if row is None or row.version_id != version_id:
                return False
            self._end(session, tool, row, by=by, why=why)
            return True

    def _end(self, session: Session, tool: ToolRow, row: CanaryRow, *, by: str, why: str) -> None:
        session.add(self._event(session, tool, row, was=State.CANARY, now=State.SUSPECT, by=by, why=why))
        back = f"rolled back: version {tool.number} serves every call"
        session.add(self._event(session, tool, row, was=State.SUSPECT, now=State.ARCHIVED, by=by, why=back))
        session.exec(delete(CanaryRow).where(col(CanaryRow.tool_id) == tool.id))

    def _event(
        self, session: Session, tool: ToolRow, row: CanaryRow, *, was: State | None, now: State, by: str, why: str
    ) -> ReleaseRow:
        step = reach.step_between(run_on(session), tool.version_id, row.version_id)
        return ReleaseRow(
            tool_id=tool.id or 0,
            version_id=row.version_id,
            number=row.number,
            release=next_release(tool.release, step),
            from_state=was.value if was else None,
            to_state=now.value,
            action="moved" if was else "on trial",
            by=by,
            why=why,
            at=self._clock(),
        )


def _locked(session: Session, name: str, scope: str) -> ToolRow:
    """Return a tool's row; this transaction is the library's writer from its first statement on."""
    be_the_writer(session)
    row = session.exec(select(ToolRow).where(ToolRow.name == name, ToolRow.scope == scope)).one_or_none()
    if row is None:
        raise LibraryError(f"no tool named {name!r} in scope {scope!r}; `nucleate tools list` shows all")
    return row


def _check(tool: ToolRow, version: ToolVersion) -> None:
    if tool.state != State.ACTIVE:
        raise LibraryError(f"tool {tool.name!r} is {tool.state}: a canary stands beside an active version; register it")
    if tool.version_id == version.id:
        raise LibraryError(f"tool {tool.name!r} serves version {version.id[:12]} already; there is nothing to try")


def _canary(tool: ToolRow, row: CanaryRow) -> Canary:
    return Canary(
        name=tool.name,
        scope=tool.scope,
        version_id=row.version_id,
        number=row.number,
        approved_by=row.approved_by,
        plan_id=row.plan_id,
    )


def _latest(session: Session, tool_id: int | None) -> str:
    newest = session.exec(_events(tool_id)).first()
    return newest.why if newest is not None else ""


def _events(tool_id: int | None) -> SelectOfScalar[ReleaseRow]:
    """Return the query for a tool's events, the newest first."""
    return select(ReleaseRow).where(ReleaseRow.tool_id == tool_id).order_by(col(ReleaseRow.id).desc())
