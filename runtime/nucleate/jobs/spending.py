"""What background work may take from models in one day, counted in the database for all processes together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from pydantic import BaseModel
from sqlalchemy import Engine, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from nucleate.jobs.job_values import now
from nucleate.jobs.working import Deferred
from nucleate.tables import SpendingRow
from nucleate_codifier.chat import ChatModel, Message, Reply

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
        self.check(self._limits.attempts, "attempts")
        self._add(attempts=1)

    def check(self, limit: float | None, what: str) -> None:
        """Raise Deferred where a limit is reached."""
        used = getattr(self.spent(), what)
        if limit is not None and used >= limit:
            day = self._clock().astimezone(UTC).date() + timedelta(days=1)
            until = datetime.combine(day, time(), UTC)
            raise Deferred(until, f"{used:g} of {limit:g} {what} of today are used; it goes on at {until:%F %R} UTC")

    def check_all(self) -> None:
        """Raise Deferred where the day's tokens or dollars are used up."""
        self.check(self._limits.tokens, "tokens")
        self.check(self._limits.dollars, "dollars")

    def charge(self, reply: Reply) -> None:
        """Count a reply."""
        self._add(tokens=reply.tokens, dollars=reply.dollars or 0.0)

    def spent(self) -> DaySpent:
        """Return what today took so far."""
        with self._engine.begin() as connection:
            row = connection.execute(select(SPENDING).where(SPENDING.c.day == self._day())).first()
        return DaySpent(attempts=row.attempts, tokens=row.tokens, dollars=row.dollars) if row else DaySpent()

    def _add(self, *, attempts: int = 0, tokens: int = 0, dollars: float = 0.0) -> None:
        day, of = self._day(), SPENDING.c
        more = {"attempts": of.attempts + attempts, "tokens": of.tokens + tokens, "dollars": of.dollars + dollars}
        with self._engine.begin() as connection:
            if connection.execute(update(SPENDING).where(of.day == day).values(**more)).rowcount:
                return
            try:
                with connection.begin_nested():
                    first = {"day": day, "attempts": attempts, "tokens": tokens, "dollars": dollars}
                    connection.execute(insert(SPENDING), first)
            except IntegrityError:  # another process began the day meanwhile
                connection.execute(update(SPENDING).where(of.day == day).values(**more))

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
