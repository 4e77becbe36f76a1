"""The values of the queue: what is asked for, what is leased, what is shown, and how often a thing is tried."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

LAST = 2**31 - 1
"""The turn of jobs that come after all learning."""

PRIORITIES = {"select": 10, "codify": 20, "reflect": 30, "review": 35, "observe": 40, "verify": 50}
ORDINARY = 50


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


class JobState(StrEnum):
    """Where a job stands. Queued and running ones are open; the other states are final until somebody says retry."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"
    CANCELLED = "cancelled"


@dataclass(frozen=True, kw_only=True)
class NewJob:
    """Work to queue: `key` names it for ever. Jobs of one `lane` run one at a time, in the order of their turns."""

    kind: str
    subject: str
    key: str
    lane: str = ""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A leased job: `kind` says what to do, `subject` with what (a task id, a plan id).

    `token` is different for each lease: whoever comes back with an old one has lost the job to somebody else.
    """

    id: int
    kind: str
    subject: str
    lane: str = ""
    turn: int = LAST
    attempts: int = 1
    token: int = 1


@dataclass(frozen=True, kw_only=True)
class JobRecord:
    """A job as it is shown: state, tries, when it runs next, who has it, and what was last wrong."""

    id: int
    key: str
    kind: str
    subject: str
    lane: str
    state: JobState
    attempts: int
    deaths: int
    owner: str
    error: str
    created_at: datetime
    not_before: datetime | None
    leased_until: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Retries:
    """How long a lease lasts, and how often and when a job is tried again.

    An outage says nothing about the job, so there are many tries, further and further apart; a worker that dies is
    rarely killed by its job, yet a job that outlives this many workers is dead.
    """

    lease: timedelta = timedelta(minutes=2)
    attempts: int = 12
    deaths: int = 25
    first: timedelta = timedelta(seconds=30)
    longest: timedelta = timedelta(hours=1)

    def pause(self, attempts: int) -> timedelta:
        """Return how long to wait after so many tries: doubling, up to the longest."""
        return min(self.first * (1 << min(attempts - 1, 20)), self.longest)
