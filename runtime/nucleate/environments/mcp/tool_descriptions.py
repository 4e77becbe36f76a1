"""The answer of an MCP server to `tools/list`, as descriptions of functions; annotations say what a call does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nucleate_sandbox import Effect, Json, JsonObject
from nucleate_text_memory.recordings.names import distinct


def tools_of(content: Json) -> list[Json] | None:
    """Return the tools of a `tools/list` result, bare or as the server sends it; None for anything else."""
    result = content.get("result", content) if isinstance(content, dict) else None
    tools = result.get("tools") if isinstance(result, dict) else None
    if isinstance(tools, list) and any(isinstance(item, dict) and "inputSchema" in item for item in tools):
        return tools
    return None


def as_functions(items: list[Json]) -> list[Json]:
    """Return MCP tools in the form of a function file, their names kept apart; what is no object stays as it is."""
    names = function_names(item.get("name") for item in items if isinstance(item, dict))
    return [as_function(item, names) for item in items]


def function_names(names: Iterable[Json]) -> Mapping[str, str]:
    """Return what each tool of one server is called as a function: `get-order` → get_order, if that is not another."""
    return distinct(name for name in names if isinstance(name, str))


def as_function(item: Json, names: Mapping[str, str]) -> Json:
    """Return one MCP tool in the form of a function file; what is no object stays as it is."""
    if not isinstance(item, dict):
        return item
    name = item.get("name")
    return {
        "name": names.get(name, name) if isinstance(name, str) else name,
        "doc": item.get("description") or item.get("title") or "",
        "parameters": _renamed(item.get("inputSchema")),
        "returns": item.get("outputSchema"),
        "effect": _effect(item.get("annotations")).value,
    }


def argument_names(schema: Json) -> dict[str, str]:
    """Return the server's name for each argument that Python cannot write: `from_` → from, `repo_path` → repo-path."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    names = distinct(properties if isinstance(properties, dict) else ())
    return {name: wire for wire, name in names.items() if name != wire}


def _renamed(schema: Json) -> Json:
    odd = {wire: name for name, wire in argument_names(schema).items()}
    if not isinstance(schema, dict) or not odd:
        return schema
    properties, required = schema.get("properties"), schema.get("required")
    renamed: JsonObject = dict(schema)
    if isinstance(properties, dict):
        renamed["properties"] = {odd.get(name, name): item for name, item in properties.items()}
    if isinstance(required, list):
        renamed["required"] = [odd.get(name, name) if isinstance(name, str) else name for name in required]
    return renamed


def _effect(annotations: Json) -> Effect:
    """Take the protocol at its word: without annotations a tool may write, and what it writes may destroy."""
    hints: JsonObject = annotations if isinstance(annotations, dict) else {}
    if hints.get("readOnlyHint") is True:
        return Effect.READ
    return Effect.WRITE if hints.get("destructiveHint") is False else Effect.DESTRUCTIVE
