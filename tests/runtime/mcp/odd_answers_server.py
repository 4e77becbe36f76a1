"""A server whose answers are odd, each in its own way: over standard input and output, or over HTTP with a word after it.

The word says how it answers there: `json` or `events`. It prints its port first.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

OK = '{"content":[{"type":"text","text":"ok"}]}'
RESULTS = {
    "deep": '{"content":[],"structuredContent":{"a":%s}}' % ("[" * 300 + "]" * 300),
    "deepest": '{"content":[],"structuredContent":{"a":%s}}' % ("[" * 100_000 + "]" * 100_000),
    "null": "null",
    "number": "5",
    "long-integer": '{"content":[],"structuredContent":{"a":%s}}' % ("9" * 5000),
    "surrogate": '{"content":[{"type":"text","text":"a\\ud800"}]}',
    "no-text": '{"content":[{"type":"text","text":"a@"}]}',
}
WHOLE = {
    "error-text": '{"jsonrpc":"2.0","id":%d,"error":"shut"}',
    "error-bare": '{"jsonrpc":"2.0","id":%d,"error":{"code":"E7"}}',
    "neither": '{"jsonrpc":"2.0","id":%d}',
    "batch": '[{"jsonrpc":"2.0","id":%d,"result":' + OK + "}]",
    "cut-off": '{"jsonrpc":"2.0","id":%d,"result":' + OK[:-3],
}
DEEP_SCHEMA = {"type": "object", "properties": json.loads("[" * 300 + "]" * 300)}
SOUND: dict[str, object] = {"inputSchema": {"type": "object"}}
TOOLS: list[dict[str, object]] = [
    *[{"name": name, **SOUND} for name in (*RESULTS, *WHOLE)],
    {"name": "too-deep", "inputSchema": DEEP_SCHEMA},
    {"name": "no-schema", "inputSchema": {}},
    {"name": "or-null", "description": 5, "inputSchema": {"type": ["object", "null"], "properties": {"a": {}}}},
]


def answer(asked: dict[str, object]) -> bytes:
    """Return the text of an answer."""
    number = asked["id"]
    if asked["method"] == "tools/call":
        parameters = asked["params"]
        assert isinstance(parameters, dict)
        name = parameters["name"]
        text = WHOLE[name] % number if name in WHOLE else ""
        text = text or f'{{"jsonrpc":"2.0","id":{number},"result":{RESULTS.get(name, OK)}}}'
        return text.encode().replace(b"@", b"\xff")
    said: dict[str, object] = {"error": {"code": -32601, "message": "no such method"}}
    if asked["method"] == "initialize":
        about = {"serverInfo": {"name": "odd", "version": "1"}, "capabilities": {"tools": {}}}
        said = {"result": {"protocolVersion": "2025-06-18", **about}}
    if asked["method"] == "tools/list":
        said = {"result": {"tools": TOOLS}}
    return json.dumps({"jsonrpc": "2.0", "id": number, **said}).encode()


class Posted(BaseHTTPRequestHandler):
    """Answers a request with JSON, or with one event."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        events = sys.argv[1] == "events"
        text = answer(asked) if "id" in asked else b""
        text = b"event: message\ndata: " + text + b"\n\n" if events and text else text
        self.send_response(200 if text else 202)
        self.send_header("content-type", "text/event-stream" if events else "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self) -> None:
        self.send_error(405)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        """Say nothing."""


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server = HTTPServer(("127.0.0.1", 0), Posted)
        print(server.server_address[1], flush=True)
        server.serve_forever()
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            sys.stdout.buffer.write(answer(asked) + b"\n")
            sys.stdout.buffer.flush()
