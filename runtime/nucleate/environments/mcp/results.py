"""What an MCP tool answers, as a value or as an error of the function."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, cast

import mcp_types
from jsonschema.exceptions import best_match
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult

from nucleate.environments.mcp.odd_answers import UNREADABLE
from nucleate.environments.mcp.server_process import TOO_LARGE
from nucleate.environments.outside_content import reference
from nucleate_sandbox import FunctionError, FunctionSpec, Json, JsonError, JsonObject, parse
from nucleate_sandbox.schemas import check

MAX_ERROR = 2000
ERROR = "nucleate/error"  # where a server of ours tells an error as an object
KINDS = {
    mcp_types.INVALID_PARAMS: "InvalidArguments",
    mcp_types.METHOD_NOT_FOUND: "UnknownFunction",
    mcp_types.REQUEST_TIMEOUT: "Timeout",
    mcp_types.PARSE_ERROR: "InvalidResult",
}
_PREFIX = re.compile(r"^Error (?:executing|calling) tool [^:]+: ")
_CLASS = re.compile(
    r"^(?:[a-z_]\w*\.)*([A-Z]\w*(?:Error|Exception|NotFound|Denied|Exists|Invalid|Timeout|Refused))\b:?\s*"
)


def value_of(spec: FunctionSpec, result: CallToolResult) -> Json:
    """Return a result as JSON: structured content where there is some, else the content blocks.

    One block stands for itself, several are a list, none is null. A text is read as JSON where the function's schema
    says that the result is something else than a text.
    """
    if result.structured_content is not None:
        return cast("Json", result.structured_content)
    values = [_block(block, spec.returns) for block in result.content]
    if len(values) == 1 and not _is_list(spec.returns, values[0]):
        return values[0]
    return cast("Json", values) if values else None


def misfit_of(returns: JsonObject, value: Json) -> str:
    """Return why a value does not fit a schema of results; empty where it does."""
    if not returns:
        return ""
    error = best_match(iter(check(returns, value).errors))
    return "" if error is None else _short(f"{error.json_path}: {error.message}")


def failure_of(name: str, result: CallToolResult) -> FunctionError:
    """Return the error that a result with `isError` is; its kind is what the server calls it, else `ToolError`."""
    text = " ".join(block.text for block in result.content if isinstance(block, mcp_types.TextContent))
    message = _PREFIX.sub("", text.strip()) or f"{name} failed and does not say why"
    named = _CLASS.match(message)
    said = message[named.end() :] if named else ""
    declared = _declared_kind(result.structured_content) or _declared_kind((result.meta or {}).get(ERROR))
    kind = declared or (named[1] if named else "ToolError")
    return FunctionError(_short(said or message), kind=kind)


def is_ours(error: MCPError) -> bool:
    """Return whether an error of the protocol was made on this side: no answer, or one that is of no use."""
    return error.code == mcp_types.REQUEST_TIMEOUT or (
        isinstance(error.data, dict) and (TOO_LARGE in error.data or UNREADABLE in error.data)
    )


def protocol_failure(name: str, error: MCPError) -> FunctionError:
    """Return the error that a protocol error is, where the server itself answered with it."""
    data = error.data
    if isinstance(data, dict) and TOO_LARGE in data:
        return FunctionError(f"{name}: {error.message}", kind="ResultTooLarge")
    kind = KINDS.get(error.code, "ServerError")
    if kind == "Timeout":
        return FunctionError(f"{name}: {error.message}; whether it had an effect is unknown", kind=kind)
    return FunctionError(_short(f"{name}: {error.message}"), kind=kind)


def _is_list(returns: JsonObject, value: Json) -> bool:
    """Return whether one block is the one element of a list: servers send each element as a block of its own."""
    return returns.get("type") == "array" and not isinstance(value, list)


def _block(block: Any, returns: JsonObject) -> Json:
    if isinstance(block, mcp_types.TextContent):
        return _text(block.text, returns)
    if isinstance(block, mcp_types.ImageContent | mcp_types.AudioContent):
        return {"type": block.type, "mimeType": block.mime_type, **_reference(block.data)}
    if isinstance(block, mcp_types.ResourceLink):
        return {"type": "resource", "uri": str(block.uri), "mimeType": block.mime_type, "name": block.name}
    return _embedded(block.resource)


def _embedded(resource: mcp_types.TextResourceContents | mcp_types.BlobResourceContents) -> JsonObject:
    known: JsonObject = {"type": "resource", "uri": str(resource.uri), "mimeType": resource.mime_type}
    if isinstance(resource, mcp_types.TextResourceContents):
        return {**known, "text": resource.text}
    return {**known, **_reference(resource.blob)}


def _reference(data: str) -> JsonObject:
    try:
        return reference(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return reference(data.encode())


def _text(text: str, returns: JsonObject) -> Json:
    kinds = {kind for kind in _types(returns) if isinstance(kind, str)}
    if not kinds or "string" in kinds:
        return text
    try:
        return parse(text)
    except JsonError:
        return text


def _types(schema: JsonObject) -> list[Json]:
    kind = schema.get("type")
    own = kind if isinstance(kind, list) else [kind]
    choices = [item for word in ("anyOf", "oneOf") for item in cast("list[Json]", schema.get(word) or [])]
    return own + [kind for item in choices if isinstance(item, dict) for kind in _types(item)]


def _declared_kind(content: Json) -> str | None:
    if not isinstance(content, dict):
        return None
    inner = content.get("error")
    for holder in (content, inner if isinstance(inner, dict) else {}):
        for key in ("kind", "code", "type", "name"):
            value = holder.get(key)
            if isinstance(value, str) and 0 < len(value) <= 80:
                return value
    return None


def _short(text: str) -> str:
    return text if len(text) <= MAX_ERROR else f"{text[: MAX_ERROR - 1]}…"
