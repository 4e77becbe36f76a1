"""Warm containers of one tenant: leased to one program at a time, replaced when spent."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nucleate_sandbox.docker.container import MAX_SERVED, Container
from nucleate_sandbox.docker.shape import Shape
from nucleate_sandbox.errors import SandboxError

MAX_CONTAINERS = 64
MAX_IDLE = 8


class Pool:
    """Starts containers on demand and keeps a few warm."""

    def __init__(self, start: Callable[[Shape], Container]) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._idle: dict[Shape, list[Container]] = defaultdict(list)
        self._all: set[Container] = set()
        self._starting = 0
        self._closed = False
        self._closers: set[threading.Thread] = set()

    @contextmanager
    def lease(self, shape: Shape) -> Iterator[Container]:
        """Lend a container for one program; it comes back unless it is spent or the machine failed."""
        container = self.take(shape)
        try:
            yield container
        except BaseException:
            container.spent = True
            raise
        finally:
            self.give(container)

    def take(self, shape: Shape) -> Container:
        """Return a warm container of this shape, or start one."""
        while (container := self._warm(shape)) is not None:
            if container.alive():
                return container
            self._drop(container)
        try:
            container = self._start(shape)
        finally:
            with self._lock:
                self._starting -= 1
        with self._lock:
            self._all.add(container)
        return container

    def give(self, container: Container) -> None:
        """Take a container back."""
        with self._lock:
            idle = self._idle[container.shape]
            full = sum(map(len, self._idle.values())) >= MAX_IDLE
            if not (container.spent or container.served >= MAX_SERVED or self._closed or full):
                idle.append(container)
                return
        self._drop(container)

    def close(self) -> None:
        """Remove every container; the pool lends no more."""
        with self._lock:
            self._closed = True
            containers, closers = tuple(self._all), tuple(self._closers)
            self._all.clear()
            self._idle.clear()
        for container in containers:
            container.hang_up()
        for container in containers:
            container.close()
        for closer in closers:
            closer.join()

    def _warm(self, shape: Shape) -> Container | None:
        """Return an idle container, or None after counting the start of a new one."""
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox is closed; make a new DockerSandbox")
            if idle := self._idle[shape]:
                return idle.pop()
            self._make_room(shape)
            if len(self._all) + self._starting >= MAX_CONTAINERS:
                raise SandboxError(f"{MAX_CONTAINERS} containers are in use; close sessions that are no longer needed")
            self._starting += 1
        return None

    def _make_room(self, shape: Shape) -> None:
        """Give up the idle containers of another shape when there are many."""
        others = [key for key, idle in self._idle.items() if key != shape and idle]
        if sum(map(len, self._idle.values())) >= MAX_IDLE and others:
            container = self._idle[others[0]].pop(0)
            self._all.discard(container)
            self._retire(container)

    def _drop(self, container: Container) -> None:
        with self._lock:
            if container in self._all:
                self._all.discard(container)
                self._retire(container)

    def _retire(self, container: Container) -> None:
        """Close a container beside the caller's work: the engine takes its time over a removal."""
        self._closers = {closer for closer in self._closers if closer.is_alive()}
        closer = threading.Thread(target=container.close, name="nucleate-sandbox-close", daemon=True)
        closer.start()
        self._closers.add(closer)
