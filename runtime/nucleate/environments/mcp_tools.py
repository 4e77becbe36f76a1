"""The answer of an MCP server to `tools/list`, as descriptions of functions; annotations say what a call does."""

from __future__ import annotations

from nucleate.environments.words import identifier
from nucleate_sandbox import Effect, Json, JsonObject


def tools_of(content: Json) -> list[Json] | None:
    """Return the tools of a `tools/list` result, bare or as the server sends it; None for anything else."""
    result = content.get("result", content) if isinstance(content, dict) else None
    tools = result.get("tools") if isinstance(result, dict) else None
    if isinstance(tools, list) and any(isinstance(item, dict) and "inputSchema" in item for item in tools):
        return tools
    return None


def as_function(item: Json) -> Json:
    """Return one MCP tool in the form of a function file; what is no object stays as it is."""
    if not isinstance(item, dict):
        return item
    name = item.get("name")
    return {
        "name": identifier(name) if isinstance(name, str) else name,
        "doc": item.get("description") or item.get("title") or "",
        "parameters": item.get("inputSchema"),
        "returns": item.get("outputSchema"),
        "effect": _effect(item.get("annotations")).value,
    }


def _effect(annotations: Json) -> Effect:
    """Take the protocol at its word: without annotations a tool may write, and what it writes may destroy."""
    hints: JsonObject = annotations if isinstance(annotations, dict) else {}
    if hints.get("readOnlyHint") is True:
        return Effect.READ
    return Effect.WRITE if hints.get("destructiveHint") is False else Effect.DESTRUCTIVE
