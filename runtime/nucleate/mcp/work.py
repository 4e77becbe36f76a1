"""One call off the event loop: in a thread of its own, with progress while it lasts, ended when its caller gives up."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import anyio
from anyio import from_thread, to_thread
from anyio.lowlevel import current_token
from anyio.streams.memory import MemoryObjectReceiveStream

from nucleate.environments.calls_under_way import CallUnderway
from nucleate.mcp.gate import CallRefused

T = TypeVar("T")
Report = Callable[[float, str], Awaitable[None]]
BEAT_SECONDS = 1.0
MAX_THREADS = 256
MAX_UNTOLD = 100


class Work:
    """Runs functions in threads; all clients together have a bounded number of them."""

    def __init__(self, *, threads: int = MAX_THREADS) -> None:
        self._most = threads
        self._limiter = anyio.CapacityLimiter(threads)
        self._lock = threading.Lock()
        self._alive = 0

    async def run(self, function: Callable[[CallUnderway], T], report: Report | None = None) -> T:
        """Return what a function returns. Whoever is cancelled here leaves at once, and ends what it had running."""
        self._begin()
        async with _reporting(report) as heard:
            call = CallUnderway(heard)
            try:
                return await to_thread.run_sync(
                    self._perform, function, call, limiter=self._limiter, abandon_on_cancel=True
                )
            except anyio.get_cancelled_exc_class():
                call.stop()
                raise

    def _begin(self) -> None:
        """Count threads and not callers: one that was left may still be on its way out."""
        with self._lock:
            if self._alive >= self._most:
                raise CallRefused(f"the server has {self._alive} calls under way, which is its limit; call again later")
            self._alive += 1

    def _perform(self, function: Callable[[CallUnderway], T], call: CallUnderway) -> T:
        try:
            with call.here():
                return function(call)
        finally:
            with self._lock:
                self._alive -= 1


@asynccontextmanager
async def _reporting(report: Report | None) -> AsyncIterator[Callable[[str], None]]:
    """Yield what a thread calls for each step of its work; every step is told before the block is left."""
    if report is None:
        yield lambda _name: None
        return
    told, untold = anyio.create_memory_object_stream[str](MAX_UNTOLD)
    token = current_token()

    def heard(name: str) -> None:
        with suppress(anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError, RuntimeError):
            from_thread.run_sync(told.send_nowait, name, token=token)

    async with anyio.create_task_group() as group:
        group.start_soon(_tell, untold, report)
        async with told:
            yield heard


async def _tell(steps: MemoryObjectReceiveStream[str], report: Report) -> None:
    """Report each step as it comes, and otherwise that the work goes on; seconds always grow."""
    began, said, count = time.monotonic(), "running", 0
    async with steps:
        while True:
            with anyio.move_on_after(BEAT_SECONDS):
                try:
                    name = await steps.receive()
                except anyio.EndOfStream:
                    return
                count += 1
                said = f"environment call {count}: {name}"
            await report(time.monotonic() - began, said)
