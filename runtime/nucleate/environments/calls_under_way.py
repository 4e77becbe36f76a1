"""A call under way: whoever made it can end it, and hears which environment functions it calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from nucleate.environments.wrapping import Wrapping
from nucleate_sandbox import (
    NONE,
    Functions,
    Json,
    JsonObject,
    Limits,
    Lock,
    Sandbox,
    Session,
)
from nucleate_sandbox.limits import DEFAULT

_CURRENT: ContextVar[CallUnderway | None] = ContextVar("underway", default=None)


class CallUnderway:
    """What runs in a `with call.here():` block, in this thread and in those that it lends its context to."""

    def __init__(self, heard: Callable[[str], object] = lambda _name: None) -> None:
        self.heard = heard
        self.stopped = False
        self._endings: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def stop(self) -> None:
        """End whatever the call has opened or will open, sandbox sessions and questions to servers; from any thread."""
        with self._lock:
            self.stopped = True
            endings = tuple(self._endings)
        for end in endings:
            end()

    @contextmanager
    def here(self) -> Iterator[None]:
        """Make this the call that is under way."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)

    def holds(self, end: Callable[[], object]) -> None:
        """Take what ends something that belongs to the call."""
        with self._lock:
            self._endings.append(end)
            stopped = self.stopped
        if stopped:
            end()

    def releases(self, end: Callable[[], object]) -> None:
        """Forget it: it has ended."""
        with self._lock:
            self._endings.remove(end)


@contextmanager
def holding(end: Callable[[], object]) -> Iterator[None]:
    """Let the call that is under way here, if there is one, end what the block waits for."""
    call = _CURRENT.get()
    if call is None:
        yield
        return
    call.holds(end)
    try:
        yield
    finally:
        call.releases(end)


class Stoppable:
    """Wraps a sandbox: a session belongs to the call under which it was opened."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @property
    def name(self) -> str:
        return self._sandbox.name

    @property
    def final(self) -> bool:
        return self._sandbox.final

    def open(self, *, functions: Functions = NONE, limits: Limits = DEFAULT, packages: Lock | None = None) -> Session:
        """Open a session."""
        session = self._sandbox.open(functions=functions, limits=limits, packages=packages)
        call = _CURRENT.get()
        if call is not None:
            call.holds(session.close)
        return session

    def close(self) -> None:
        """End the sandbox."""
        self._sandbox.close()


class WatchedEnvironment(Wrapping):
    """Wraps an environment: the call under way hears of every function that is called."""

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call the environment."""
        call = _CURRENT.get()
        if call is not None:
            call.heard(name)
        return self._environment.call(name, arguments)
