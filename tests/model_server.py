"""An OpenAI-compatible server on the loopback, which answers from a script: the real client meets every mishap."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

from nucleate_codifier.chat import ChatModel, Message, Role


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer: a completion, an error by its status, raw bytes in place of JSON, or none at all (`hangs`)."""

    text: str | None = ""
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    error: str = ""
    raw: bytes | None = None
    hangs: bool = False
    calls: tuple[tuple[str, str], ...] = ()
    prompt_tokens: int = 10
    completion_tokens: int = 5
    headers: dict[str, str] = field(default_factory=dict)

    def body(self, model: str) -> bytes:
        """Return what stands in the response."""
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": self.error, "type": "scripted"}}).encode()
        message: dict[str, Any] = {"role": "assistant", "content": self.text, "refusal": self.refusal}
        if self.calls:
            message["tool_calls"] = [
                {"id": f"call-{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for number, (name, arguments) in enumerate(self.calls)
            ]
        usage = {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
        }
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        return json.dumps(
            {
                "id": "c-1",
                "object": "chat.completion",
                "created": 1,
                "model": model,
                "choices": [choice],
                "usage": usage,
            }
        ).encode()


Request: TypeAlias = dict[str, Any]
Script: TypeAlias = Iterable[Answer] | Callable[[Request], Answer]


class ModelServer:
    """A context manager on a free port; `asked` holds the bodies of all requests."""

    def __init__(self, script: Script) -> None:
        self._answer = script if callable(script) else _in_order(script)
        self.asked: list[Request] = []
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """Return the address as LiteLLM's `api_base` takes it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, request: Request) -> Answer:
        """Return the next scripted answer; one that hangs is held until the server is closed."""
        self.asked.append(request)
        answer = self._answer(request)
        if answer.hangs:
            self._closing.wait()
        return answer

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def spoken_by(model: ChatModel) -> Callable[[Request], Answer]:
    """Return a script that answers each request as a model of this process would."""

    def answer(request: Request) -> Answer:
        messages = [Message(role=Role(item["role"]), content=item["content"]) for item in request["messages"]]
        reply = model.complete(messages)
        return Answer(text=reply.text, prompt_tokens=reply.prompt_tokens, completion_tokens=reply.completion_tokens)

    return answer


def _in_order(script: Iterable[Answer]) -> Callable[[Request], Answer]:
    answers = iter(script)
    return lambda _request: next(answers, Answer(status=400, error="the script has no answer left"))


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = server.answer(request)
            body = answer.body(request["model"])
            try:
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except ConnectionError:
                return  # the client has given up waiting

        def log_message(self, *_line: object) -> None:
            """Keep the test's output clean."""

    return Handler
