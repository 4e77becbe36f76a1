"""What a client may call: a description, and the function behind it, which runs off the event loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from mcp_types import CallToolResult, Tool, ToolAnnotations

from nucleate.environments.calls_under_way import CallUnderway
from nucleate.mcp.checking import wrong_arguments
from nucleate.mcp.clients import Caller
from nucleate_sandbox import Json, JsonObject


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One call: who makes it, and the hold on what it runs."""

    caller: Caller
    call: CallUnderway


Perform: TypeAlias = Callable[[JsonObject, Visit], CallToolResult]


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A description and what is done when it is called."""

    description: Tool
    perform: Perform

    @property
    def name(self) -> str:
        return self.description.name


def checked(offer: Offer) -> Offer:
    """Return the same for arguments that fit the description; others are answered with what is wrong with them."""

    def perform(arguments: JsonObject, visit: Visit) -> CallToolResult:
        wrong = wrong_arguments(offer.name, offer.description.input_schema, arguments)
        return wrong if wrong is not None else offer.perform(arguments, visit)

    return replace(offer, perform=perform)


def meta_tool(
    perform: Perform, name: str, description: str, parameters: Mapping[str, Json], *, gives: str, reads: bool = True
) -> Offer:
    """Return an offer of ours: a parameter without a default is required, `gives` is the one field of its result."""
    required: list[Json] = [key for key, item in parameters.items() if isinstance(item, dict) and "default" not in item]
    tool = Tool(
        name=name,
        description=description,
        input_schema={"type": "object", "properties": dict(parameters), "required": required},
        output_schema={"type": "object", "properties": {gives: {}}, "required": [gives]},
        annotations=ToolAnnotations(read_only_hint=reads, open_world_hint=False) if reads else None,
    )
    return checked(Offer(description=tool, perform=perform))
