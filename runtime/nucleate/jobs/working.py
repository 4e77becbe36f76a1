"""Does jobs one after another: each ends as done, is given back after an outage, or is dead with the reason."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TypeAlias

from sqlalchemy.exc import DBAPIError

from nucleate import telemetry
from nucleate.jobs.job_values import Job
from nucleate.jobs.lease import Interrupted, Lease
from nucleate.jobs.pace import Pace
from nucleate.jobs.queue import Effect, Jobs

Handler: TypeAlias = Callable[[Job], Effect | None]
Outages: TypeAlias = tuple[type[Exception], ...]
NONE: Mapping[str, Handler] = MappingProxyType({})
BRIEFLY = 2.0
TIDY_SECONDS = 3600.0
_LOG = logging.getLogger(__name__)


class Deferred(Exception):
    """A job cannot be done before a moment, as when a budget is used up; that is no fault and no try."""

    def __init__(self, until: datetime, why: str) -> None:
        super().__init__(why)
        self.until = until


class Worker:
    """Takes jobs from the queue and hands each to the handler of its kind.

    A handler returns what must happen together with the end of its job, and only if the job is still its own; the rest
    of what it does can be repeated. `outages` are the errors that say nothing about the job; any other error of a
    handler ends the job, not the worker.
    """

    def __init__(
        self, jobs: Jobs, handlers: Mapping[str, Handler] = NONE, *, outages: Outages = (), pace: Pace
    ) -> None:
        self.jobs = jobs
        self._handlers = dict(handlers)
        self._outages: Outages = (*outages, DBAPIError)
        self._pace = pace
        self._stopped = threading.Event()
        self._mine = threading.local()
        self._tidied = -TIDY_SECONDS
        self.prepare: Callable[[], object] = lambda: None  # before each time that jobs are looked for

    def add(self, handlers: Mapping[str, Handler]) -> None:
        """Do jobs of these kinds too."""
        self._handlers |= handlers

    def stop(self) -> None:
        """Begin no other job, and give the one in hand back at its next safe point."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()

    @property
    def job(self) -> Job | None:
        """Return the job that this thread has in hand."""
        lease: Lease | None = getattr(self._mine, "lease", None)
        return lease.job if lease is not None else None

    def drain(self) -> int:
        """Do jobs until none is left that can be done; return how many ended well."""
        self.prepare()
        done = 0
        while self._may_begin() and (job := self.jobs.lease()) is not None:
            done += self._do(job)
        self._tidy()
        return done

    def drain_now(self) -> int:
        """Do the same without waiting for tasks: somebody waits for the work itself."""
        with self._pace.hurry():
            return self.drain()

    def checkpoint(self) -> None:
        """Mark a safe point in a job: let tasks go first, and raise Interrupted where going on is of no use."""
        lease: Lease | None = getattr(self._mine, "lease", None)
        if lease is not None:
            self._pace.quiet(patience=BRIEFLY)
            lease.check()

    def _may_begin(self) -> bool:
        self._pace.quiet()
        # While the interpreter ends, pools refuse work: a job that begins now would fail for no fault of its own.
        return not self.stopped and threading.main_thread().is_alive()

    def _tidy(self) -> None:
        if time.monotonic() - self._tidied > TIDY_SECONDS:
            self._tidied = time.monotonic()
            self.jobs.prune()

    def _do(self, job: Job) -> bool:
        lease = self._mine.lease = Lease(self.jobs, job, stopping=lambda: self.stopped)
        try:
            with lease.kept():
                return self._run(job)
        finally:
            self._mine.lease = None

    def _run(self, job: Job) -> bool:
        try:
            handler = self._handlers.get(job.kind)
            if handler is None:
                raise LookupError(f"no handler for {job.kind!r} (there are: {', '.join(sorted(self._handlers))})")
            with telemetry.span(job.kind, {"nucleate.job.subject": job.subject}):
                effect = handler(job)
            return self.jobs.finish(job, effect)
        except Interrupted:
            self.jobs.release(job)
        except Deferred as later:
            self.jobs.defer(job, later.until, str(later))
        except self._outages as outage:
            self.jobs.fail(job, _said(outage))
        except Exception as error:  # noqa: BLE001 - the outermost loop of a worker: one job must not end all others
            self._bury(job, error)
        return False

    def _bury(self, job: Job, error: Exception) -> None:
        if not threading.main_thread().is_alive():
            return  # the interpreter ends under the job; another process takes it up
        _LOG.warning("job %s (%s %s) is dead", job.id, job.kind, job.subject, exc_info=error)
        self.jobs.bury(job, _said(error))


def _said(error: Exception) -> str:
    """Return an error as a job keeps it: of the database's what the driver says, since statements explain nothing."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return f"{type(cause).__name__}: {cause}"
