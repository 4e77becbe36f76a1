"""What background work may take from models in one day, counted in the database for all processes together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from pydantic import BaseModel
from sqlalchemy import Connection, Engine, insert, select, update
from sqlmodel import SQLModel

from nucleate.jobs.job_values import now
from nucleate.jobs.working import Deferred
from nucleate.tables import MODELS, SpendingRow
from nucleate_codifier.chat import ChatModel, Message, Reply
from nucleate_text_memory.one_writer import be_the_writer

SPENDING = SQLModel.metadata.tables[str(SpendingRow.__tablename__)]


@dataclass(frozen=True, kw_only=True)
class DayLimits:
    """The most of one day, in UTC; None where there is no limit."""

    attempts: int | None = None
    tokens: int | None = None
    dollars: float | None = None


@dataclass(frozen=True, kw_only=True)
class DaySpent:
    """What one day took so far."""

    attempts: int = 0
    tokens: int = 0
    dollars: float = 0.0


class Daily:
    """The day's account. Where a limit is reached, work is deferred to the next day."""

    def __init__(self, engine: Engine, limits: DayLimits, *, clock: Callable[[], datetime] = now) -> None:
        self._engine = engine
        self._limits = limits
        self._clock = clock

    def attempt(self) -> None:
        """Count one attempt; raise Deferred where the day has none left."""
        with self._writing() as connection:
            self._refuse_beyond(self._limits.attempts, "attempts", self._read(connection))
            self._add(connection, attempts=1)

    def check_all(self) -> None:
        """Raise Deferred where the day's tokens or dollars are used up."""
        spent = self.spent()
        self._refuse_beyond(self._limits.tokens, "tokens", spent)
        self._refuse_beyond(self._limits.dollars, "dollars", spent)

    def charge(self, reply: Reply) -> None:
        """Count a reply."""
        with self._writing() as connection:
            self._add(connection, tokens=reply.tokens, dollars=reply.dollars or 0.0)

    def spent(self) -> DaySpent:
        """Return what today took so far."""
        with self._engine.begin() as connection:
            return self._read(connection)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Open a transaction that counts alone, so that no limit is passed by two who looked at once."""
        with self._engine.begin() as connection:
            be_the_writer(connection, MODELS)
            yield connection

    def _refuse_beyond(self, limit: float | None, what: str, spent: DaySpent) -> None:
        used = getattr(spent, what)
        if limit is not None and used >= limit:
            day = self._clock().astimezone(UTC).date() + timedelta(days=1)
            until = datetime.combine(day, time(), UTC)
            raise Deferred(until, f"{used:g} of {limit:g} {what} of today are used; it goes on at {until:%F %R} UTC")

    def _read(self, connection: Connection) -> DaySpent:
        row = connection.execute(select(SPENDING).where(SPENDING.c.day == self._day())).first()
        return DaySpent(attempts=row.attempts, tokens=row.tokens, dollars=row.dollars) if row else DaySpent()

    def _add(self, connection: Connection, **more: float) -> None:
        day = SPENDING.c.day == self._day()
        raised = {name: SPENDING.c[name] + value for name, value in more.items()}
        if not connection.execute(update(SPENDING).where(day).values(**raised)).rowcount:
            first = {"attempts": 0, "tokens": 0, "dollars": 0.0, **more}
            connection.execute(insert(SPENDING), {"day": self._day(), **first})

    def _day(self) -> str:
        return self._clock().astimezone(UTC).date().isoformat()


class Metered:
    """A model whose calls are charged to the day; each is asked for before it is made."""

    def __init__(self, model: ChatModel, daily: Daily) -> None:
        self._model = model
        self._daily = daily

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the model's reply; raise Deferred where the day's budget is used up."""
        self._daily.check_all()
        reply = self._model.complete(messages, schema=schema)
        self._daily.charge(reply)
        return reply
