"""Traffic of an MCP connection: JSON-RPC messages, bare or within a log's own fields; `tools/call` becomes a step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nucleate_text_memory.names import identifier
from nucleate_text_memory.recordings.bounds import bounded
from nucleate_text_memory.recordings.formats.reader import RecordingSource, an_object, loads
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.messages import Answered, AskedCall, block_text
from nucleate_text_memory.recordings.observations import kind_of, observed
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.recordings.spans import calls_as_query
from nucleate_text_memory.values import StepError, Trajectory


class McpLog:
    """Reads one connection after another; `initialize` begins one. Nobody's words are in it: calls stand for them."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._server: str | None = None
        self._session: AgentSession | None = None
        self._count = 0
        self._methods: dict[str, str] = {}

    def read(self, number: int, text: str) -> Iterator[Trajectory]:  # noqa: ARG002 - the signature is the Reader's
        """Yield the connection that a message ends."""
        for message in messages_in(text):
            if message.get("method") == "initialize":
                yield from self.end()
                self._server = None
            self._take(message)

    def end(self) -> Iterator[Trajectory]:
        """Yield the connection."""
        ended = self._session.end() if self._session else None
        self._session = None
        if ended is not None:
            yield replace(ended, query=calls_as_query(f"MCP {ended.environment}", ended.steps))

    def _take(self, message: dict[str, Any]) -> None:
        id_ = json.dumps(message.get("id"))
        method = message.get("method")
        if isinstance(method, str):
            self._methods[id_] = method
            if method == "tools/call":
                asked = _asked(id_, message.get("params"))
                self._begun().take(asked, id_=self._name)
            return
        of = self._methods.pop(id_, "")
        if of == "initialize":
            self._server = _server_name(message.get("result"))
        elif of == "tools/list":
            self._define(message.get("result"))
        elif of == "tools/call":
            self._begun().take(_answered(id_, message))

    def _begun(self) -> AgentSession:
        if self._session is None:
            self._count += 1
            self._session = AgentSession(self._name, environment=self._scope(), meta={"format": "mcp"})
        return self._session

    @property
    def _name(self) -> str:
        return f"mcp:{self._source.name}:{self._count}"

    def _scope(self) -> str:
        return self._source.scope(self._server)

    def _define(self, result: Any) -> None:
        tools = result.get("tools") if isinstance(result, dict) else None
        if isinstance(tools, list):
            self._source.tools(self._scope(), tools)


def messages_in(text: str) -> list[dict[str, Any]]:
    """Return the JSON-RPC messages of a line: the line itself, a batch, or what a log's field or prefix holds."""
    begin = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if begin < 0:
        raise LineFault("no JSON-RPC message in this line")
    rest = text[begin:]
    value = json.loads(rest) if rest.startswith("[") else loads(rest)
    items = value if isinstance(value, list) else [value]
    return [found for item in items if (found := _unwrapped(an_object(item))) is not None]


def _unwrapped(value: dict[str, Any]) -> dict[str, Any] | None:
    if "jsonrpc" in value:
        return value
    for field in value.values():
        inner = field
        if isinstance(field, str) and '"jsonrpc"' in field:
            try:
                inner = json.loads(field)
            except ValueError:
                continue
        if isinstance(inner, dict) and "jsonrpc" in inner:
            return inner
    return None


def _server_name(result: Any) -> str | None:
    info = result.get("serverInfo") if isinstance(result, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    return identifier(name) if isinstance(name, str) and name else None


def _asked(id_: str, params: Any) -> AskedCall:
    if not isinstance(params, dict) or not isinstance(params.get("name"), str):
        raise LineFault("a tools/call names no tool")
    arguments = params.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise LineFault(f"the arguments of {params['name']!r} are not a JSON object")
    return AskedCall(id=id_, name=params["name"], arguments=arguments)


def _answered(id_: str, message: dict[str, Any]) -> Answered:
    error = message.get("error")
    if error is not None:
        text = str(error.get("message", error)) if isinstance(error, dict) else str(error)
        return Answered(id=id_, error=StepError(kind="McpError", message=text))
    result = message.get("result")
    result = result if isinstance(result, dict) else {}
    text = block_text(result.get("content"))
    if result.get("isError"):
        return Answered(id=id_, error=StepError(kind=kind_of(text), message=text))
    if result.get("structuredContent") is not None:
        return Answered(id=id_, result=bounded(result["structuredContent"]))
    value, failure = observed(text)
    return Answered(id=id_, result=value, error=failure)
