"""The tables of text memory. JSON is text; times are UTC; rows are never edited but for an entry's state."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


class TaskRow(SQLModel, table=True):
    """What an agent was asked."""

    __tablename__ = "task"

    id: str = Field(primary_key=True)
    scope: str = Field(index=True)
    query: str
    input_key: str


class TrajectoryRow(SQLModel, table=True):
    """What the agent did; `id` is the order in which it was stored; `meta`, `selected` and `said` are JSON text."""

    __tablename__ = "trajectory"

    id: int | None = Field(default=None, primary_key=True)
    task_id: str = Field(foreign_key="task.id", unique=True)
    content_hash: str
    success: bool | None = None
    reward: float | None = None
    meta: str = Field(default="{}", sa_column_kwargs={"server_default": "{}"})
    selected: str = Field(default="[]", sa_column_kwargs={"server_default": "[]"})
    said: str = Field(default="[]", sa_column_kwargs={"server_default": "[]"})
    group: str = Field(default="", sa_column_kwargs={"server_default": ""})
    recorded_at: datetime = Field(default_factory=now)
    reflected_at: datetime | None = None
    dropped_at: datetime | None = None
    dropped_because: str | None = None


class NotesRow(SQLModel, table=True):
    """What calls have shown of one function; `body` is JSON text."""

    __tablename__ = "function_notes"

    scope: str = Field(primary_key=True)
    function: str = Field(primary_key=True)
    body: str


class StepRow(SQLModel, table=True):
    """One action and its observation; `arguments` and `result` are JSON text."""

    __tablename__ = "step"

    task_id: str = Field(foreign_key="task.id", primary_key=True)
    position: int = Field(primary_key=True)
    function: str
    arguments: str
    result: str
    error_kind: str | None = None
    error_message: str | None = None


class PoolRow(SQLModel, table=True):
    """The candidate pool: where a signature (or a class of error) was seen, once per task."""

    __tablename__ = "candidate_evidence"
    __table_args__ = (UniqueConstraint("key", "task_id"), Index("ix_candidate_evidence_inputs", "key", "input_key"))

    id: int | None = Field(default=None, primary_key=True)
    key: str
    kind: str
    input_key: str
    task_id: str = Field(foreign_key="task.id", index=True)
    start: int
    stop: int


class EntryRow(SQLModel, table=True):
    """One entry. What it says never changes; its state does, and an entry that is forgotten says nothing any more."""

    __tablename__ = "entry"

    id: str = Field(primary_key=True)
    position: int = Field(unique=True)
    key: str = Field(index=True)
    kind: str
    scope: str = Field(index=True)
    title: str
    body: str
    signature: str
    source: str = Field(index=True)
    confidence: float
    valid: bool = True
    valid_from: datetime = Field(default_factory=now)
    valid_to: datetime | None = None
    invalid_because: str | None = None
    content: str = ""
    content_hash: str = ""
    author: str = ""
    trust: str = "agent"
    status: str = Field(default="active", index=True)
    sensitivity: str = "internal"
    importance: float = 0.5
    recorded_at: datetime = Field(default_factory=now)
    retired_at: datetime | None = None
    expires_at: datetime | None = None
    held_because: str | None = None
    use_count: int = 0
    used_at: datetime | None = None


class EntryLinkRow(SQLModel, table=True):
    """An entry's links: `evidence` (a task), `supersedes` (an entry), `implements` (a tool made from it), `source`."""

    __tablename__ = "entry_link"
    __table_args__ = (UniqueConstraint("entry_id", "relation", "target"),)

    id: int | None = Field(default=None, primary_key=True)
    entry_id: str = Field(foreign_key="entry.id", index=True)
    relation: str
    target: str = Field(index=True)
    start: int | None = None
    stop: int | None = None


class EntryEventRow(SQLModel, table=True):
    """One change of an entry: never edited, never deleted."""

    __tablename__ = "entry_event"

    id: int | None = Field(default=None, primary_key=True)
    entry_id: str = Field(foreign_key="entry.id", index=True)
    at: datetime
    action: str
    author: str
    why: str
    other: str = ""


class EntryVectorRow(SQLModel, table=True):
    """The embedding of an entry's title and body: 32-bit floats, and the model and dimension that made them."""

    __tablename__ = "entry_vector"

    entry_id: str = Field(foreign_key="entry.id", primary_key=True)
    model: str = Field(index=True)
    dimension: int
    vector: bytes


TASK = SQLModel.metadata.tables["task"]
TRAJECTORY = SQLModel.metadata.tables["trajectory"]
STEP = SQLModel.metadata.tables["step"]
NOTES = SQLModel.metadata.tables["function_notes"]
POOL = SQLModel.metadata.tables["candidate_evidence"]
ENTRY = SQLModel.metadata.tables["entry"]
LINK = SQLModel.metadata.tables["entry_link"]
EVENT = SQLModel.metadata.tables["entry_event"]
VECTOR = SQLModel.metadata.tables["entry_vector"]
