"""Jobs of the queue, and what background work took."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlmodel import col, func

from nucleate.jobs.job_values import JobRecord
from nucleate.jobs.rows import JOB
from nucleate.jobs.shown import record
from nucleate.tables import SpendingRow
from nucleate.web.reads.selecting import select

MOST_LANES = 30


@dataclass(frozen=True, kw_only=True)
class Lane:
    """Jobs of one lane that are open: how many wait, and the one that runs."""

    name: str
    waiting: int
    running: int


def page(engine: Engine, *, state: str, before: int, limit: int) -> list[JobRecord]:
    """Return jobs, the newest first."""
    query = select(JOB)
    query = query.where(JOB.c.state == state) if state else query
    query = query.where(JOB.c.id < before) if before else query
    with engine.begin() as connection:
        return [record(row) for row in connection.execute(query.order_by(JOB.c.id.desc()).limit(limit)).all()]


def lanes(engine: Engine) -> list[Lane]:
    """Return the lanes in which something waits or runs, the fullest first."""
    query = select(JOB.c.lane, JOB.c.state, func.count()).where(JOB.c.state.in_(["queued", "running"]))
    found: dict[str, dict[str, int]] = {}
    with engine.begin() as connection:
        for lane, state, count in connection.execute(query.group_by(JOB.c.lane, JOB.c.state)):
            found.setdefault(lane, {})[state] = count
    lines = [
        Lane(name=name, waiting=each.get("queued", 0), running=each.get("running", 0)) for name, each in found.items()
    ]
    return sorted(lines, key=lambda lane: -lane.waiting)[:MOST_LANES]


def background_days(engine: Engine) -> list[SpendingRow]:
    """Return what background work took on the latest days, the newest first."""
    query = select(SpendingRow.day, SpendingRow.attempts, SpendingRow.tokens, SpendingRow.dollars)
    with engine.begin() as connection:
        rows = connection.execute(query.order_by(col(SpendingRow.day).desc()).limit(30))
        return [SpendingRow(day=row[0], attempts=row[1], tokens=row[2], dollars=row[3]) for row in rows]


def day_start(day: str) -> float:
    """Return the beginning of a day, in seconds."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
