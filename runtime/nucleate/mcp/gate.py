"""How much one client may have under way, waiting and asked for in a minute; the rest is told so."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio


@dataclass(frozen=True, kw_only=True)
class ClientLimits:
    """Calls of one client: at once, waiting beyond these, and begun within a minute."""

    running: int = 8
    waiting: int = 64
    a_minute: int = 6_000


class CallRefused(Exception):
    """A call that is over a limit of its client."""


@dataclass
class _Line:
    running: int = 0
    waiting: deque[anyio.Event] = field(default_factory=deque)
    begun: deque[float] = field(default_factory=deque)


class CallGate:
    """Lets the calls of each client through, in order. Everything here happens in the event loop."""

    def __init__(self, limits: ClientLimits, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._lines: dict[str, _Line] = {}

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for a turn; raise Refused where the client has too many calls."""
        line = self._lines.setdefault(client, _Line())
        self._count(line)
        await self._wait(line)
        try:
            yield
        finally:
            self._leave(client, line)

    def _count(self, line: _Line) -> None:
        now = self._clock()
        while line.begun and now - line.begun[0] >= 60:
            line.begun.popleft()
        if len(line.begun) >= self._limits.a_minute:
            seconds = 60 - (now - line.begun[0])
            raise CallRefused(
                f"this client has made {len(line.begun)} calls within a minute, which is the limit; "
                f"call again in {seconds:.0f} s"
            )
        line.begun.append(now)

    async def _wait(self, line: _Line) -> None:
        if line.running < self._limits.running:
            line.running += 1
            return
        if len(line.waiting) >= self._limits.waiting:
            raise CallRefused(
                f"this client has {line.running} calls under way and {len(line.waiting)} waiting, which is the limit; "
                "wait for an answer before the next call"
            )
        turn = anyio.Event()
        line.waiting.append(turn)
        try:
            await turn.wait()
        except BaseException:
            self._give_up(line, turn)
            raise

    def _give_up(self, line: _Line, turn: anyio.Event) -> None:
        """Leave the queue, or pass on a turn that came too late."""
        if turn in line.waiting:
            line.waiting.remove(turn)
        else:
            self._next(line)

    def _leave(self, client: str, line: _Line) -> None:
        self._next(line)
        if not line.running and not line.waiting and not self._recent(line):
            self._lines.pop(client, None)

    def _recent(self, line: _Line) -> bool:
        return bool(line.begun) and self._clock() - line.begun[-1] < 60

    def _next(self, line: _Line) -> None:
        """Pass the turn on to who waits longest."""
        if line.waiting:
            line.waiting.popleft().set()
        else:
            line.running -= 1
