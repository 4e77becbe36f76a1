"""An HTTP transport for MCP: plain answers end at a bound, streams have their own; odd answers are made readable."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from nucleate.environments.mcp.odd_answers import messages

_DATA = b"data:"


class Bounded(httpx2.AsyncBaseTransport):
    """Wraps a transport; an answer with more bytes than the bound breaks off with a ReadError."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, most: int) -> None:
        self._inner = inner
        self._most = most

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        kind = response.headers.get("content-type", "")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        if kind.startswith("text/event-stream"):
            return _with(response, _EventStream(response.stream, self._most))
        if "content-encoding" in response.headers:  # a few bytes of it may stand for gigabytes
            await response.aclose()
            raise httpx2.StreamError("the answer is compressed, which was not asked for")
        counted = _Counted(response.stream, self._most)
        return _with(response, _WholeAnswer(counted) if kind.startswith("application/json") else counted)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _with(response: httpx2.Response, stream: httpx2.AsyncByteStream) -> httpx2.Response:
    headers = [(name, value) for name, value in response.headers.raw if name.lower() != b"content-length"]
    return httpx2.Response(response.status_code, headers=headers, stream=stream, extensions=response.extensions)


def _readable(text: bytes) -> list[bytes]:
    """Return messages as the protocol's parser takes them; what is none stays as it is."""
    found = [message.model_dump_json(by_alias=True, exclude_unset=True).encode() for message in messages(text)]
    return found or [text]


class _Stream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Counted(_Stream):
    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        super().__init__(inner)
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > self._most:
                raise httpx2.StreamError(f"the answer has more than {self._most} bytes")
            yield chunk


class _WholeAnswer(_Stream):
    """A message as a whole."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield _readable(b"".join([chunk async for chunk in self._inner]))[0]


class _EventStream(_Stream):
    """Events, each message of which stands in one line; a line longer than the bound is passed on as it is."""

    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        super().__init__(inner)
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        begun = bytearray()
        async for chunk in self._inner:
            begun += chunk
            if b"\n" not in chunk and len(begun) <= self._most:
                continue
            *lines, rest = begun.split(b"\n")
            if lines:
                yield b"".join(_event_line(bytes(line)) + b"\n" for line in lines)
            begun = rest
            if len(begun) > self._most:
                yield bytes(begun)
                begun = bytearray()
        if begun:
            yield bytes(begun)


def _event_line(line: bytes) -> bytes:
    if not line.startswith(_DATA) or not line[len(_DATA) :].strip():
        return line
    return b"\n\n".join(_DATA + b" " + text for text in _readable(line[len(_DATA) :].strip()))
