"""Background work in the database: idempotent by key, leased, retried; a killed worker loses nothing."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from nucleate.tables import JobRow

LEASE = timedelta(minutes=10)
MAX_ATTEMPTS = 3


@dataclass(frozen=True, kw_only=True)
class Job:
    """A leased job: `kind` says what to do, `subject` with what (a task id, a plan id)."""

    id: int
    kind: str
    subject: str
    attempts: int


class Jobs:
    """A queue in first-in order. Work is owned by a process; a job of a dead owner is leased again."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._owner = process_identity()

    def put(self, kind: str, subject: str, *, key: str) -> bool:
        """Queue a job unless one with this key was ever queued; return whether it is new."""
        with Session(self._engine) as session:
            if session.exec(select(JobRow).where(JobRow.key == key)).first() is not None:
                return False
            session.add(JobRow(key=key, kind=kind, subject=subject, created_at=_now()))
            session.commit()
            return True

    def lease(self, *, besides: Collection[int] = ()) -> Job | None:
        """Take the oldest job that is queued, or whose owner died or let the lease run out; none of `besides`."""
        with Session(self._engine) as session:
            waiting = col(JobRow.state).in_(("queued", "running"))
            for row in session.exec(select(JobRow).where(waiting).order_by(col(JobRow.id))):
                if row.id not in besides and (row.state == "queued" or _abandoned(row)):
                    return self._take(session, row)
        return None

    def _take(self, session: Session, row: JobRow) -> Job:
        row.state, row.owner, row.leased_until = "running", self._owner, _now() + LEASE
        row.attempts += 1
        session.add(row)
        session.commit()
        return Job(id=row.id or 0, kind=row.kind, subject=row.subject, attempts=row.attempts)

    def finish(self, job: Job) -> None:
        """Mark a job as done."""
        self._end(job, state="done")

    def fail(self, job: Job, error: str) -> None:
        """Give a job back after an outage; after the last attempt it stays failed, with its error."""
        self._end(job, state="failed" if job.attempts >= MAX_ATTEMPTS else "queued", error=error)

    def retry(self) -> int:
        """Queue every failed job again; return how many."""
        with Session(self._engine) as session:
            rows = session.exec(select(JobRow).where(JobRow.state == "failed")).all()
            for row in rows:
                row.state, row.attempts = "queued", 0
                session.add(row)
            session.commit()
            return len(rows)

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        totals: dict[str, int] = {}
        with Session(self._engine) as session:
            for state in session.exec(select(JobRow.state)):
                totals[state] = totals.get(state, 0) + 1
        return totals

    def pending(self) -> bool:
        """Return whether a job waits, or is being done by somebody."""
        counted = self.counts()
        return bool(counted.get("queued") or counted.get("running"))

    def keys(self) -> frozenset[str]:
        """Return the keys of all jobs ever queued."""
        with Session(self._engine) as session:
            return frozenset(session.exec(select(JobRow.key)))

    def _end(self, job: Job, *, state: str, error: str = "") -> None:
        with Session(self._engine) as session:
            row = session.get(JobRow, job.id)
            if row is not None:
                row.state, row.error, row.leased_until = state, error, None
                session.add(row)
            session.commit()


def process_identity(pid: int | None = None) -> str:
    """Return boot id, process id and start time: a reused process id is not the same owner."""
    pid = os.getpid() if pid is None else pid
    return f"{_boot_id()}:{pid}:{_started(pid)}"


def _abandoned(row: JobRow) -> bool:
    boot, _, rest = row.owner.partition(":")
    pid = rest.partition(":")[0]
    if boot == _boot_id() and pid.isdecimal():
        return process_identity(int(pid)) != row.owner
    leased_until = row.leased_until
    return leased_until is None or leased_until.replace(tzinfo=UTC) < _now()


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except OSError:
        return "unknown"


def _started(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return "gone"
    return stat.rpartition(")")[2].split()[19]


def _now() -> datetime:
    return datetime.now(UTC)
