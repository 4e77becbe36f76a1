"""What models took, by day and model, in the database: a cap on a day holds over every process that shares it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Engine, insert, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from nucleate.models import model_use
from nucleate.models.model_use import DayUse
from nucleate.tables import ModelUseRow
from nucleate_codifier.chat import ChatModel, CostCapReached, Message, Reply
from nucleate_tool_library import run_on

USE = SQLModel.metadata.tables[str(ModelUseRow.__tablename__)]


def _utc() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """Counts every reply in one short transaction."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime] = _utc) -> None:
        self._engine = engine
        self._clock = clock

    def add(self, reply: Reply, model: str) -> None:
        """Count one reply on today's line of its model."""
        key = {"day": self._day(), "model": model}
        more = {
            "calls": 1,
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "dollars": reply.dollars or 0.0,
            "unpriced": int(reply.dollars is None),
        }
        if not self._raised(key, more):
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(USE).values(**key, **more))
            except IntegrityError:  # another process made the line meanwhile
                self._raised(key, more)

    def dollars_today(self) -> float:
        """Return what all models cost today."""
        with self._engine.begin() as connection:
            return model_use.dollars_on(run_on(connection), self._day())

    def days(self) -> tuple[DayUse, ...]:
        """Return every line, the latest day first."""
        with self._engine.begin() as connection:
            return model_use.days(run_on(connection))

    def _raised(self, key: dict[str, str], more: dict[str, Any]) -> bool:
        raised = {name: USE.c[name] + value for name, value in more.items()}
        where = (USE.c.day == key["day"], USE.c.model == key["model"])
        with self._engine.begin() as connection:
            return connection.execute(update(USE).where(*where).values(**raised)).rowcount > 0

    def _day(self) -> str:
        return self._clock().astimezone(UTC).date().isoformat()


class Accounted:
    """The model it wraps, each reply counted. With a cap, no call begins at or beyond what a day may cost.

    Calls that are under way at once may together go beyond it; each is counted.
    """

    def __init__(self, model: ChatModel, ledger: Ledger, *, cap: float | None = None) -> None:
        self._model = model
        self._ledger = ledger
        self._cap = cap

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._model.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the model's reply; raise CostCapReached where the day's cap is reached, or cannot be kept."""
        spent = self._ledger.dollars_today() if self._cap is not None else 0.0
        if self._cap is not None and spent >= self._cap:
            raise CostCapReached(
                f"${spent:.4f} are spent today (UTC), the cap of a day is ${self._cap:g}; "
                "raise NUCLEATE_MODEL_CAP_DAY, or go on tomorrow"
            )
        reply = self._model.complete(messages, schema=schema)
        self._ledger.add(reply, self.name)
        if self._cap is not None and reply.dollars is None:
            raise CostCapReached(
                f"the price of {self.name!r} is not known, so a cap of ${self._cap:g} a day cannot be kept; "
                "unset NUCLEATE_MODEL_CAP_DAY, or choose another model"
            )
        return reply
