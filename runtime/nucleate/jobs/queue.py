"""The queue in the database: idempotent by key, leased, in order within a lane, ended only by who holds the lease."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection, Engine, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from nucleate.jobs import rows
from nucleate.jobs.job_values import LAST, ORDINARY, PRIORITIES, Job, JobState, NewJob, Retries, now
from nucleate.jobs.owners import process_identity
from nucleate.jobs.rows import JOB
from nucleate.jobs.table import JobTable
from nucleate.tables import JOBS
from nucleate_text_memory.one_writer import be_the_writer

Effect: TypeAlias = Callable[[Connection], Callable[[], None] | None]
PATIENT = Retries()
_CONTENDED = 20


class Jobs(JobTable):
    """Work that waits in the database. A job belongs to whoever leased it last, and to nobody else."""

    def __init__(
        self, engine: Engine, *, retries: Retries = PATIENT, clock: Callable[[], datetime] = now, owner: str = ""
    ) -> None:
        super().__init__(engine, clock=clock)
        self.retries = retries
        self._owner = owner or process_identity()

    def put(self, kind: str, subject: str, *, key: str, lane: str = "", turn: int = LAST) -> bool:
        """Queue a job unless one with this key was ever queued; return whether it is new."""
        with self.engine.begin() as connection:
            be_the_writer(connection, JOBS)
            return self._add(connection, NewJob(kind=kind, subject=subject, key=key, lane=lane), turn)

    def put_together(self, jobs: Sequence[NewJob]) -> int:
        """Queue jobs as one turn, behind all that have one; return how many are new."""
        with self.engine.begin() as connection:
            be_the_writer(connection, JOBS)
            turn = (connection.scalar(select(func.max(JOB.c.id))) or 0) + 1
            return sum(self._add(connection, job, turn) for job in jobs)

    def lease(self, *, besides: Collection[int] = ()) -> Job | None:
        """Take the next job that may run now, in a lane where none runs; None where there is none.

        Before that, what owners left behind that died, or that did not renew their lease, is queued again.
        """
        for _ in range(_CONTENDED):
            with contextlib.suppress(IntegrityError), self.engine.begin() as connection:
                self._recover(connection)
                row = connection.execute(rows.due(self._clock(), besides)).first()
                return None if row is None else self._take(connection, row)
        return None  # others are faster, so they have work, and this one asks again later

    def renew(self, job: Job) -> bool:
        """Prolong a lease; False if it is lost."""
        with self.engine.begin() as connection:
            return self._change(connection, job, leased_until=self._clock() + self.retries.lease)

    def finish(self, job: Job, effect: Effect | None = None) -> bool:
        """Mark a job as done, together with its effect, or do neither: False if the lease is lost.

        What the effect returns is called afterwards, outside of the transaction.
        """
        after = None
        with self.engine.begin() as connection:
            done = self._change(connection, job, state=JobState.DONE, error="", finished_at=self._clock())
            if done and effect is not None:
                after = effect(connection)
        if after is not None:
            after()
        return done

    def fail(self, job: Job, error: str) -> bool:
        """Give a job back after an outage, to be tried again later; after the last try it is dead, with the reason."""
        if job.attempts >= self.retries.attempts:
            return self.bury(job, error)
        return self._give_back(job, error=error, not_before=self._clock() + self.retries.pause(job.attempts))

    def bury(self, job: Job, error: str) -> bool:
        """Give a job up, with the reason, until somebody asks to try it again."""
        with self.engine.begin() as connection:
            return self._change(connection, job, state=JobState.DEAD, error=error, finished_at=self._clock())

    def release(self, job: Job) -> bool:
        """Give a job back that was interrupted: it may run at once, and the try does not count."""
        return self._give_back(job, attempts=job.attempts - 1)

    def defer(self, job: Job, until: datetime, why: str) -> bool:
        """Give a job back until a moment, as when a budget is used up; the try does not count."""
        return self._give_back(job, attempts=job.attempts - 1, not_before=until, error=why)

    def pending(self) -> bool:
        """Return whether a job could run now, or runs."""
        with self.engine.begin() as connection:
            return connection.execute(rows.open_now(self._clock())).first() is not None

    def next_moment(self) -> datetime | None:
        """Return when the next job that waits for a moment may run."""
        with self.engine.begin() as connection:
            moment: datetime | None = connection.scalar(rows.FIRST_MOMENT)
            return moment

    def _add(self, connection: Connection, job: NewJob, turn: int) -> bool:
        if rows.knows(connection, job.key):
            return False
        place = {"lane": job.lane, "turn": turn, "priority": PRIORITIES.get(job.kind, ORDINARY)}
        said = {"key": job.key, "kind": job.kind, "subject": job.subject, "created_at": self._clock()}
        connection.execute(insert(JOB), {**said, **place, "state": JobState.QUEUED})
        return True

    def _recover(self, connection: Connection) -> None:
        for row in connection.execute(rows.RUNNING).all():
            if rows.is_abandoned(row, at=self._clock(), longest=2 * self.retries.lease):
                dead = row.deaths + 1 >= self.retries.deaths
                error = f"{row.deaths + 1} workers ended in the middle of it" if dead else row.error
                state = {"state": JobState.DEAD, "finished_at": self._clock()} if dead else {"state": JobState.QUEUED}
                held = (JOB.c.id == row.id, JOB.c.token == row.token, JOB.c.state == JobState.RUNNING)
                again = {"deaths": row.deaths + 1, "attempts": row.attempts - 1, "leased_until": None, "error": error}
                connection.execute(update(JOB).where(*held).values(**state, **again))

    def _take(self, connection: Connection, row: rows.Row) -> Job:
        lease = {"owner": self._owner, "leased_until": self._clock() + self.retries.lease, "not_before": None}
        counted = {"attempts": row.attempts + 1, "token": row.token + 1, "state": JobState.RUNNING}
        taken = (JOB.c.id == row.id, JOB.c.state == JobState.QUEUED, JOB.c.token == row.token)
        connection.execute(update(JOB).where(*taken).values(**lease, **counted))
        return Job(
            id=row.id,
            kind=row.kind,
            subject=row.subject,
            lane=row.lane,
            turn=row.turn,
            attempts=row.attempts + 1,
            token=row.token + 1,
        )

    def _give_back(self, job: Job, **values: object) -> bool:
        with self.engine.begin() as connection:
            return self._change(connection, job, state=JobState.QUEUED, **values)

    def _change(self, connection: Connection, job: Job, **values: object) -> bool:
        """Change a job that is still leased to its holder; the state and the token say so."""
        held = (
            JOB.c.id == job.id,
            JOB.c.token == job.token,
            JOB.c.state == JobState.RUNNING,
            JOB.c.owner == self._owner,
        )
        if "leased_until" not in values:
            values["leased_until"] = None
        return connection.execute(update(JOB).where(*held).values(**values)).rowcount > 0
