"""The order to end what a session runs, which closing the session gives from whatever thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nucleate_sandbox.outcome import Failure

CANCELLED = Failure(kind="Cancelled", message="the program was ended: its session was closed while it ran")


class Stopped(Exception):
    """The order was given while a program ran."""


class Stop:
    """Given once and never taken back; whoever waits is woken by an action of its own."""

    def __init__(self) -> None:
        self._given = False
        self._lock = threading.Lock()
        self._actions: list[Callable[[], object]] = []

    @property
    def given(self) -> bool:
        """True from the order on."""
        return self._given

    def give(self) -> None:
        """Give the order; the actions are done, and none of them after its block was left."""
        with self._lock:
            self._given = True
            for action in self._actions:
                action()

    @contextmanager
    def waking(self, action: Callable[[], object]) -> Iterator[None]:
        """Have the order do this while the block runs, at once if it is given already."""
        with self._lock:
            self._actions.append(action)
            if self._given:
                action()
        try:
            yield
        finally:
            with self._lock:
                self._actions.remove(action)
