"""An MCP server over HTTP as they were before the newest protocol: with sessions, which it can forget."""

from __future__ import annotations

import json
from typing import Any

TOOL = {"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}


class OldServer:
    """An ASGI application. `calls` counts what was done; `forget` ends every session, as a restart does."""

    def __init__(self, forgotten: str) -> None:
        self.calls = 0
        self._forgotten = forgotten
        self._sessions: set[str] = set()
        self._opened = 0

    def forget(self) -> None:
        """End every session."""
        self._sessions.clear()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        message = json.loads((await receive())["body"] or b"{}")
        session = dict(scope["headers"]).get(b"mcp-session-id", b"").decode()
        status, headers, body = self._answer(scope["method"], message, session)
        pairs = [
            (b"content-type", b"application/json"),
            *((key.encode(), item.encode()) for key, item in headers.items()),
        ]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": json.dumps(body).encode() if body else b""})

    def _answer(self, verb: str, message: dict[str, Any], session: str) -> tuple[int, dict[str, str], Any]:
        reply = {"jsonrpc": "2.0", "id": message.get("id")}
        if verb != "POST":
            return 405, {}, None
        if message["method"] == "initialize":
            return 200, {"mcp-session-id": self._open()}, {**reply, "result": self._hello()}
        if message["method"] == "server/discover":
            return 400, {}, {**reply, "error": {"code": -32600, "message": "Bad Request: Missing session ID"}}
        if session not in self._sessions:
            return 404, {}, {**reply, "error": {"code": -32600, "message": self._forgotten}}
        if "id" not in message:
            return 202, {}, None
        return 200, {}, {**reply, "result": self._result(message)}

    def _result(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "tools/list":
            return {"tools": [TOOL]}
        self.calls += 1
        return {"content": [{"type": "text", "text": message["params"]["arguments"]["text"]}]}

    def _open(self) -> str:
        self._opened += 1
        self._sessions.add(f"session-{self._opened}")
        return f"session-{self._opened}"

    def _hello(self) -> dict[str, Any]:
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "old", "version": "1"},
        }
