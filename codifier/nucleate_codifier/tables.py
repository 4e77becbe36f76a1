"""Tables of codification: who selected which plan since when, and every verdict."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Text, UniqueConstraint
from sqlmodel import Field, SQLModel


class RecurrenceRow(SQLModel, table=True):
    """One distinct input that selected a plan; `related` moves it from B(p) to R(p)."""

    __tablename__ = "recurrence"
    __table_args__ = (UniqueConstraint("plan_id", "input_key"),)

    id: int | None = Field(default=None, primary_key=True)
    plan_id: str = Field(index=True)
    input_key: str
    task_id: str
    related: bool = False


class BackoffRow(SQLModel, table=True):
    """The buffer size at which a refused plan is tried again, and how often it was tried."""

    __tablename__ = "recurrence_backoff"

    plan_id: str = Field(primary_key=True)
    threshold: int
    attempts: int = 0


class VerdictRow(SQLModel, table=True):
    """One judgement with every finding. An outage or a time-out has no `depends_on`: it may be judged again."""

    __tablename__ = "verdict"

    id: int | None = Field(default=None, primary_key=True)
    scope: str = Field(index=True)
    candidate: str
    plan_id: str | None = Field(default=None, index=True)
    decision: str = Field(index=True)
    depends_on: str | None = Field(default=None, index=True, unique=True)
    source: str = Field(sa_column=Column(Text, nullable=False))
    verdict: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime
