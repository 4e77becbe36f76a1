"""A call that its caller gives up ends in the sandbox, not only on the wire."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
import pytest
from mcp import Client

from nucleate.mcp import open_server
from nucleate_sandbox import (
    NONE,
    Functions,
    Json,
    JsonObject,
    Limits,
    Lock,
    Module,
    MontySandbox,
    Outcome,
    Sandbox,
    Session,
)
from nucleate_sandbox.limits import DEFAULT
from nucleate_sandbox.outcome import TestReport
from tests.runtime.mcp.office import MODES, Office, ask, opened
from tests.runtime.mcp.processes import SPIN

PATIENCE = 30.0


class Noticed:
    """Wraps a sandbox, and keeps how each call ended."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.name, self.final = sandbox.name, sandbox.final
        self.ended: queue.SimpleQueue[Outcome] = queue.SimpleQueue()

    def open(self, *, functions: Functions = NONE, limits: Limits = DEFAULT, packages: Lock | None = None) -> Session:
        return NoticedSession(self._sandbox.open(functions=functions, limits=limits, packages=packages), self.ended)

    def close(self) -> None:
        """The sandbox is another's."""


class NoticedSession:
    def __init__(self, session: Session, ended: queue.SimpleQueue[Outcome]) -> None:
        self._session = session
        self._ended = ended

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        outcome = self._session.call(module, function, arguments)
        self._ended.put(outcome)
        return outcome

    def run(self, code: str) -> Outcome:
        return self._session.run(code)

    def test(self, module: Module, tests: object) -> TestReport:
        raise AssertionError("nothing is tested here")

    def close(self) -> None:
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Watching(Office):
    """Tells when it is called."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = threading.Event()

    def call(self, name: str, arguments: JsonObject) -> Json:
        self.reached.set()
        return super().call(name, arguments)


@pytest.mark.parametrize("mode", MODES)
def test_the_sandboxed_program_is_ended_and_nothing_is_held_against_the_tool(
    mode: str, tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    sandbox, office = Noticed(monty_sandbox), Watching()

    async def give_up(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "spin", {"text": "again"})
            assert await anyio.to_thread.run_sync(office.reached.wait, PATIENCE)
            group.cancel_scope.cancel()

    with opened(tmp_path, SPIN, sandbox=sandbox) as runtime, open_server(runtime, [office]) as server:
        ask(server, give_up, mode=mode)
        outcome = sandbox.ended.get(timeout=PATIENCE)
        assert (outcome.cancelled, outcome.limit) == (True, None)
    assert "office" not in runtime.memory.scopes()
