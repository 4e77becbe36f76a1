"""Tables of the runtime: the functions of known environments, and jobs."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Connection, Text, text
from sqlmodel import Field, SQLModel


class EnvironmentRow(SQLModel, table=True):
    """The functions of one environment, as last seen, so that later processes can judge and call its tools."""

    __tablename__ = "environment"

    name: str = Field(primary_key=True)
    functions: str = Field(sa_column=Column(Text, nullable=False))
    updated_at: datetime


class JobRow(SQLModel, table=True):
    """One piece of background work: idempotent by key, leased by an owner, retried when the owner is gone."""

    __tablename__ = "job"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    kind: str
    subject: str
    state: str = Field(default="queued", index=True)
    owner: str = ""
    leased_until: datetime | None = None
    attempts: int = 0
    error: str = ""
    created_at: datetime


def stamp(connection: Connection, revision: str) -> None:
    """Record that the schema is at an Alembic revision."""
    connection.execute(text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL)"))
    connection.execute(text("DELETE FROM alembic_version"))
    connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:revision)"), {"revision": revision})
