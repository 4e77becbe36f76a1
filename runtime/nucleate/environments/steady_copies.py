"""An environment whose copies are taken between two calls, never during one: learning copies what agents change."""

from __future__ import annotations

import threading
import time

from nucleate.environments.wrapping import Wrapping
from nucleate_sandbox import Environment, Json, JsonObject

LONGEST_WAIT = 5.0


class Turns:
    """Any number of calls at once, or one copy. A copy waits for a moment without calls, though not for ever."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls = 0

    def begin(self) -> None:
        """Begin a call; wait while a copy is taken."""
        with self._changed:
            self._calls += 1

    def end(self) -> None:
        """End a call."""
        with self._changed:
            self._calls -= 1
            self._changed.notify_all()

    def copied(self, environment: Environment) -> Environment:
        """Return a copy, taken while no call is under way; after the longest wait, taken all the same."""
        until = time.monotonic() + LONGEST_WAIT
        with self._changed:
            while self._calls and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            return environment.fork()


class SteadyCopies(Wrapping):
    """Wraps an environment; the runtime hands out no other, so that its worker never copies a half-done change."""

    def __init__(self, environment: Environment, turns: Turns) -> None:
        super().__init__(environment)
        self._turns = turns

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call the environment."""
        self._turns.begin()
        try:
            return self._environment.call(name, arguments)
        finally:
            self._turns.end()

    def fork(self) -> Environment:
        """Return an independent copy, taken between two calls."""
        return self._turns.copied(self._environment)
