"""Runs measurements after the answer, one at a time in a thread or at once; none ever breaks a call."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Literal

MOST_WAITING = 16
_LOG = logging.getLogger(__name__)


class Measurer:
    """Takes measurements. Those that come while too many wait are left out: measuring must not pile up."""

    def __init__(self, choice: Literal["thread", "inline"]) -> None:
        self._choice = choice
        self._waiting: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def willing(self) -> bool:
        """Return whether a measurement would be made; a copy of the environment for one that is not would be waste."""
        return self._waiting.qsize() < MOST_WAITING

    def put(self, measure: Callable[[], None]) -> None:
        """Make a measurement, sooner or later, or leave it out."""
        if self._choice == "inline":
            _best_effort(measure)
        elif self.willing:
            self._waiting.put(measure)
            self._start()

    def wait(self) -> None:
        """Return when every measurement that was put is made."""
        self._waiting.join()

    def close(self) -> None:
        """Make what waits, then end the thread."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="nucleate-trials", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while (measure := self._waiting.get()) is not None:
            try:
                _best_effort(measure)
            finally:
                self._waiting.task_done()
        self._waiting.task_done()


def _best_effort(measure: Callable[[], None]) -> None:
    try:
        measure()
    except Exception:  # noqa: BLE001 - a measurement never breaks the call that it measures (ALGORITHMS §8)
        _LOG.warning("a trial could not be measured", exc_info=True)
