"""The engine of this machine under a TCP address, as an engine elsewhere would have one."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from types import TracebackType
from typing import Self

from nucleate_sandbox.docker.engine import HERE, engine_address

SOCKET = engine_address().removeprefix(HERE)


class EngineProxy:
    """Carries bytes between 127.0.0.1 and the engine's socket, from a thread of its own."""

    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def cut(self) -> None:
        """Break every connection, as a network does."""
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result()

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        engine_reader, engine_writer = await asyncio.open_unix_connection(SOCKET)
        self._open |= {writer, engine_writer}
        ways = [asyncio.ensure_future(_carry(*way)) for way in ((reader, engine_writer), (engine_reader, writer))]
        self._tasks |= set(ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, engine_writer):
            end.close()
        self._open -= {writer, engine_writer}
        await asyncio.wait(ways)
        self._tasks -= set(ways)

    async def _cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _end(self) -> None:
        self._server.close()
        await self._cut()
        if self._tasks:
            await asyncio.wait(self._tasks)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, ssl.SSLError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
