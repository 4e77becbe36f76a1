"""The statements on the table of jobs: which is due, which is abandoned, which key is known."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select, tuple_
from sqlalchemy import Row as SqlRow
from sqlalchemy.sql.base import ReadOnlyColumnCollection
from sqlmodel import SQLModel

from nucleate.jobs.job_values import JobState
from nucleate.jobs.owners import is_gone
from nucleate.tables import FinishedJobRow, JobRow

Row: TypeAlias = SqlRow[Any]
Columns: TypeAlias = "ReadOnlyColumnCollection[str, Any]"

JOB = SQLModel.metadata.tables[str(JobRow.__tablename__)]
FINISHED = SQLModel.metadata.tables[str(FinishedJobRow.__tablename__)]
RUNNING = select(JOB).where(JOB.c.state == JobState.RUNNING).order_by(JOB.c.id)  # in one order, whoever locks them
FIRST_MOMENT = select(func.min(JOB.c.not_before)).where(JOB.c.state == JobState.QUEUED)
_FAR = timedelta(days=2)  # nothing is put off for longer: a later moment was written by a clock that was wrong


def due(at: datetime, besides: Collection[int] = ()) -> Select[Any]:
    """Select the next job that may run: its moment has come, it is the first of its lane, and none of that is running.

    On PostgreSQL rows that another worker is taking are skipped, though never to get at a later one of the same lane;
    SQLite has one writer at a time anyway.
    """
    other, earlier = JOB.alias(), JOB.alias()
    busy = select(other.c.lane).where(other.c.state == JobState.RUNNING, other.c.lane != "")
    before = tuple_(*_order(earlier.c)) < tuple_(*_order(JOB.c))
    first = or_(JOB.c.lane == "", ~exists().where(earlier.c.lane == JOB.c.lane, _waiting(at, earlier.c), before))
    free = (JOB.c.lane.not_in(busy), JOB.c.id.not_in(list(besides)), first)
    return select(JOB).where(_waiting(at), *free).order_by(*_order(JOB.c)).limit(1).with_for_update(skip_locked=True)


def open_now(at: datetime) -> Select[Any]:
    """Select a job that could run now but for others of its lane, or that runs."""
    return select(JOB.c.id).where(or_(JOB.c.state == JobState.RUNNING, _waiting(at))).limit(1)


def is_abandoned(row: Row, *, at: datetime, longest: timedelta) -> bool:
    """Return whether the owner of a running job has ended, or let the lease run out.

    A lease that ends later than any can, counted from now, was given by a clock that was wrong.
    """
    until: datetime | None = row.leased_until
    return bool(is_gone(row.owner)) or until is None or not at <= until <= at + longest


def knows(connection: Connection, key: str) -> bool:
    """Return whether a job with this key was ever queued."""
    wanted = (select(table.c.key).where(table.c.key == key).limit(1) for table in (JOB, FINISHED))
    return any(connection.scalar(query) is not None for query in wanted)


def _order(columns: Columns) -> tuple[ColumnElement[Any], ...]:
    return columns.turn, columns.priority, columns.id


def _waiting(at: datetime, columns: Columns = JOB.c) -> ColumnElement[bool]:
    moment = columns.not_before
    return and_(columns.state == JobState.QUEUED, or_(moment.is_(None), moment <= at, moment > at + _FAR))
