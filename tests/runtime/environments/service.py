"""A service for tests: it answers with the request that it got, and misbehaves under some paths."""

from __future__ import annotations

import json
from typing import Any

BIG = 300_000


class Service:
    """An ASGI application. `requests` holds what it was asked; `secret` is what it tells to everybody."""

    def __init__(self, secret: str = "") -> None:
        self.requests: list[dict[str, Any]] = []
        self.secret = secret
        self.port = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        seen = {
            "method": scope["method"],
            "path": scope["raw_path"].decode(),
            "query": scope["query_string"].decode(),
            "headers": {key.decode(): value.decode() for key, value in scope["headers"]},
            "body": body.decode(),
        }
        self.requests.append(seen)
        status, headers, content = self._answer(seen)
        pairs = [(key.encode(), value.encode()) for key, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": content})

    def _answer(self, seen: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        word = seen["path"].removeprefix("/v1/")
        if word == "flaky" and len(self.requests) % 3:
            return 503, {"retry-after": "1"}, b"busy"
        if word in ("down", "gone-for-writes"):
            return 503, {}, b"busy"
        if word.startswith("away"):
            return 302, {"location": f"http://localhost:{self.port}/v1/echo"}, b""
        if word == "here":
            return 307, {"location": "/v1/echo"}, b""
        if word == "round":
            return 302, {"location": "/v1/round"}, b""
        return ANSWERS[word] if word in ANSWERS else (200, JSON, json.dumps({**seen, "note": self.secret}).encode())


JSON = {"content-type": "application/json; charset=utf-8"}
PROBLEM = {"content-type": "application/problem+json"}


def problem(status: int, **fields: Any) -> tuple[int, dict[str, str], bytes]:
    """Return an answer that is a problem as RFC 9457 has it."""
    return status, PROBLEM, json.dumps({"status": status, **fields}).encode()


ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "problem": problem(409, type="https://shop.example/problems/out-of-stock", detail="no pens left"),
    "titled": problem(422, type="about:blank", title="Order Closed", detail="order 7 is closed"),
    "coded": (400, JSON, b'{"error": {"code": "rate_limited", "message": "too fast"}}'),
    "plain-404": (404, {"content-type": "text/plain"}, b"nothing here"),
    "broken": (500, {"content-type": "text/html"}, b"<h1>oops</h1>"),
    "broken-json": (200, JSON, b'{"a": NaN}'),
    "named-503": problem(503, type="https://shop.example/problems/closed-for-today"),
    "empty": (204, {}, b""),
    "text": (200, {"content-type": "text/plain; charset=utf-8"}, "Grüße".encode()),
    "picture": (200, {"content-type": "image/png"}, b"\x89PNG"),
    "big": (200, JSON, json.dumps("x" * BIG).encode()),
}
