"""A thread of this process that does the queue's work while tasks go on."""

from __future__ import annotations

import logging
import threading
import time

from sqlalchemy.exc import DBAPIError

from nucleate.jobs.pace import Pace
from nucleate.jobs.worker import Worker

POLL = 0.2
FAULT_PAUSE = 1.0
CLOSE_SECONDS = 10.0
_LOG = logging.getLogger(__name__)


class WorkerThread:
    """Starts with the first `wake`. It is a daemon: what a process leaves undone when it ends, another takes up."""

    def __init__(self, worker: Worker, *, pace: Pace) -> None:
        self._worker = worker
        self._pace = pace
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._woken = False
        self._busy = False
        self._stopped = False

    def wake(self) -> None:
        """Say that there may be work."""
        with self._changed:
            self._woken = True
            if self._thread is None and not self._stopped:
                self._thread = threading.Thread(target=self._run, name="nucleate-worker", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> bool:
        """Return True once nothing is left that can be done now; False where that takes longer than `timeout`."""
        until = None if timeout is None else time.monotonic() + timeout
        with self._pace.hurry():
            while True:
                if not self._idle(until):
                    return False
                if not self._worker.jobs.pending():
                    return True
                if until is not None and time.monotonic() >= until:
                    return False
                self.wake()
                with self._changed:  # another process has a job; ask again soon
                    self._changed.wait_for(lambda: self._stopped, POLL)

    def close(self, *, wait: bool = True) -> None:
        """End the thread: after what is queued if the thread ever began, else after the job that it is at."""
        if wait and self._thread is not None:
            self.wait()
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(None if wait else CLOSE_SECONDS)

    def _idle(self, until: float | None) -> bool:
        left = None if until is None else max(0.0, until - time.monotonic())
        with self._changed:
            return self._changed.wait_for(lambda: not self._woken and not self._busy, left)

    def _run(self) -> None:
        while self._next():
            try:
                self._worker.drain(before_each=self._may_begin)
            except DBAPIError as fault:  # locked by somebody for longer than the time-out, or gone for a while
                _LOG.warning("the queue cannot be read: %s; trying again", fault.orig)
                self._pause()
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()

    def _next(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._woken or self._stopped)
            self._woken, self._busy = False, True
            return not self._stopped

    def _may_begin(self) -> bool:
        self._pace.quiet()
        # While the interpreter ends, pools refuse work: a job that begins now would fail for no fault of its own.
        return not self._stopped and threading.main_thread().is_alive()

    def _pause(self) -> None:
        with self._changed:
            self._woken = True
            self._changed.wait_for(lambda: self._stopped, FAULT_PAUSE)
