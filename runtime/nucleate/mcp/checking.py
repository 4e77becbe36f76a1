"""Arguments and results against their schemas, with words that help a model to call again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from mcp_types import CallToolResult

from nucleate.mcp.answers import refusal
from nucleate_sandbox import FunctionSpec, Json, JsonObject, canonical
from nucleate_sandbox.arguments import problems
from nucleate_sandbox.schemas import check, modern

MAX_SCHEMA = 2_000
MAX_SOUGHT = 80


def wrong_arguments(name: str, schema: JsonObject, arguments: JsonObject) -> CallToolResult | None:
    """Return what is wrong with the arguments, with the part of the schema that says so; None if nothing is."""
    found = problems(FunctionSpec(name=name, parameters=schema), arguments)
    if not found:
        return None
    return refusal("InvalidArguments", f"{name}: {'; '.join(found)}", schema=excerpt(schema, arguments))


def excerpt(schema: JsonObject, arguments: JsonObject) -> JsonObject:
    """Return the parameters that the arguments name or lack; all of them where that is short enough."""
    if len(canonical(schema)) <= MAX_SCHEMA:
        return schema
    properties, required = schema.get("properties"), schema.get("required")
    wanted = {*arguments, *(required if isinstance(required, list) else [])}
    named = {key: value for key, value in properties.items() if key in wanted} if isinstance(properties, dict) else {}
    shown = {key: value if len(canonical(value)) <= MAX_SCHEMA else {} for key, value in named.items()}
    return {"properties": shown, "required": required or []}


def unknown_name(kind: str, name: str, known: Sequence[str]) -> CallToolResult:
    """Return that nothing has this name, and which names are near."""
    found = near(name, known)
    said = f"did you mean {' or '.join(map(repr, found))}?" if found else "search_tools finds tools by what they do"
    return refusal(kind, f"there is no {kind.removeprefix('Unknown').lower()} {name[:MAX_SOUGHT]!r}; {said}")


def near(name: str, known: Sequence[str]) -> list[str]:
    """Return the names that come near; what it costs to look for them must not be a stranger's choice."""
    return get_close_matches(name, known, n=3) if len(name) <= MAX_SOUGHT else []


def unfit(value: Json, schema: Mapping[str, Json]) -> str | None:
    """Return why a value does not fit the schema that promises it, or None."""
    error = next(iter(check(dict(schema), value).errors), None)
    return None if error is None else f"{error.json_path}: {error.message[:200]}"


def usable(schema: JsonObject) -> bool:
    """Tell whether a schema describes an object."""
    return modern(schema).get("type") == "object"
