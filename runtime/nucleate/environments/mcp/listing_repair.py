"""Takes out of a server's list what no client could read, so that one broken tool does not cost the others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse
from mcp_types.methods import validate_server_result
from mcp_types.version import LATEST_MODERN_VERSION
from pydantic import ValidationError

Item = SessionMessage | Exception


@dataclass(kw_only=True)
class Listing:
    """What was taken out: broken tools and why, and the schemas of results.

    The session would refuse a result of text where there is such a schema. Servers send them all the same, so the
    schema is kept from it, and the environment holds results to it.
    """

    broken: dict[str, str] = field(default_factory=dict)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)


@asynccontextmanager
async def tidied(
    transport: AbstractAsyncContextManager[tuple[Any, Any]], listing: Listing
) -> AsyncIterator[tuple[Any, Any]]:
    """Wrap a transport; the listing is told what was taken out."""
    async with transport as (reading, writing):
        yield _Tidied(reading, listing), writing


class _Tidied:
    """The reading end, with every list of tools made readable on its way."""

    def __init__(self, reading: Any, listing: Listing) -> None:
        self._reading = reading
        self._listing = listing
        self._version = LATEST_MODERN_VERSION

    @property
    def last_context(self) -> Any:
        """Return the sender's context, where the transport has one."""
        return getattr(self._reading, "last_context", None)

    async def receive(self) -> Item:
        return self._tidy(await self._reading.receive())

    async def aclose(self) -> None:
        await self._reading.aclose()

    def close(self) -> None:
        self._reading.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        return self._tidy(await self._reading.__anext__())

    async def __aenter__(self) -> Self:
        await self._reading.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._reading.__aexit__(kind, error, trace)

    def _tidy(self, item: Item) -> Item:
        if not isinstance(item, SessionMessage) or not isinstance(item.message, JSONRPCResponse):
            return item
        result = item.message.result
        spoken = result.get("protocolVersion")  # the answer to the handshake: from here on its rules hold
        self._version = spoken if isinstance(spoken, str) else self._version
        if isinstance(result.get("tools"), list):
            result["tools"] = [kept for tool in result["tools"] if (kept := self._readable(tool)) is not None]
        return item

    def _readable(self, tool: Any) -> Any:
        """Return the tool, or what of it can be read; None where that is nothing."""
        reason = self._fault(tool)
        if reason is None:
            return self._without_result(tool)
        if isinstance(tool, Mapping) and self._fault(core := _core(tool)) is None:
            return core
        name = tool.get("name") if isinstance(tool, Mapping) else None
        self._listing.broken[str(name)] = reason
        return None

    def _without_result(self, tool: Mapping[str, Any]) -> dict[str, Any]:
        schema = tool.get("outputSchema")
        if isinstance(schema, dict):
            self._listing.results[str(tool["name"])] = schema
        return {key: value for key, value in tool.items() if key != "outputSchema"}

    def _fault(self, tool: Any) -> str | None:
        listing = {"tools": [tool], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        try:
            validate_server_result("tools/list", self._version, listing)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            return f"{'.'.join(str(step) for step in first['loc'][2:])}: {first['msg']}"
        except (KeyError, ValueError):  # a version that nobody knows: the session has its own word on it
            return None
        return None


def _core(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a tool needs to be called; arguments have names, so a schema that allows an object means one."""
    core = {key: tool[key] for key in ("name", "inputSchema") if key in tool}
    core |= {key: tool[key] for key in ("title", "description") if isinstance(tool.get(key), str)}
    schema = core.get("inputSchema")
    kind = schema.get("type") if isinstance(schema, dict) else ()
    if kind is None or (isinstance(kind, list) and "object" in kind):
        core["inputSchema"] = {**tool["inputSchema"], "type": "object"}
    return core
