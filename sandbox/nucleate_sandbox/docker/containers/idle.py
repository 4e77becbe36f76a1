"""The containers of one shape: those that wait for a program, and the calls that wait for a container."""

from __future__ import annotations

import threading
import time
from collections import deque

from nucleate_sandbox.docker.containers.container import Container

AT_ONCE = 2  # calls that start containers of their own without waiting for one to come back
HOT_SECONDS = 0.005  # a container taken so soon after it came back is still being made ready
HOT_TIMES = 3


class TurnInLine:
    """A call's place in the line: granted with a container, or with leave to start one."""

    def __init__(self) -> None:
        self.granted = threading.Event()
        self.container: Container | None = None


class IdleContainers:
    """Every method is called with the pool's lock held."""

    def __init__(self) -> None:
        self.waiting: deque[TurnInLine] = deque()
        self.busy = 0
        self.moved = 0.0
        self.paired = False
        self._idle: deque[tuple[Container, float]] = deque()
        self._hot = 0

    def __len__(self) -> int:
        """Return how many containers wait."""
        return len(self._idle)

    def put(self, container: Container) -> None:
        """Take a container back; the one that has waited longest goes out first, so that each has time to get ready."""
        self._idle.append((container, time.monotonic()))

    def pop(self) -> Container | None:
        """Return a container that waits."""
        if not self._idle:
            return None
        container, since = self._idle.popleft()
        self._hot += time.monotonic() - since < HOT_SECONDS
        return container

    def wants_another(self) -> bool:
        """Tell, once, that calls follow each other faster than one container gets ready."""
        if self.paired or self._hot < HOT_TIMES:
            return False
        self.paired = True
        return True

    def alone(self) -> None:
        """Note that a container is gone: calls in a row may want another again."""
        self.paired, self._hot = False, 0

    def advance(self) -> None:
        """Grant the calls that wait, in order, what there is for them."""
        while self.waiting and (self._idle or self.busy < AT_ONCE):
            self.grant(self.waiting.popleft())

    def grant(self, turn: TurnInLine) -> None:
        """Let a call go on."""
        self.busy += 1
        turn.container = self.pop()
        turn.granted.set()
