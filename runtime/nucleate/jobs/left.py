"""What is left in the queue, in words."""

from __future__ import annotations

from contextlib import suppress

from nucleate.database import OUT, Database, briefly
from nucleate.jobs.job_values import JobState
from nucleate.jobs.queue import Jobs


def jobs_left(database: Database, jobs: Jobs) -> str:
    """Say how many jobs wait, and what does them; nothing where none does, or where nobody can say."""
    with suppress(*OUT), briefly(writes=False):
        count = jobs.counts().get(JobState.QUEUED, 0)
        return (
            f"{counted(count, 'job')} left to learn from; `{database.command('worker --once')}` does it"
            if count
            else ""
        )
    return ""


def counted(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
