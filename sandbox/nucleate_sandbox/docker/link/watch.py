"""Whether a program has used up its processor time together with the processes that it started."""

from __future__ import annotations

import time

LOOK_SECONDS = 0.25
SLACK_SECONDS = 0.25  # the timer inside the program is exact: this one is for what escapes it


class Watch:
    """Compares what the container has used since the first look, which a short program never needs."""

    def __init__(self, seconds: float) -> None:
        self._allowed = seconds + SLACK_SECONDS
        self._next = time.monotonic() + LOOK_SECONDS
        self._first: float | None = None
        self.over = False

    def due(self, now: float) -> bool:
        """Tell whether to look now; the answer to the last look comes in before the next."""
        if now < self._next:
            return False
        self._next = now + LOOK_SECONDS
        return True

    def saw(self, cpu_seconds: float) -> None:
        """Take the container's processor time."""
        self._first = cpu_seconds if self._first is None else self._first
        self.over = cpu_seconds - self._first > self._allowed
