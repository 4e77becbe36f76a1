"""A server by hand: tools that are no functions here, answers of every kind, and one call that only ends by being given up."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

NONE: dict[str, Any] = {"type": "object", "properties": {}}
LETTERS: dict[str, Any] = {"type": "object", "properties": {"slug": {"type": "string", "pattern": "^[\\p{L}-]+$"}}}
PATHS: dict[str, Any] = {
    "type": "object",
    "properties": {"repo-path": {"type": "string"}, "from": {"type": "string"}},
    "required": ["repo-path"],
}
ROWS: dict[str, Any] = {"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]}
TOOLS: list[dict[str, Any]] = [
    {"name": "letters", "inputSchema": LETTERS, "title": "Letters", "_meta": {"vendor/cost": 3}},
    {"name": "Get-Order.v2", "description": "Look.", "inputSchema": PATHS, "annotations": {"readOnlyHint": True}},
    {"name": "picture", "inputSchema": NONE},
    {"name": "rows", "inputSchema": NONE, "outputSchema": ROWS},
    {"name": "refuse", "inputSchema": NONE},
    {"name": "break", "inputSchema": NONE},
    {"name": "hang", "inputSchema": NONE},
    {"name": "cancelled", "inputSchema": NONE},
    {"name": "unreadable", "inputSchema": "no schema"},
]
TEXT = {"type": "text", "text": "so it is", "annotations": {"audience": ["user"]}}
ANSWERS: dict[str, dict[str, Any]] = {
    "picture": {"content": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}, TEXT]},
    "rows": {"content": [], "structuredContent": {"rows": [2, 1]}, "_meta": {"page": 1}},
    "refuse": {"content": [TEXT], "structuredContent": {"error": {"code": "E7"}}, "isError": True},
}
ERROR = {"code": -32055, "message": "the till is shut", "data": {"until": "nine"}}


MANUAL = {"name": "manual", "uri": "till://manual", "mimeType": "text/plain", "_meta": {"vendor/pages": 2}}
PAGE = {"uri": "till://manual", "mimeType": "text/plain", "text": "Press the green key."}
TEMPLATE = {"name": "receipt", "uriTemplate": "till://receipt/{number}"}
GREET = {"name": "greet", "description": "A greeting.", "arguments": [{"name": "whom", "required": True}]}
OFFERED: dict[str, dict[str, Any]] = {
    "resources/list": {"resources": [MANUAL]},
    "resources/templates/list": {"resourceTemplates": [TEMPLATE]},
    "prompts/list": {"prompts": [GREET]},
}
GIVEN_UP = "notifications/cancelled"
CANCELLED: list[dict[str, Any]] = []


def reply(message: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a request is answered with; None where it is not answered."""
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        about = {
            "serverInfo": {"name": "odd", "version": "1"},
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        }
        return {"result": {"protocolVersion": "2025-06-18", **about}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method in OFFERED:
        return {"result": OFFERED[method]}
    if method == "resources/read" and params["uri"] == MANUAL["uri"]:
        return {"result": {"contents": [PAGE]}}
    if method == "prompts/get" and params["name"] == "greet":
        text = {"type": "text", "text": f"Greet {params['arguments']['whom']}."}
        return {"result": {"messages": [{"role": "user", "content": text}]}}
    if method != "tools/call":
        return {"error": {"code": -32601, "message": "no such method"}}
    name = params["name"]
    if name == "hang":
        Path(sys.argv[1]).write_text("it hangs", encoding="utf-8")  # whoever waits at this pipe knows
        return None
    if name == "cancelled":
        heard = CANCELLED or [item for item in map(json.loads, [sys.stdin.readline()]) if item["method"] == GIVEN_UP]
        return {"result": {"content": [{"type": "text", "text": heard[0]["method"]}]}}
    if name == "break":
        return {"error": ERROR}
    asked = {"content": [{"type": "text", "text": json.dumps([name, params.get("arguments")])}]}
    return {"result": ANSWERS.get(name, asked)}


if __name__ == "__main__":
    while line := sys.stdin.readline():
        asked = json.loads(line)
        CANCELLED += [asked] if asked.get("method") == GIVEN_UP else []
        answer = reply(asked) if "id" in asked else None
        if answer is not None:
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
