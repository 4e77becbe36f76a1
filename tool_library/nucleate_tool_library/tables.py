"""The library's tables: content (`tool_version`) is immutable, changes of a `tool` are events (`release`)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint, false
from sqlmodel import Field, SQLModel


class ToolRow(SQLModel, table=True):
    """A name in a scope. `export_key` is the name as exports map it, so that two names never share a folder."""

    __tablename__ = "tool"
    __table_args__ = (UniqueConstraint("scope", "export_key"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(index=True)
    scope: str = Field(index=True)
    export_key: str
    state: str = Field(index=True)
    number: int = 1
    version_id: str = Field(foreign_key="tool_version.id", index=True)
    plan_id: str | None = None
    release: str = Field(default="1.0.0", sa_column_kwargs={"server_default": "1.0.0"})
    pinned: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    created_at: datetime


class ToolVersionRow(SQLModel, table=True):
    """One immutable body; `id` is the hash of its content, signature to verdict are JSON text."""

    __tablename__ = "tool_version"

    id: str = Field(primary_key=True)
    name: str = Field(index=True)
    scope: str = Field(index=True)
    source: str
    signature: str
    tests: str
    evidence: str
    template: str
    verdict: str
    lock: str = Field(default="", sa_column_kwargs={"server_default": ""})
    author: str = Field(default="", sa_column_kwargs={"server_default": ""})
    prompt_hash: str = Field(default="", sa_column_kwargs={"server_default": ""})
    schemas: str = Field(default="{}", sa_column_kwargs={"server_default": "{}"})
    summary: str = Field(default="", sa_column_kwargs={"server_default": ""})
    created_at: datetime


class DependencyRow(SQLModel, table=True):
    """A version calls another version."""

    __tablename__ = "dependency"

    version_id: str = Field(foreign_key="tool_version.id", primary_key=True)
    depends_on: str = Field(foreign_key="tool_version.id", primary_key=True, index=True)
    position: int


class ClosureRow(SQLModel, table=True):
    """A version reaches another version or itself; `depth` is the longest way there. Derived from `dependency`."""

    __tablename__ = "closure"
    # The key is all that a row holds: stored as an index alone, it takes half the room.
    __table_args__ = {"sqlite_with_rowid": False}  # what SQLAlchemy asks for

    version_id: str = Field(foreign_key="tool_version.id", primary_key=True)
    member_id: str = Field(foreign_key="tool_version.id", primary_key=True, index=True)
    depth: int


class AliasRow(SQLModel, table=True):
    """A name that leads to a tool of another name, because somebody renamed, merged or split it."""

    __tablename__ = "alias"
    __table_args__ = (UniqueConstraint("scope", "export_key"),)

    id: int | None = Field(default=None, primary_key=True)
    scope: str
    name: str = Field(index=True)
    export_key: str
    tool_id: int = Field(foreign_key="tool.id", index=True)
    by: str
    why: str
    at: datetime


class UsageRow(SQLModel, table=True):
    """Which tool a version belongs to, and how often it was called: sums of `invocation`, kept at each call."""

    __tablename__ = "usage"

    version_id: str = Field(foreign_key="tool_version.id", primary_key=True)
    tool_id: int = Field(foreign_key="tool.id", index=True)
    uses: int = 0
    passes: int = 0


class CapabilityRow(SQLModel, table=True):
    """A version may call an environment function."""

    __tablename__ = "capability"

    version_id: str = Field(foreign_key="tool_version.id", primary_key=True)
    function: str = Field(primary_key=True, index=True)
    position: int


class InvocationRow(SQLModel, table=True):
    """One call of a version, on whatever path it came."""

    __tablename__ = "invocation"

    id: int | None = Field(default=None, primary_key=True)
    version_id: str = Field(foreign_key="tool_version.id", index=True)
    ok: bool
    milliseconds: float
    calls: int
    path: str
    error: str | None = None
    at: datetime


class ReleaseRow(SQLModel, table=True):
    """One event in a tool's life: what changed, who or what approved it, and why."""

    __tablename__ = "release"

    id: int | None = Field(default=None, primary_key=True)
    tool_id: int = Field(foreign_key="tool.id", index=True)
    version_id: str = Field(foreign_key="tool_version.id", index=True)
    number: int
    release: str = Field(default="1.0.0", sa_column_kwargs={"server_default": "1.0.0"})
    from_state: str | None = None
    to_state: str
    action: str = Field(default="moved", sa_column_kwargs={"server_default": "moved"})
    by: str
    why: str
    at: datetime
