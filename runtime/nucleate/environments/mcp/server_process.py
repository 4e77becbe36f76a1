"""An MCP server as a process: bounded messages, junk on its output set aside, its last words kept for errors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError

from nucleate.environments.byte_lines import Lines, TooLong
from nucleate.environments.mcp.odd_answers import answered, messages
from nucleate_sandbox import JsonObject

Sending = MemoryObjectSendStream[SessionMessage | Exception]
Receiving = MemoryObjectReceiveStream[SessionMessage | Exception]
Writing = MemoryObjectSendStream[SessionMessage]
Written = MemoryObjectReceiveStream[SessionMessage]

CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError)
TOO_LARGE = "answer-too-large"
GRACE = 2.0  # seconds in which a server may end by itself, and then by a signal
_WORDS = 4096


@dataclass(kw_only=True)
class LastWords:
    """What a server said outside the protocol: the end of its errors, and of its junk on the output."""

    errors: str = ""
    junk: str = ""
    status: int | None = None

    def __str__(self) -> str:
        ended = [] if self.status is None else [f"it ended with status {self.status}"]
        said = " ".join((self.errors or self.junk).split())
        return "; ".join([*ended, *([f"it said {said[-400:]!r}"] if said else [])])


@dataclass(frozen=True, kw_only=True)
class Command:
    """How a server's process is started."""

    words: tuple[str, ...]
    variables: Mapping[str, str]
    folder: Path | None
    max_bytes: int
    last_words: LastWords = field(default_factory=LastWords)


@asynccontextmanager
async def process_streams(command: Command) -> AsyncIterator[tuple[Receiving, Writing]]:
    """Start the server, exchange lines with it, and end it with everything that it started."""
    process = await anyio.open_process(
        list(command.words),
        env=get_default_environment() | dict(command.variables),
        cwd=command.folder,
        start_new_session=True,
    )
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group, to_session, from_server, to_server, from_session:
        group.start_soon(_read, process, to_session, command)
        group.start_soon(_write, process, from_session, to_session)
        group.start_soon(_listen, process, command.last_words)
        try:
            yield from_server, to_server
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
            group.cancel_scope.cancel()


async def _read(process: Process, to_session: Sending, command: Command) -> None:
    lines = Lines(command.max_bytes)
    async with to_session:
        async for chunk in _chunks(process.stdout):
            for message in (message for line in lines.feed(chunk) for message in _messages(line, command)):
                try:
                    await to_session.send(message)
                except CLOSED:
                    return
        with suppress(*CLOSED):
            command.last_words.status = await process.wait()


async def _write(process: Process, from_session: Written, to_session: Sending) -> None:
    assert process.stdin is not None
    async with from_session:
        try:
            async for item in from_session:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(f"{text}\n".encode())
        except CLOSED:  # nobody reads: whoever waits for an answer must hear that there will be none
            await to_session.aclose()


async def _listen(process: Process, words: LastWords) -> None:
    async for chunk in _chunks(process.stderr):
        words.errors = (words.errors + chunk.decode("utf-8", "replace"))[-_WORDS:]


async def _chunks(stream: ByteReceiveStream | None) -> AsyncIterator[bytes]:
    assert stream is not None
    with suppress(*CLOSED):
        while True:
            yield await stream.receive()


def _messages(line: bytes | TooLong, command: Command) -> list[SessionMessage]:
    """Return a line's messages; what is none is kept among the last words."""
    if isinstance(line, TooLong):
        return _refusal(line, command.max_bytes)
    if not line.strip():
        return []
    found = messages(line)
    if not found:
        words = command.last_words
        words.junk = f"{words.junk}\n{line[-_WORDS:].decode('utf-8', 'replace')}"[-_WORDS:]
    return [SessionMessage(message) for message in found]


def _refusal(line: TooLong, most: int) -> list[SessionMessage]:
    """Answer the request whose answer is too long, if the answer says which one it is for."""
    number = answered(line.head + line.tail)
    if number is None:
        return []
    data: JsonObject = {TOO_LARGE: line.size}
    message = f"the answer has {line.size} bytes; the limit is {most}"
    error = ErrorData(code=INTERNAL_ERROR, message=message, data=json.loads(json.dumps(data)))
    return [SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=error))]


async def _end(process: Process) -> None:
    """Close its input, wait, then end the whole group: the protocol's order."""
    await _close(process.stdin)
    with anyio.move_on_after(GRACE):
        await process.wait()
    if process.returncode is None:
        await terminate_posix_process_tree(process, GRACE)
        with anyio.move_on_after(GRACE):
            await process.wait()
    await _close(process.stdout)
    await _close(process.stderr)


async def _close(stream: ByteReceiveStream | ByteSendStream | None) -> None:
    assert stream is not None
    with suppress(*CLOSED):
        await stream.aclose()
