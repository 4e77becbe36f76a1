"""Does jobs one after another: each ends as done, is given back after an outage, or is dead with the reason."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TypeAlias

from nucleate.jobs.queue import Job, Jobs

Handler: TypeAlias = Callable[[Job], None]
_LOG = logging.getLogger(__name__)


class Worker:
    """Takes jobs from the queue and hands each to the handler of its kind.

    `outages` are the errors that say nothing about the job; any other error of a handler ends the job, not the worker.
    """

    def __init__(self, jobs: Jobs, handlers: Mapping[str, Handler], *, outages: tuple[type[Exception], ...]) -> None:
        self.jobs = jobs
        self._handlers = dict(handlers)
        self._outages = outages

    def drain(self, *, before_each: Callable[[], bool] = lambda: True) -> int:
        """Do jobs until none is left that can be done, or `before_each` says no; return how many ended well."""
        done, given_up = 0, set[int]()
        while before_each() and (job := self.jobs.lease(besides=given_up)) is not None:
            if self._do(job):
                done += 1
            else:
                given_up.add(job.id)
        return done

    def _do(self, job: Job) -> bool:
        try:
            self._handlers[job.kind](job)
        except self._outages as outage:
            self.jobs.fail(job, str(outage))
            return False
        except Exception as error:  # noqa: BLE001 - the outermost loop of a worker: one job must not end all others
            _LOG.warning("job %s (%s %s) failed", job.id, job.kind, job.subject, exc_info=True)
            self.jobs.fail(job, f"{type(error).__name__}: {error}")
            return False
        self.jobs.finish(job)
        return True
