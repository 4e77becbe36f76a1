"""Tables of the runtime: the functions of known environments, jobs, and what models took."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

# Keys of advisory locks, which all processes of one database must agree on (see nucleate_text_memory.one_writer).
ENVIRONMENTS = 0x6E75_6365
JOBS = 0x6E75_636A
MODELS = 0x6E75_6373

_IN_LANE = text("state = 'running' AND lane <> ''")


class EnvironmentRow(SQLModel, table=True):
    """The functions of one environment, as last seen, so that later processes can judge and call its tools."""

    __tablename__ = "environment"

    name: str = Field(primary_key=True)
    functions: str = Field(sa_column=Column(Text, nullable=False))
    updated_at: datetime


class ConnectionRow(SQLModel, table=True):
    """How a known environment is reached: as JSON, secrets by reference alone."""

    __tablename__ = "connection"

    name: str = Field(primary_key=True)
    content: str = Field(sa_column=Column(Text, nullable=False))
    added_at: datetime


class ApprovalRow(SQLModel, table=True):
    """What was said to one destructive call, and by whom."""

    __tablename__ = "approval"

    id: int | None = Field(default=None, primary_key=True)
    environment: str
    function: str
    arguments: str = Field(sa_column=Column(Text, nullable=False))
    allowed: bool
    by: str
    at: datetime


class JobRow(SQLModel, table=True):
    """One piece of background work: idempotent by key, leased by an owner, retried when the owner is gone.

    Of one lane at most one job is running; the index says so, whatever workers do at once.
    """

    __tablename__ = "job"
    __table_args__ = (
        Index("ix_job_order", "state", "turn", "priority", "id"),
        Index("ix_job_running_lane", "lane", unique=True, sqlite_where=_IN_LANE, postgresql_where=_IN_LANE),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    kind: str
    subject: str
    state: str = "queued"
    owner: str = ""
    leased_until: datetime | None = None
    attempts: int = 0
    error: str = ""
    created_at: datetime
    lane: str = ""
    turn: int = 0
    priority: int = 0
    token: int = 0
    deaths: int = 0
    not_before: datetime | None = None
    finished_at: datetime | None = None


class FinishedJobRow(SQLModel, table=True):
    """The key of a job that was done long ago: it is never queued again."""

    __tablename__ = "finished_job"

    key: str = Field(primary_key=True)


class ReviewRow(SQLModel, table=True):
    """What a model's review of one task proposed, what became of it, and what it took; `record` is JSON."""

    __tablename__ = "review"

    task_id: str = Field(primary_key=True)
    at: datetime
    record: str = Field(sa_column=Column(Text, nullable=False))


class SpendingRow(SQLModel, table=True):
    """What background work took from models on one day, in UTC, whichever process did it."""

    __tablename__ = "spending"

    day: str = Field(primary_key=True)
    attempts: int = 0
    tokens: int = 0
    dollars: float = 0.0


class ModelUseRow(SQLModel, table=True):
    """What one model took on one day, in UTC, for whatever it was asked."""

    __tablename__ = "model_use"

    day: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0


class ModelReplyRow(SQLModel, table=True):
    """A reply of a model, kept by the hash of what it answers."""

    __tablename__ = "model_reply"
    __table_args__ = (UniqueConstraint("prompt", "model"),)

    id: int | None = Field(default=None, primary_key=True)
    prompt: str
    model: str
    text: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime
