"""An HTTP transport for MCP whose plain answers end at a bound; streams of events have a bound of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2


class Bounded(httpx2.AsyncBaseTransport):
    """Wraps a transport; an answer with more bytes than the bound breaks off with a ReadError."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, most: int) -> None:
        self._inner = inner
        self._most = most

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            return response
        if "content-encoding" in response.headers:  # a few bytes of it may stand for gigabytes
            await response.aclose()
            raise httpx2.StreamError("the answer is compressed, which was not asked for")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        stream = _Counted(response.stream, self._most)
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self._inner = inner
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > self._most:
                raise httpx2.StreamError(f"the answer has more than {self._most} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
