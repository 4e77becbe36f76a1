"""Chooses the sandbox: Docker when its engine answers, else the embedded interpreter; started when first needed."""

from __future__ import annotations

import threading

import nucleate_sandbox
from nucleate.settings.backends import DOCKER, MONTY, Backend
from nucleate_sandbox import EngineUnavailable, Sandbox


class LazySandbox:
    """Starts nothing until a sandbox is needed, and ends only what it started itself."""

    def __init__(self, choice: Backend, *, runtime: str | None = None, given: Sandbox | None = None) -> None:
        self._choice = choice
        self._runtime = runtime
        self._given = given
        self._started: Sandbox | None = None
        self._lock = threading.Lock()

    def get(self) -> Sandbox:
        """Return the sandbox; SandboxError says what is missing where Docker was asked for by name."""
        if self._given is not None:
            return self._given
        with self._lock:
            if self._started is None:
                self._started = start_sandbox(self._choice, runtime=self._runtime)
            return self._started

    def close(self) -> None:
        """End the sandbox if this object started it."""
        with self._lock:
            if self._started is not None:
                self._started.close()
                self._started = None


def start_sandbox(choice: Backend, *, runtime: str | None = None) -> Sandbox:
    """Start `docker` (with another runtime of its engine, where one is named), `monty`, or what answers (`auto`)."""
    if choice == MONTY:
        return nucleate_sandbox.MontySandbox()
    sandbox = nucleate_sandbox.DockerSandbox(runtime=runtime)
    try:
        sandbox.open().close()
    except EngineUnavailable:
        if choice == DOCKER:
            raise
        return nucleate_sandbox.MontySandbox()
    return sandbox
