"""Streams of the Responses interface, passed on as they are, in which finished items are noticed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any


class WatchedStream:
    """A stream of events, in which finished items are noticed."""

    def __init__(self, stream: Any, notice: Callable[[Sequence[Any]], None]) -> None:
        self._stream = stream
        self._notice = notice
        self._events = self._noticed()

    def _noticed(self) -> Iterator[Any]:
        for event in self._stream:
            self._notice(_finished(event))
            yield event

    def __iter__(self) -> Iterator[Any]:
        return self._events

    def __next__(self) -> Any:
        return next(self._events)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> Any:
        self._stream.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._stream.__exit__(*error)


class AsyncWatched:
    """The same, for asynchronous clients."""

    def __init__(self, stream: Any, notice: Callable[[Sequence[Any]], None]) -> None:
        self._stream = stream
        self._notice = notice
        self._events = self._noticed()

    async def _noticed(self) -> AsyncIterator[Any]:
        async for event in self._stream:
            self._notice(_finished(event))
            yield event

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._events

    async def __anext__(self) -> Any:
        return await anext(self._events)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> Any:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._stream.__aexit__(*error)


def _finished(event: Any) -> Sequence[Any]:
    return (event.item,) if getattr(event, "type", None) == "response.output_item.done" else ()


class WatchedManager:
    """Opens a stream of events when it is entered, with or without async, and notices what is finished in it."""

    def __init__(self, manager: Any, notice: Callable[[Sequence[Any]], None]) -> None:
        self._manager = manager
        self._notice = notice

    def __enter__(self) -> Any:
        return _Finishing(self._manager.__enter__(), self._notice)

    def __exit__(self, *error: Any) -> Any:
        return self._manager.__exit__(*error)

    async def __aenter__(self) -> Any:
        return _AsyncFinishing(await self._manager.__aenter__(), self._notice)

    async def __aexit__(self, *error: Any) -> Any:
        return await self._manager.__aexit__(*error)


class _Finishing(WatchedStream):
    """A stream that can be asked for all of its reply at once."""

    def get_final_response(self) -> Any:
        response = self._stream.get_final_response()
        self._notice(getattr(response, "output", ()))
        return response


class _AsyncFinishing(AsyncWatched):
    """The same, for asynchronous clients."""

    async def get_final_response(self) -> Any:
        response = await self._stream.get_final_response()
        self._notice(getattr(response, "output", ()))
        return response
