"""Answers that the protocol's parser does not take, as what they are: bad answers, of which nobody waits for a better.

They are read loosely where that can be done: half a surrogate pair, bytes that are not UTF-8, several messages in a
list (as versions before 2025-06-18 of the protocol allowed), an error without its parts.
"""

from __future__ import annotations

import json
import re
from typing import Any

import mcp_types
from mcp_types import ErrorData, JSONRPCError, JSONRPCMessage, jsonrpc_message_adapter

from nucleate_sandbox.json_values import deeper_than

UNREADABLE = "answer-unreadable"
MAX_DEPTH = 150  # the parser takes 200
MAX_SAID = 2_000
_ENDS = 200
_ID = re.compile(rb'"id"\s*:\s*(\d{1,15})\b')


def messages(line: bytes) -> list[JSONRPCMessage]:
    """Return the messages of a line; none for what is no message."""
    try:
        return [jsonrpc_message_adapter.validate_json(line, by_name=False)]
    except ValueError:
        pass
    try:
        value = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        return _unread(line, f"{type(error).__name__}: {error}")
    items = value if isinstance(value, list) else [value]
    return [found for item in items if isinstance(item, dict) and (found := _message(item)) is not None]


def answered(line: bytes) -> int | None:
    """Return which request a line answers, as far as its two ends say so."""
    found = _ID.search(line[:_ENDS]) or _ID.search(line[-_ENDS:])
    return int(found[1]) if found else None


def _unread(line: bytes, reason: str) -> list[JSONRPCMessage]:
    """Answer the request whose answer is no JSON; other lines are no messages."""
    head, number = line[:_ENDS], answered(line)
    if number is None or b'"method"' in head or not (b'"jsonrpc"' in head or b'"result"' in head):
        return []
    return [_bad(number, f"the answer cannot be read: {reason[:_ENDS]}")]


def _message(item: dict[str, Any]) -> JSONRPCMessage | None:
    number = item.get("id")
    if "method" in item or isinstance(number, bool) or not isinstance(number, int | str):
        return _valid(item)
    if not item.keys() & {"jsonrpc", "result", "error"}:
        return None
    if item.get("error") is not None:
        return JSONRPCError(jsonrpc="2.0", id=number, error=_error(item["error"]))
    result = item.get("result")
    if not isinstance(result, dict):
        return _bad(number, f"the answer has no result that is an object, but {json.dumps(result)[:_ENDS]}")
    if isinstance(result.get("tools"), list):
        result["tools"] = [_tool(tool) for tool in result["tools"]]
    if deeper_than(item, MAX_DEPTH):
        return _bad(number, f"the answer is nested deeper than {MAX_DEPTH} levels")
    return _valid({"jsonrpc": "2.0", "id": number, "result": result}) or _bad(number, "the answer cannot be read")


def _valid(item: dict[str, Any]) -> JSONRPCMessage | None:
    try:
        return jsonrpc_message_adapter.validate_python(json.loads(_whole(json.dumps(item, ensure_ascii=False))))
    except (ValueError, RecursionError):
        return None


def _tool(tool: Any) -> Any:
    """Return a tool that is too deep without what cannot be sent on; then it is said to be broken, and no other is."""
    if not deeper_than(tool, MAX_DEPTH - 10):
        return tool
    return {"name": tool.get("name") if isinstance(tool, dict) else None, "inputSchema": "nested too deep"}


def _error(error: Any) -> ErrorData:
    told = error if isinstance(error, dict) else {"message": error}
    code, message = told.get("code"), told.get("message")
    said = message if isinstance(message, str) else json.dumps(told)
    return ErrorData(code=code if isinstance(code, int) else mcp_types.INTERNAL_ERROR, message=_whole(said)[:MAX_SAID])


def _bad(number: int | str, reason: str) -> JSONRPCError:
    error = ErrorData(code=mcp_types.PARSE_ERROR, message=_whole(reason), data={UNREADABLE: True})
    return JSONRPCError(jsonrpc="2.0", id=number, error=error)


def _whole(text: str) -> str:
    """Return a text without halves of surrogate pairs."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
