"""What a person does with the queue: look, try again, cancel; and what the queue does with its own past."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select, update

from nucleate.errors import InputInvalid
from nucleate.jobs import shown
from nucleate.jobs.job_values import JobRecord, JobState, now
from nucleate.jobs.rows import FINISHED, JOB
from nucleate.tables import JOBS
from nucleate_text_memory.one_writer import be_the_writer
from nucleate_tool_library import run_on

KEPT = timedelta(days=30)
_OPEN = (JobState.QUEUED, JobState.RUNNING)
_AGAIN = (JobState.DEAD, JobState.CANCELLED, JobState.QUEUED)
_AFRESH: dict[str, Any] = {
    "state": JobState.QUEUED,
    "attempts": 0,
    "deaths": 0,
    "not_before": None,
    "finished_at": None,
}


class JobTable:
    """Shows and changes jobs by their number, whoever put them."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime] = now) -> None:
        self.engine = engine
        self._clock = clock

    def list(
        self, *, states: Sequence[JobState] = (), kinds: Sequence[str] = (), limit: int | None = None
    ) -> list[JobRecord]:
        """Return jobs (in these states, of these kinds), newest first."""
        with self.engine.begin() as connection:
            return shown.listed(run_on(connection), states=states, kinds=kinds, limit=limit)

    def show(self, number: int) -> JobRecord:
        """Return one job."""
        with self.engine.begin() as connection:
            return shown.shown(run_on(connection), number)

    def retry(self, number: int) -> JobRecord:
        """Queue a job again that is dead or cancelled, or that waits for its moment, as if it were new."""
        with self.engine.begin() as connection:
            job = _held(connection, number)
            if job.state not in _AGAIN:
                raise InputInvalid(f"job {number} is {job.state}; only a dead, cancelled or waiting job is tried again")
            connection.execute(update(JOB).where(JOB.c.id == number).values(**_AFRESH))
            return shown.shown(run_on(connection), number)

    def retry_all(self) -> int:
        """Queue every dead job again; return how many."""
        with self.engine.begin() as connection:
            return connection.execute(update(JOB).where(JOB.c.state == JobState.DEAD).values(**_AFRESH)).rowcount

    def cancel(self, number: int) -> JobRecord:
        """Cancel a job that is open; what a worker does with it meanwhile has no effect on the queue any more."""
        with self.engine.begin() as connection:
            job = _held(connection, number)
            if job.state not in _OPEN:
                raise InputInvalid(f"job {number} is {job.state}; only a queued or running job can be cancelled")
            ended = {"state": JobState.CANCELLED, "finished_at": self._clock(), "leased_until": None}
            connection.execute(update(JOB).where(JOB.c.id == number).values(**ended))
            return shown.shown(run_on(connection), number)

    def hasten(self) -> int:
        """Let every job that waits for its moment run now; return how many."""
        waiting = (JOB.c.state == JobState.QUEUED, JOB.c.not_before.is_not(None))
        with self.engine.begin() as connection:
            return connection.execute(update(JOB).where(*waiting).values(not_before=None)).rowcount

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        with self.engine.begin() as connection:
            return shown.counts(run_on(connection))

    def keys(self) -> frozenset[str]:
        """Return the keys of all jobs ever queued."""
        with self.engine.begin() as connection:
            return frozenset(connection.scalars(select(JOB.c.key).union(select(FINISHED.c.key))))

    def prune(self, *, kept: timedelta = KEPT) -> int:
        """Reduce jobs that were done longer ago to their keys, which stay known; return how many."""
        old = (JOB.c.state == JobState.DONE, JOB.c.finished_at < self._clock() - kept)
        with self.engine.begin() as connection:
            be_the_writer(connection, JOBS)
            connection.execute(insert(FINISHED).from_select(["key"], select(JOB.c.key).where(*old)))
            return connection.execute(delete(JOB).where(*old)).rowcount


def _held(connection: Connection, number: int) -> JobRecord:
    """Return one job, which no worker and nobody else changes until the transaction ends."""
    connection.execute(select(JOB.c.id).where(JOB.c.id == number).with_for_update())
    return shown.shown(run_on(connection), number)
