"""Who does queued work while this process lives: a thread, the caller itself, or nobody here."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal, Protocol

from nucleate.database import OUT
from nucleate.jobs.pace import Pace
from nucleate.jobs.thread import WorkerThread
from nucleate.jobs.working import Worker


class Background(Protocol):
    """Does queued work, sooner or later."""

    def wake(self) -> None:
        """Say that there may be work."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Return True once nothing is left that can be done now."""
        ...

    def close(self, *, wait: bool = True) -> None:
        """End it, after what is queued unless `wait` is False."""
        ...


class Inline:
    """Does the work at once, in the caller's thread: for scripts and tests that want one order of things."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def wake(self) -> None:
        """Do everything that can be done; nothing where the database cannot be used: the caller's task goes on."""
        with suppress(*OUT):
            self._worker.drain_now()

    def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002 - nothing is ever left to wait for
        """Return True: the work was done when it was queued."""
        return True

    def close(self, *, wait: bool = True) -> None:
        """Do nothing: there is nothing to end."""


class Off:
    """Leaves the work to `nucleate worker`, or to another process that has a thread for it."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def wake(self) -> None:
        """Do nothing."""

    def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002 - nobody here will do what is left
        """Return whether nothing is left to do."""
        return not self._worker.jobs.pending()

    def close(self, *, wait: bool = True) -> None:
        """Do nothing: there is nothing to end."""


def start_background(choice: Literal["thread", "inline", "off"], worker: Worker, *, pace: Pace) -> Background:
    """Return who does the work, as the settings say."""
    if choice == "off":
        return Off(worker)
    # A database in memory belongs to one thread: another would see an empty one.
    alone = worker.jobs.engine.url.database in (None, "", ":memory:")
    return Inline(worker) if choice == "inline" or alone else WorkerThread(worker, pace=pace)
