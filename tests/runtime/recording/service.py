"""A model service on the loopback, for the real clients: it answers by a script, whole or as a stream of events."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

Request: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Events:
    """A stream: each event an object, with its name where the provider gives one; it may break off."""

    items: list[dict[str, Any]]
    named: bool = False
    breaks_off: bool = False

    def body(self) -> bytes:
        """Return the text of the stream."""
        lines = [f"event: {item['type']}\n" if self.named else "" for item in self.items]
        texts = [f"{line}data: {json.dumps(item)}\n\n" for line, item in zip(lines, self.items, strict=True)]
        return "".join([*texts, "" if self.named or self.breaks_off else "data: [DONE]\n\n"]).encode()


Answer: TypeAlias = dict[str, Any] | Events
Script: TypeAlias = Iterable[Answer] | Callable[[Request], Answer]


class Service:
    """A context manager on a free port; `asked` holds the bodies of all requests, in order."""

    def __init__(self, script: Script) -> None:
        answers = iter(()) if callable(script) else iter(script)
        self.answer: Callable[[Request], Answer] = script if callable(script) else lambda _request: next(answers)
        self.asked: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """Return the address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.asked.append(request)
            answer = service.answer(request)
            streamed = isinstance(answer, Events)
            body = answer.body() if isinstance(answer, Events) else json.dumps(answer).encode()
            missing = 100 if isinstance(answer, Events) and answer.breaks_off else 0
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
            self.send_header("Content-Length", str(len(body) + missing))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_line: object) -> None:
            """Keep the test's output clean."""

    return Handler
