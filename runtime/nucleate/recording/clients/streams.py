"""Streams of replies: passed on as they come, until a call begins that may be ours; then held until that is known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

from nucleate.recording.clients.exchange import ExchangeEnd, Request, proceed
from nucleate.recording.clients.hidden import Message


class Chunks(Protocol):
    """How a provider writes a reply in parts."""

    def is_held(self, part: Any) -> bool:
        """Return whether what follows, this part included, must wait for the end of the reply."""
        ...

    def message(self, parts: list[Any]) -> Message:
        """Return the message that the parts make."""
        ...

    def without(self, parts: list[Any], ids: Collection[str]) -> list[Any]:
        """Return the parts without some of the calls in them."""
        ...


@dataclass(frozen=True)
class StreamedReply:
    """A reply that came in parts; `held` are those that nobody has seen yet."""

    parts: list[Any]
    held: list[Any]
    chunks: Chunks

    id = ""

    @property
    def messages(self) -> list[Message]:
        """Return the whole message."""
        return [self.chunks.message(self.parts)]

    def without(self, ids: Collection[str]) -> StreamedReply:
        """Return the reply without some of its calls."""
        return StreamedReply(self.parts, self.chunks.without(self.held, ids), self.chunks)


class _Gathering:
    """Sorts the parts of one reply into those that may pass and those that are held."""

    def __init__(self, chunks: Chunks) -> None:
        self._chunks = chunks
        self.parts: list[Any] = []
        self.held: list[Any] = []

    def passes(self, part: Any) -> bool:
        self.parts.append(part)
        if self.held or self._chunks.is_held(part):
            self.held.append(part)
            return False
        return True

    def reply(self) -> StreamedReply:
        return StreamedReply(self.parts, self.held, self._chunks)


class OfferedStream:
    """Iterates like the client's own stream over all replies of one exchange."""

    def __init__(self, exchange: Generator[Request, Any, Any], ask: Callable[[Request], Any], chunks: Chunks) -> None:
        self._exchange = exchange
        self._ask = ask
        self._chunks = chunks
        step = proceed(exchange, None)
        assert not isinstance(step, ExchangeEnd)
        self._stream = ask(step)
        self._parts = self._all()

    def _all(self) -> Iterator[Any]:
        while True:
            gathering = _Gathering(self._chunks)
            for part in self._stream:
                if gathering.passes(part):
                    yield part
            step = proceed(self._exchange, gathering.reply())
            if isinstance(step, ExchangeEnd):
                yield from step.reply.held
                return
            self._stream = self._ask(step)

    def __iter__(self) -> Iterator[Any]:
        return self._parts

    def __next__(self) -> Any:
        return next(self._parts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        """End the reply that is under way."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class AsyncOfferedStream:
    """The same, for asynchronous clients; tools run off the event loop."""

    def __init__(
        self, exchange: Generator[Request, Any, Any], ask: Callable[[Request], Awaitable[Any]], chunks: Chunks
    ) -> None:
        self._exchange = exchange
        self._ask = ask
        self._chunks = chunks
        self._stream: Any = None
        self._parts = self._all()

    async def opened(self) -> Self:
        """Send the first request, so that its refusal is met here and not while iterating."""
        step = proceed(self._exchange, None)
        assert not isinstance(step, ExchangeEnd)
        self._stream = await self._ask(step)
        return self

    async def _all(self) -> AsyncIterator[Any]:
        while True:
            gathering = _Gathering(self._chunks)
            async for part in self._stream:
                if gathering.passes(part):
                    yield part
            step = await asyncio.to_thread(proceed, self._exchange, gathering.reply())
            if isinstance(step, ExchangeEnd):
                for part in step.reply.held:
                    yield part
                return
            self._stream = await self._ask(step)

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._parts

    async def __anext__(self) -> Any:
        return await anext(self._parts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def close(self) -> None:
        """End the reply that is under way."""
        await self._stream.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()
