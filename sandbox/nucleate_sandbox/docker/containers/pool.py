"""Warm containers of one tenant: lent to one program at a time, in turn, replaced when spent."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nucleate_sandbox.docker.containers.container import MAX_SERVED, Container
from nucleate_sandbox.docker.containers.idle import IdleContainers, TurnInLine
from nucleate_sandbox.docker.containers.shape import Shape
from nucleate_sandbox.errors import SandboxError

MAX_CONTAINERS = 64
MAX_IDLE = 8
PATIENCE_SECONDS = 0.5  # about what a start takes: then a call that waits starts a container of its own
WAIT_SECONDS = 120.0


class Pool:
    """Starts containers on demand and keeps a few warm. Calls share them and wait in line; sessions hold theirs."""

    def __init__(self, start: Callable[[Shape], Container]) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._shelves: dict[Shape, IdleContainers] = defaultdict(IdleContainers)
        self._all: set[Container] = set()
        self._starting = 0
        self._closed = False
        self._helpers: set[threading.Thread] = set()

    @contextmanager
    def lease(self, shape: Shape) -> Iterator[Container]:
        """Lend a container for one call; it comes back unless it is spent or the machine failed."""
        container = self._granted(shape, self._turn(shape))
        try:
            yield container
        except BaseException:
            container.spent = True
            raise
        finally:
            self._done(shape)
            self.give(container)

    def take(self, shape: Shape) -> Container:
        """Return a warm container of this shape, or start one; it is held until it is given back."""
        with self._lock:
            self._check_open()
            container = self._shelves[shape].pop()
        return self._living(shape, container)

    def give(self, container: Container) -> None:
        """Take a container back."""
        shelf = self._shelves[container.shape]
        with self._lock:
            full = sum(map(len, self._shelves.values())) >= MAX_IDLE
            if not (container.spent or container.served >= MAX_SERVED or self._closed or full):
                shelf.put(container)
                shelf.advance()
                return
        self._drop(container)

    def close(self) -> None:
        """Remove every container; the pool lends no more."""
        with self._lock:
            self._closed = True
            containers, helpers = tuple(self._all), tuple(self._helpers)
            self._all.clear()
            for shelf in self._shelves.values():
                for turn in shelf.waiting:
                    shelf.grant(turn)
            self._shelves.clear()
        for container in containers:
            container.hang_up()
        for container in containers:
            container.close()
        for helper in helpers:
            helper.join()

    def _turn(self, shape: Shape) -> TurnInLine:
        """Return a call's place: granted at once when a container waits, or few calls are under way."""
        turn = TurnInLine()
        with self._lock:
            self._check_open()
            shelf = self._shelves[shape]
            shelf.waiting.append(turn)
            shelf.advance()
            if shelf.wants_another():
                self._help(lambda: self._pair(shape))
        return turn

    def _granted(self, shape: Shape, turn: TurnInLine) -> Container:
        """Wait for the turn, and return a living container."""
        give_up = time.monotonic() + WAIT_SECONDS
        while not turn.granted.wait(PATIENCE_SECONDS):
            self._reconsider(shape, turn, give_up)
        try:
            return self._living(shape, turn.container)
        except BaseException:
            self._done(shape)
            raise

    def _reconsider(self, shape: Shape, turn: TurnInLine, give_up: float) -> None:
        """Let a call start a container when none came back for as long as that takes, or end its waiting."""
        now = time.monotonic()
        with self._lock:
            shelf = self._shelves[shape]
            if turn.granted.is_set():
                return
            if not self._full() and now - shelf.moved >= PATIENCE_SECONDS:
                shelf.moved = now
                shelf.waiting.remove(turn)
                shelf.grant(turn)
            elif now >= give_up:
                shelf.waiting.remove(turn)
                raise SandboxError(f"no container was free for {WAIT_SECONDS:g} s; open fewer sessions, or call less")

    def _done(self, shape: Shape) -> None:
        with self._lock:
            shelf = self._shelves[shape]
            shelf.busy -= 1
            shelf.moved = time.monotonic()

    def _living(self, shape: Shape, container: Container | None) -> Container:
        """Return the container, or the next that is alive, or a new one."""
        while container is not None:
            if container.alive():
                return container
            self._drop(container)
            with self._lock:
                container = self._shelves[shape].pop()
        return self._begin(shape)

    def _begin(self, shape: Shape) -> Container:
        with self._lock:
            self._check_open()
            self._make_room(shape)
            if self._full():
                raise SandboxError(f"{MAX_CONTAINERS} containers are in use; close sessions that are no longer needed")
            self._starting += 1
        try:
            container = self._start(shape)
        finally:
            with self._lock:
                self._starting -= 1
        with self._lock:
            closed = self._closed
            if not closed:
                self._all.add(container)
        if closed:
            container.close()
            self._check_open()
        return container

    def _pair(self, shape: Shape) -> None:
        """Start a second container: while one is made ready the other serves, and takes its place when it is spent."""
        with contextlib.suppress(SandboxError):  # whoever needs a container will be told
            self.give(self._begin(shape))

    def _full(self) -> bool:
        return len(self._all) + self._starting >= MAX_CONTAINERS

    def _check_open(self) -> None:
        if self._closed:
            raise SandboxError("the sandbox is closed; make a new DockerSandbox")

    def _make_room(self, shape: Shape) -> None:
        """Give up a container of another shape when many wait."""
        if sum(map(len, self._shelves.values())) >= MAX_IDLE:
            others = (shelf for key, shelf in self._shelves.items() if key != shape and len(shelf))
            container = next((shelf.pop() for shelf in others), None)
            if container is not None:
                self._all.discard(container)
                self._help(container.close)

    def _drop(self, container: Container) -> None:
        """Close a container beside the caller's work: the engine takes its time over a removal."""
        with self._lock:
            shelf = self._shelves[container.shape]
            shelf.alone()
            if container in self._all:
                self._all.discard(container)
                self._help(container.close)
            shelf.advance()

    def _help(self, work: Callable[[], object]) -> None:
        self._helpers = {helper for helper in self._helpers if helper.is_alive()}
        helper = threading.Thread(target=work, name="nucleate-sandbox-pool", daemon=True)
        helper.start()
        self._helpers.add(helper)
