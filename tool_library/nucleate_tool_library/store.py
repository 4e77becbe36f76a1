"""Where a library's data lie: sessions that read, and edits that are one transaction each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeGuard

from sqlalchemy import Connection, Engine, Integer, String, TextClause, bindparam, false, func, select, text, update
from sqlalchemy.types import TypeEngine
from sqlmodel import Session

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.library_reader import LibraryReader
from nucleate_tool_library.reading.statements import StatementRunner
from nucleate_tool_library.tables import ReleaseRow, ToolRow

_TYPES: dict[type | None, type[TypeEngine[Any]]] = {int: Integer, str: String}
LIBRARY = 0x6E75_6374  # the key of an advisory lock, which all processes of one database must agree on


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One change on somebody's word: everything that it writes is stored together, or nothing is.

    `kept` collects, by tool, why it could not follow what it calls.
    """

    session: Session
    by: str
    why: str
    at: datetime
    kept: dict[int, str] = field(default_factory=dict)

    @property
    def run(self) -> StatementRunner:
        """Return what reads within this edit: it sees what was written so far."""
        return run_on(self.session)

    def record(self, tool: ToolRow, action: str, *, was: str | None, why: str = "") -> None:
        """Write the event that explains a tool's present state; without a reason of its own, the edit's."""
        self.session.add(tool)
        self.session.flush()
        self.session.add(
            ReleaseRow(
                tool_id=id_of(tool),
                version_id=tool.version_id,
                number=tool.number,
                release=tool.release,
                from_state=was,
                to_state=tool.state,
                action=action,
                by=self.by,
                why=why or self.why,
                at=self.at,
            )
        )
        self.session.flush()


class Store(LibraryReader):
    """Tools in one database. Its tables exist already; every write is one transaction."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(self._connected, clock=clock)
        self._engine = engine

    @contextmanager
    def _connected(self) -> Iterator[StatementRunner]:
        with self._engine.connect() as connection:
            yield run_on(connection)

    @contextmanager
    def _editing(self, *, by: str, why: str) -> Iterator[Edit]:
        """Open an edit that is the only writer from its first statement on: what it reads cannot change under it."""
        with Session(self._engine) as session:
            be_the_writer(session)
            yield Edit(session=session, by=by, why=why, at=self._clock())
            self._settle(session)

    def _settle(self, session: Session) -> None:
        """Let what an edit wrote stand."""
        session.commit()


def be_the_writer(session: Session) -> None:
    """Wait until nobody else changes the library; the turn ends with the transaction.

    To be called first: PostgreSQL shows each statement what was committed before it, so that what follows sees all that
    earlier writers wrote. Elsewhere a change of nothing takes the database's own right to write.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(LIBRARY)))
    else:
        session.execute(update(ToolRow).where(false()).values(number=0))


def run_on(place: Session | Connection) -> StatementRunner:
    """Return what runs plain SQL in an open session, after what it has still to write, or on a connection."""

    def run(statement: str, **values: object) -> Sequence[Any]:
        if isinstance(place, Session):
            place.flush()
        lists = tuple((name, type(value[0]) if value else None) for name, value in values.items() if _is_list(value))
        # A comparison with nothing is never true, and neither is one with NULL, whatever its type.
        empty = {name: [None] for name, kind in lists if kind is None}
        return place.execute(_clause(statement, lists), {**values, **empty}).all()

    return run


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


@cache
def _clause(statement: str, lists: tuple[tuple[str, type | None], ...]) -> TextClause:
    return text(statement).bindparams(
        *(bindparam(name, expanding=True, type_=_TYPES.get(kind)) for name, kind in lists)
    )


def id_of(tool: ToolRow) -> int:
    """Return a stored tool's key."""
    if tool.id is None:
        raise LibraryError(f"tool {tool.name!r} is not stored yet; register it first")
    return tool.id
