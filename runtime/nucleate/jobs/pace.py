"""Lets background work wait while a task is under way in this process, though never for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 10.0
SETTLED = 0.05


class Pace:
    """Counts the tasks under way. Work that may wait asks `quiet` before it begins, and between two parts of it.

    `patience` is the longest that one such wait takes, in seconds: tasks without a gap delay learning, and do not
    end it. A gap counts from `settled` seconds on, so that tasks in close order are not each met by a new job.
    """

    def __init__(self, *, patience: float = PATIENCE, settled: float = SETTLED) -> None:
        self._patience = patience
        self._settled = settled
        self._changed = threading.Condition()
        self._under_way = 0
        self._hurried = 0
        self._ended = float("-inf")

    @contextmanager
    def task(self) -> Iterator[None]:
        """Mark a task as under way."""
        self._add(tasks=1)
        try:
            yield
        finally:
            self._ended = time.monotonic()
            self._add(tasks=-1)

    @contextmanager
    def hurry(self) -> Iterator[None]:
        """Let nothing wait meanwhile: somebody waits for the work itself."""
        self._add(hurried=1)
        try:
            yield
        finally:
            self._add(hurried=-1)

    def quiet(self, *, patience: float | None = None) -> None:
        """Return when no task is under way, when somebody hurries, or when patience has run out."""
        until = time.monotonic() + (self._patience if patience is None else patience)
        with self._changed:
            while not self._hurried and (left := until - time.monotonic()) > 0:
                gap = self._settled - (time.monotonic() - self._ended)
                if not self._under_way and gap <= 0:
                    return
                self._changed.wait(left if self._under_way else min(gap, left))

    def _add(self, *, tasks: int = 0, hurried: int = 0) -> None:
        with self._changed:
            self._under_way += tasks
            self._hurried += hurried
            self._changed.notify_all()
