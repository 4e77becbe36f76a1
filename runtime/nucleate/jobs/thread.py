"""A thread of this process that does the queue's work while tasks go on."""

from __future__ import annotations

import logging
import threading
import time

from nucleate.database import OUT
from nucleate.jobs.job_values import now
from nucleate.jobs.pace import Pace
from nucleate.jobs.working import Worker

POLL = 0.2
FAULT_PAUSE = 1.0
LONGEST_PAUSE = 60.0
LONGEST_SLEEP = 300.0
CLOSE_SECONDS = 10.0
SHORTLY = 1.0  # while the queue cannot be read
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
        self._faults = 0

    def wake(self) -> None:
        """Say that there may be work."""
        with self._changed:
            self._woken = True
            if self._thread is None and not self._worker.stopped:
                self._thread = threading.Thread(target=self._run, name="nucleate-worker", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> bool:
        """Return True once nothing is left that can be done now; False where that takes longer than `timeout`."""
        until = None if timeout is None else time.monotonic() + timeout
        with self._pace.hurry():
            while self._idle(until):
                if self._faults:
                    return False
                if not self._worker.jobs.pending():
                    return True
                if until is not None and time.monotonic() >= until:
                    return False
                self._sleep(POLL)  # another process has a job; look again soon
                self.wake()
        return False

    def close(self, *, wait: bool = True) -> None:
        """End the thread: after what is queued if it ever began, else at the next safe point of its job."""
        if wait and self._thread is not None:
            wait = self.wait()
        self._worker.stop()
        with self._changed:
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            with self._pace.hurry():
                self._thread.join(None if wait else SHORTLY if self._faults else CLOSE_SECONDS)

    def _idle(self, until: float | None) -> bool:
        left = None if until is None else max(0.0, until - time.monotonic())
        with self._changed:
            return self._changed.wait_for(lambda: not self._woken and not self._busy, left)

    def _run(self) -> None:
        while self._next():
            try:
                self._worker.drain()
                self._faults = 0
            except OUT as fault:  # locked by somebody for longer than the time-out, or gone for a while
                self._fault(fault)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()

    def _fault(self, fault: Exception) -> None:
        """Say the first of several faults in a row, and pause the longer the more there were."""
        if not self._faults:
            _LOG.info("the queue cannot be read: %s; trying again", getattr(fault, "orig", None) or fault)
        self._faults += 1
        with self._changed:
            self._busy = False
            self._changed.notify_all()
        self._sleep(min(FAULT_PAUSE * 2.0 ** (self._faults - 1), LONGEST_PAUSE))
        self._woken = True

    def _next(self) -> bool:
        seconds = 0.0 if self._woken else self._until_due()
        with self._changed:
            self._changed.wait_for(lambda: self._woken or self._worker.stopped, seconds)
            self._woken, self._busy = False, not self._worker.stopped
            return self._busy

    def _until_due(self) -> float:
        """Return the seconds until a job that waits for its moment may run."""
        try:
            moment = self._worker.jobs.next_moment()
        except OUT:
            return FAULT_PAUSE
        left = LONGEST_SLEEP if moment is None else (moment - now()).total_seconds()
        return min(max(left, POLL), LONGEST_SLEEP)

    def _sleep(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._worker.stopped, seconds)
