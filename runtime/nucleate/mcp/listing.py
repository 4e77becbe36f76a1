"""A library tool as MCP describes tools: a short description first, schemas, and hints from its effects."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_types import Tool, ToolAnnotations

from nucleate_sandbox import Effect, FunctionSpec, JsonObject
from nucleate_tool_library import ToolVersion

MAX_DESCRIPTION = 160


def listed(name: str, version: ToolVersion, functions: Mapping[str, FunctionSpec]) -> Tool:
    """Return the description of a tool under the name by which clients call it."""
    return Tool(
        name=name,
        description=short(version.signature.doc),
        input_schema=version.signature.parameters,
        output_schema=wrapped(version.signature.returns),
        annotations=hints(version, functions),
    )


def short(doc: str) -> str:
    """Return the first sentence, which says what a tool does; cut at a word where it is long."""
    line = " ".join(doc.partition("\n\n")[0].split())
    sentence = line.partition(". ")[0].rstrip(".") + "." if line else ""
    if len(sentence) <= MAX_DESCRIPTION:
        return sentence
    return f"{sentence[:MAX_DESCRIPTION].rpartition(' ')[0]}…"


def wrapped(returns: JsonObject) -> JsonObject:
    """Return the schema of `{"result": …}`: structured content is an object in every protocol version."""
    definitions: JsonObject = {key: value for key, value in returns.items() if key in ("$defs", "definitions")}
    inner: JsonObject = {key: value for key, value in returns.items() if key not in definitions}
    return {"type": "object", "properties": {"result": inner}, "required": ["result"], **definitions}


def hints(version: ToolVersion, functions: Mapping[str, FunctionSpec]) -> ToolAnnotations:
    """Return what the tool may do to its environment; a function that nobody knows counts as destructive."""
    effects = {functions[name].effect if name in functions else Effect.DESTRUCTIVE for name in version.capabilities}
    reads = effects <= {Effect.READ}
    return ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=None if reads else Effect.DESTRUCTIVE in effects,
        idempotent_hint=True if reads else None,
        open_world_hint=bool(effects),
    )
