"""One live connection to an MCP server, spoken to from any thread: the client runs in an event loop of its own."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import AbstractAsyncContextManager, ExitStack, suppress
from importlib.metadata import version
from typing import Any, TypeVar

import anyio
import httpx2
import mcp_types
from anyio.from_thread import start_blocking_portal
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, Implementation, Tool
from pydantic import ValidationError

from nucleate.environments.calls_under_way import holding
from nucleate.environments.mcp.bounded_http import Bounded
from nucleate.environments.mcp.listing_repair import Listing, tidied
from nucleate.environments.mcp.mcp_server import McpServer
from nucleate.environments.mcp.server_process import TOO_LARGE, Command, LastWords, process_streams
from nucleate.environments.secret_refs import read_all

T = TypeVar("T")
_QUIET = logging.NullHandler()
MAX_PAGES = 100
_TOO_LONG = re.compile(r"the answer has more than \d+ bytes|exceeded the \d+ byte limit")
_FORGOTTEN = re.compile(r"(?:Bad Request: )?(?:No valid session|(?:Invalid )?Session\b)", re.IGNORECASE)
START_SECONDS = 60.0  # a program needs longer to start than to answer
LOST = (
    OSError,
    httpx2.HTTPError,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    anyio.EndOfStream,
    RuntimeError,
    ExceptionGroup,
)


class Lost(Exception):
    """The connection is gone. `unsent` is true where the request never left."""

    def __init__(self, message: str, *, unsent: bool = False) -> None:
        super().__init__(message)
        self.unsent = unsent


class BadAnswer(Exception):
    """The server answered with what the protocol does not allow."""


class Link:
    """Connected from the start; after `Lost` it is of no use and must be closed."""

    def __init__(self, server: McpServer, *, changed: Callable[[], None]) -> None:
        logging.getLogger("mcp.client").addHandler(_QUIET)  # what it logs reaches us as errors, too
        self._server = server
        self._changed = changed
        self._stack = ExitStack()
        self.words = LastWords()
        self._listing = Listing()
        self.lost = False
        self._portal = self._stack.enter_context(start_blocking_portal("asyncio"))
        try:
            self._client = self._stack.enter_context(self._portal.wrap_async_context_manager(self._new_client()))
        except (*LOST, MCPError, ValidationError) as error:
            self.close()
            raise Lost(self._because(error), unsent=True) from error
        self._follow()

    @property
    def broken(self) -> Mapping[str, str]:
        """Return the tools that could not be read, and why."""
        return self._listing.broken

    def tools(self) -> list[Tool]:
        """Return the server's tools, all pages."""
        results = self._listing.results
        return [tool.model_copy(update={"output_schema": results.get(tool.name)}) for tool in self._ask(self._list)]

    def call(self, name: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Call a tool; raise Lost where the connection ended, MCPError for what the server answered."""
        return self._ask(lambda: self._call(name, dict(arguments)))

    def ask(self, question: Callable[[Client], Awaitable[T]]) -> T:
        """Put another question of the protocol; it fails as `call` does."""
        return self._ask(lambda: _asked(question, self._client))

    def close(self) -> None:
        """End the connection, the server that it started, and the event loop."""
        self.lost = True
        with suppress(*LOST, MCPError, ValidationError):
            self._stack.close()

    def _new_client(self) -> Client:
        return Client(
            tidied(self._transport(), self._listing),
            read_timeout_seconds=max(self._server.seconds, START_SECONDS),
            message_handler=self._hear,
            client_info=Implementation(name="nucleate", version=version("nucleate")),
            cache=None,
        )

    def _transport(self) -> AbstractAsyncContextManager[tuple[Any, Any]]:
        server = self._server
        if server.url:
            return streamable_http_client(server.url, http_client=self._http(), max_sse_event_size=server.max_bytes)
        return process_streams(
            Command(
                words=server.command,
                variables=read_all(server.variables),
                folder=server.folder,
                max_bytes=server.max_bytes,
                last_words=self.words,
            )
        )

    def _http(self) -> httpx2.AsyncClient:
        timeout = httpx2.Timeout(self._server.seconds, read=max(self._server.seconds, 300.0))
        client = httpx2.AsyncClient(
            headers={"accept-encoding": "identity", **read_all(self._server.headers)},
            timeout=timeout,
            transport=Bounded(httpx2.AsyncHTTPTransport(), self._server.max_bytes),
            trust_env=False,
        )
        self._stack.enter_context(self._portal.wrap_async_context_manager(client))
        return client

    async def _list(self) -> list[Tool]:
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    async def _call(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        seconds = self._server.seconds
        return await _asked(
            lambda client: client.call_tool(name, arguments, read_timeout_seconds=seconds), self._client
        )

    def _ask(self, question: Callable[[], Awaitable[T]]) -> T:
        if self.lost:
            raise Lost("the connection is closed", unsent=True)
        try:
            return self._answered(question)
        except MCPError as error:
            if _TOO_LONG.search(error.message):
                data = {TOO_LARGE: self._server.max_bytes}
                message = f"the answer is longer than {self._server.max_bytes} bytes"
                raise MCPError(mcp_types.INTERNAL_ERROR, message, data) from error
            forgotten = bool(self._server.url) and _forgotten(error)
            if error.code == mcp_types.CONNECTION_CLOSED or forgotten:
                self.lost = True
                raise Lost(self._because(error), unsent=forgotten) from error
            raise
        except LOST as error:
            self.lost = True
            raise Lost(self._because(error)) from error

    def _answered(self, question: Callable[[], Awaitable[T]]) -> T:
        """Return the answer. Whoever gives the call up meanwhile gives the question up: the server is told."""
        answer = self._portal.start_task_soon(question)
        with holding(answer.cancel):
            try:
                return answer.result()
            except CancelledError:
                raise BadAnswer("the call was given up") from None

    def _because(self, error: BaseException) -> str:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        said = str(self.words)
        reason = str(error) or type(error).__name__
        return f"{reason}; {said}" if said else reason

    async def _hear(self, message: Any) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            self._changed()

    def _follow(self) -> None:
        """Ask a server of the newer protocol to tell of changes; older ones tell by themselves."""
        tools = self._client.server_capabilities.tools
        if tools is not None and tools.list_changed:
            self._following = self._portal.start_task_soon(self._follow_changes)
            self._stack.callback(self._following.cancel)

    async def _follow_changes(self) -> None:
        with suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            async with self._client.listen(tools_list_changed=True) as events:
                async for _event in events:
                    self._changed()


async def _asked(question: Callable[[Client], Awaitable[T]], client: Client) -> T:
    try:
        return await question(client)
    except (RuntimeError, ValidationError) as error:  # it is no result that the protocol knows
        raise BadAnswer(str(error)) from error


def _forgotten(error: MCPError) -> bool:
    """Return whether a server over HTTP has forgotten the session: it refuses what it was sent, and does nothing."""
    return _FORGOTTEN.match(error.message) is not None
