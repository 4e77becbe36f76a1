"""A small MCP server without any library, so that it can break the protocol where a test wants it to.

Run as a script it speaks over standard input and output; the word after it names what is wrong with it at the start.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEXT: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
NONE: dict[str, Any] = {"type": "object", "properties": {}}
PIXEL = "iVBORw0KGgo="
ROWS: dict[str, Any] = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"type": "integer"}}},
    "required": ["rows"],
}


def tool(name: str, schema: Any = None, **more: Any) -> dict[str, Any]:
    """Return the description of one tool."""
    return {"name": name, "description": f"Does {name}.", "inputSchema": NONE if schema is None else schema, **more}


TOOLS: list[Any] = [
    tool("echo", TEXT, annotations={"readOnlyHint": True}),
    tool("look", annotations={"readOnlyHint": True}),
    tool("rows", outputSchema=ROWS, annotations={"destructiveHint": False}),
    tool("rows-as-text", outputSchema=ROWS),
    tool("wrong-rows", outputSchema=ROWS),
    tool("fail", TEXT),
    tool("die"),
    tool("die-reading", annotations={"readOnlyHint": True}),
    tool("hang"),
    tool("flood"),
    tool("picture"),
    tool("several"),
    tool("variables"),
    tool("strange"),
    tool("grow"),
    tool("odd", {"type": "object", "properties": {"from": {}, "repo-path": {}, "to": {}}, "required": ["from"]}),
    tool("broken", "no schema at all"),
    tool("unfit", {"type": "object", "properties": {"a": {"type": "no such type"}}}),
    tool("half", outputSchema={"type": "array"}),
    tool("rows as text"),
]


def text(*parts: str, **more: Any) -> dict[str, Any]:
    """Return a result of text blocks."""
    return {"content": [{"type": "text", "text": part} for part in parts], **more}


def perform(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a call; some do not return."""
    if name.startswith("die"):
        print("out of paper", file=sys.stderr, flush=True)
        os._exit(3)
    if name == "hang":
        time.sleep(600)
    if name in ("echo", "fail"):
        return text(arguments["text"], isError=name == "fail")
    if name == "grow":
        TOOLS.append(tool("grown"))
        send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    if name == "odd":
        return text(json.dumps(arguments, sort_keys=True))
    return ANSWERS[name]() if name in ANSWERS else some_rows(name)


def some_rows(name: str) -> dict[str, Any]:
    """Return rows in the form that the tool's name asks for."""
    if name == "rows":
        return text("three rows", structuredContent={"rows": [1, 2, 3]})
    if name == "wrong-rows":
        return text("?", structuredContent={"rows": "none"})
    return text("1", "two") if name == "several" else text('{"rows": [1]}')


def starts() -> int:
    """Return how often this server has been started, if somebody counts."""
    counted = os.environ.get("STARTS")
    return len(Path(counted).read_text(encoding="utf-8")) if counted else 0


ANSWERS: dict[str, Callable[[], dict[str, Any]]] = {
    "look": lambda: text(str(starts())),
    "flood": lambda: text("x" * (50 << 20)),
    "grow": lambda: text("one more"),
    "variables": lambda: text(json.dumps(dict(os.environ))),
    "picture": lambda: {"content": [{"type": "image", "data": PIXEL, "mimeType": "image/png"}]},
    "strange": lambda: {"content": [{"type": "hologram"}]},
}


def send(message: dict[str, Any]) -> None:
    """Write one message."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(message: dict[str, Any]) -> None:
    """Answer one request, as a server of the protocol's version 2025-06-18 does."""
    method, params = message.get("method"), message.get("params") or {}
    result: dict[str, Any]
    if "id" not in message:
        return
    if method == "initialize":
        info = {"name": "raw", "version": "1"}
        capabilities = {"tools": {"listChanged": True}}
        result = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info}
    elif method == "tools/list":
        reborn = [tool("reborn")] if starts() > 1 else []
        result = {"tools": [*TOOLS, *reborn]}
    elif method == "tools/call":
        result = perform(params["name"], params.get("arguments") or {})
    else:
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": f"no method {method}"}})
        return
    send({"jsonrpc": "2.0", "id": message["id"], "result": result})


def main(fault: str) -> None:
    """Serve until the input ends."""
    if fault == "ends":
        print("cannot open the till: key sk-live-1234567890 refused", file=sys.stderr, flush=True)
        sys.exit(7)
    if fault == "junk":
        print("Welcome to the shop!\n\x00\xff{not json}\n[]", flush=True)
    if counted := os.environ.get("STARTS"):
        with Path(counted).open("a", encoding="utf-8") as file:
            file.write("x")
    for line in sys.stdin:
        if fault == "junk":
            print("debug: got a line", flush=True)
        answer(json.loads(line))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
