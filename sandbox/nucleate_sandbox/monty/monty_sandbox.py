"""MontySandbox: a pool of interpreter workers, opened as sessions."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from pydantic_monty import Monty, MontyError

from nucleate_sandbox.environment import NONE, Functions
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.limits import DEFAULT, Limits
from nucleate_sandbox.monty.monty_session import MontySession
from nucleate_sandbox.monty.no_packages import LackingSession
from nucleate_sandbox.packages import Lock
from nucleate_sandbox.protocol import Session

MAX_WORKERS = 64
CALLS_PER_WORKER = 1000
CHECKOUT_SECONDS = 60.0


class MontySandbox:
    """Runs code in Monty workers. Making one costs nothing; the first session starts the pool.

    It runs a subset of Python: what it lacks is a failure with `unsupported`, so its verdicts are provisional.
    """

    name = "monty"
    final = False

    def __init__(self) -> None:
        self._pool: Monty | None = None
        self._lock = threading.Lock()

    def open(self, *, functions: Functions = NONE, limits: Limits = DEFAULT, packages: Lock | None = None) -> Session:
        """Return a session; raise SandboxError when the interpreter cannot be started."""
        if packages:
            return LackingSession(packages)
        return MontySession(self._workers(), functions, limits)

    def close(self) -> None:
        """End every worker of this sandbox."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _workers(self) -> Monty:
        with self._lock:
            if self._pool is None:
                self._pool = _started()
            return self._pool


def _started() -> Monty:
    pool = Monty(
        max_processes=MAX_WORKERS, max_checkouts_per_worker=CALLS_PER_WORKER, checkout_timeout=CHECKOUT_SECONDS
    )
    try:
        return pool.__enter__()
    except (MontyError, OSError, RuntimeError) as error:
        raise SandboxError(f"Monty does not start: {error}; reinstall pydantic-monty") from error
