"""What other servers offer beside tools, passed on as they say it: resources, templates of them, and prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    GetPromptResult,
    Prompt,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
)

from nucleate.environments.mcp.link import MAX_PAGES
from nucleate.environments.mcp.mcp_environment import McpEnvironment
from nucleate_sandbox import SandboxError

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class PassedOn:
    """Asks the servers anew each time; one that does not answer, or has none of it, costs no other its place.

    A prompt's name that two servers have gets its server's before it, as tools' names do.
    """

    servers: Sequence[McpEnvironment] = ()

    def resources(self) -> Sequence[Resource]:
        """Return the servers' resources, in their order."""
        return [item for up in self.servers for item in _listed(up, _resources)]

    def templates(self) -> Sequence[ResourceTemplate]:
        """Return how addresses of their resources are made."""
        return [item for up in self.servers for item in _listed(up, _templates)]

    def read(self, uri: str) -> ReadResourceResult:
        """Return a resource of the server that lists it, or else of the first that has it; MCPError where none has."""
        fault: MCPError = MCPError(code=INVALID_PARAMS, message=f"there is no resource {uri[:200]!r}")
        listing = sorted(self.servers, key=lambda up: uri not in {item.uri for item in _listed(up, _resources)})
        for up in listing:
            try:
                return up.asked(lambda client: client.read_resource(uri))
            except MCPError as error:
                fault = fault if error.code == METHOD_NOT_FOUND else error
        raise fault

    def prompts(self) -> Sequence[Prompt]:
        """Return the servers' prompts."""
        return [prompt.model_copy(update={"name": name}) for name, (_, prompt) in self._prompts().items()]

    def prompt(self, name: str, arguments: dict[str, str] | None) -> GetPromptResult:
        """Return the messages of a prompt; MCPError where there is none, or as its server says."""
        found = self._prompts().get(name)
        if found is None:
            raise MCPError(code=INVALID_PARAMS, message=f"there is no prompt {name[:200]!r}")
        up, prompt = found
        return up.asked(lambda client: client.get_prompt(prompt.name, arguments))

    def _prompts(self) -> dict[str, tuple[McpEnvironment, Prompt]]:
        found = [(up, prompt) for up in self.servers for prompt in _listed(up, _prompts)]
        counts = Counter(prompt.name for _, prompt in found)
        named = ((f"{up.name}__{one.name}" if counts[one.name] > 1 else one.name, up, one) for up, one in found)
        return {name: (up, one) for name, up, one in named}


def _listed(up: McpEnvironment, page: Callable[[Client, str | None], Awaitable[tuple[list[T], str | None]]]) -> list[T]:
    """Return all pages of a list; nothing where the server has no such list."""

    async def pages(client: Client) -> list[T]:
        found: list[T] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            items, cursor = await page(client, cursor)
            found += items
            if not cursor:
                break
        return found

    with suppress(SandboxError, MCPError):
        return up.asked(pages)
    return []


async def _resources(client: Client, cursor: str | None) -> tuple[list[Resource], str | None]:
    if client.server_capabilities.resources is None:
        return [], None
    found = await client.list_resources(cursor=cursor)
    return found.resources, found.next_cursor


async def _templates(client: Client, cursor: str | None) -> tuple[list[ResourceTemplate], str | None]:
    if client.server_capabilities.resources is None:
        return [], None
    found = await client.list_resource_templates(cursor=cursor)
    return found.resource_templates, found.next_cursor


async def _prompts(client: Client, cursor: str | None) -> tuple[list[Prompt], str | None]:
    if client.server_capabilities.prompts is None:
        return [], None
    found = await client.list_prompts(cursor=cursor)
    return found.prompts, found.next_cursor
