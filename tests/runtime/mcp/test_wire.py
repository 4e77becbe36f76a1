"""A server that a client starts: nothing but protocol on its output, and nothing that a client sends ends it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.mcp.processes import OFFICE, ROOT, command, stocked

pytestmark = pytest.mark.slow  # each starts a server of its own

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "by-hand", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Wire:
    """Lines to a server and back."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, *messages: Any) -> None:
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stocked(tmp_path_factory.mktemp("office"))


@contextmanager
def wired(database: Path, errors: Path) -> Iterator[Wire]:
    with errors.open("wb") as file:
        process = subprocess.Popen(
            command(database, *OFFICE), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file
        )
        try:
            yield Wire(process)
        finally:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def test_prints_of_tools_environments_and_children_stay_off_the_wire(database: Path, tmp_path: Path) -> None:
    with wired(database, tmp_path / "errors") as wire:
        wire.send(HELLO, READY, call(2, "add_twice", text="tea"))
        assert wire.receive()["id"] == 1
        answer = wire.receive()
        wire.process.stdin.close()  # type: ignore[union-attr]
        rest = wire.process.stdout.read()  # type: ignore[union-attr]
        wire.process.wait(60)
    assert (answer["id"], answer["result"]["structuredContent"]) == (2, {"result": ["tea", "tea"]})
    assert (rest, wire.process.returncode) == (b"", 0)
    said = (tmp_path / "errors").read_text(encoding="utf-8")
    for line in ("the module of the environment is imported", "the environment is made", "the environment is called",
                 "by the back door", "by the descriptor", "by a child"):  # fmt: skip
        assert line in said


BROKEN = (
    b"this is no JSON\n",
    b'{"jsonrpc": "2.0", "id": 7\n',
    b"[1, 2, 3]\n",
    b'{"jsonrpc": "1.0", "id": 8, "method": "tools/list"}\n',
    b"\xff\xfe\x00\n",
    b"\n",
    b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": 5}}\n',
    b'{"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": "everything"}\n',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}\n',
    b"[" * 100_000 + b"\n",
)


def test_a_client_that_sends_rubbish_is_served_all_the_same(database: Path, tmp_path: Path) -> None:
    with wired(database, tmp_path / "errors") as wire:
        wire.send(HELLO, READY, *BROKEN, call(99, "count_notes"))
        answers = iter(wire.receive, None)
        answer = next(message for message in answers if message.get("id") == 99)
    assert "result" in answer["result"]["structuredContent"]


def test_a_client_that_leaves_in_the_middle_of_a_call_ends_the_server(database: Path, tmp_path: Path) -> None:
    with wired(database, tmp_path / "errors") as wire:
        begun = call(2, "spin", text="again")
        begun["params"]["_meta"] = {"progressToken": "p"}
        wire.send(HELLO, READY, begun)
        assert wire.receive()["id"] == 1
        assert wire.receive()["method"] == "notifications/progress"
        wire.process.stdin.close()  # type: ignore[union-attr]
        while wire.process.stdout.readline():  # type: ignore[union-attr]
            pass
        assert wire.process.wait(60) == 0
