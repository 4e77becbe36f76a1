"""A lease that is kept while its job is done: renewed by a thread of its own, and asked at every safe point."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from nucleate.jobs.job_values import Job
from nucleate.jobs.queue import Jobs

_BEATS = 4  # in one lease: a beat or two may be missed
_LOG = logging.getLogger(__name__)


class Interrupted(Exception):
    """The worker is to stop, or has lost the job: what it does now would not count."""


class Lease:
    """One job in hand. `check` raises Interrupted where going on is of no use."""

    def __init__(self, jobs: Jobs, job: Job, *, stopping: Callable[[], bool]) -> None:
        self.job = job
        self._jobs = jobs
        self._stopping = stopping
        self._lost = False
        self._ended = threading.Event()

    def check(self) -> None:
        """Return while the job is ours and the worker goes on."""
        if self._lost:
            raise Interrupted(f"job {self.job.id} was cancelled, or its lease ran out")
        if self._stopping():
            raise Interrupted("the worker stops")

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Renew the lease until the block ends."""
        beat = threading.Thread(target=self._beat, name=f"nucleate-lease-{self.job.id}", daemon=True)
        beat.start()
        try:
            yield
        finally:
            self._ended.set()
            beat.join()

    def _beat(self) -> None:
        seconds = self._jobs.retries.lease.total_seconds() / _BEATS
        while not self._ended.wait(seconds):
            try:
                self._lost = not self._jobs.renew(self.job)
            except DBAPIError as fault:  # it is tried again before the lease ends
                _LOG.warning("the lease of job %s was not renewed: %s", self.job.id, fault.orig)
