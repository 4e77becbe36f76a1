"""Traffic of an MCP connection: JSON-RPC messages, bare or within a log's own fields; `tools/call` becomes a step."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from nucleate_text_memory.recordings.formats.reader import RecordingSource, an_object, refuse_constant
from nucleate_text_memory.recordings.happenings import AskedCall
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.mcp_results import mcp_answer
from nucleate_text_memory.recordings.message_parts import object_of
from nucleate_text_memory.recordings.names import identifier
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.recordings.spans import calls_as_query
from nucleate_text_memory.values import Trajectory

_BEGINS = re.compile(r'\{\s*"|\[\s*\{')
_LOGGED = re.compile(r"\[(?P<server>[^\[\]\n]{1,100})\] \[(?:info|debug|warn|error)\]")
_SENDERS = re.compile(r"\b(?:from|by) (?P<sender>client|server)\b", re.IGNORECASE)
# What a server asks of its client, and the key that only the answer to it has.
_OF_SERVERS = {"roots/list": "roots", "sampling/createMessage": "model", "elicitation/create": "action"}
NO_MESSAGE = "log lines without a message"


@dataclass(frozen=True, kw_only=True)
class Logged:
    """One message of a log: who sent it and which server is meant, where the log says so."""

    message: dict[str, Any]
    sender: str | None = None
    server: str | None = None


class McpLog:
    """Reads one connection after another; `initialize` begins one. Nobody's words are in it: calls stand for them.

    Both sides number their own requests, so an answer belongs to the side that it was asked by.
    """

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._server: str | None = None
        self._session: AgentSession | None = None
        self._count = 0
        self._asked: dict[str, dict[str, str]] = {"client": {}, "server": {}}

    def read(self, number: int, text: str) -> Iterator[Trajectory]:  # noqa: ARG002 - the signature is the Reader's
        """Yield the connection that a message ends."""
        if "jsonrpc" not in text:
            self._source.leave_out(NO_MESSAGE)
            return
        for logged in messages_in(text):
            if logged.message.get("method") == "initialize":
                yield from self.end()
                self._server = None
            self._take(logged)

    def end(self) -> Iterator[Trajectory]:
        """Yield the connection."""
        ended = self._session.end() if self._session else None
        self._session = None
        if ended is not None:
            yield replace(ended, query=calls_as_query(f"MCP {ended.environment}", ended.steps))

    def _take(self, logged: Logged) -> None:
        message = logged.message
        id_, method = json.dumps(message.get("id")), message.get("method")
        self._server = self._server or logged.server
        if isinstance(method, str):
            sender = logged.sender or ("server" if method in _OF_SERVERS else "client")
            if "id" in message:
                self._asked[sender][id_] = method
            if method == "tools/call" and sender == "client":
                self._begun().take(_asked(id_, message.get("params")), id_=self._name)
            return
        of = self._asked[self._asker(id_, logged)].pop(id_, "")
        if of == "initialize":
            self._server = _server_name(message.get("result")) or self._server
        elif of == "tools/list":
            self._define(message.get("result"))
        elif of == "tools/call":
            self._begun().take(mcp_answer(id_, message.get("result"), error=message.get("error")))

    def _asker(self, id_: str, logged: Logged) -> str:
        """Return which side asked what a message answers."""
        if logged.sender is not None:
            return "server" if logged.sender == "client" else "client"
        open_of_server = self._asked["server"].get(id_)
        if open_of_server is None or id_ not in self._asked["client"]:
            return "client" if open_of_server is None else "server"
        result = object_of(logged.message.get("result"))
        return "server" if _OF_SERVERS[open_of_server] in result or "error" in logged.message else "client"

    def _begun(self) -> AgentSession:
        if self._session is None:
            self._count += 1
            self._session = self._source.session(self._name, environment=self._scope(), meta={"format": "mcp"})
        return self._session

    @property
    def _name(self) -> str:
        return f"mcp:{self._source.name}:{self._count}"

    def _scope(self) -> str:
        return self._source.scope(self._server)

    def _define(self, result: Any) -> None:
        tools = object_of(result).get("tools")
        if isinstance(tools, list):
            self._source.tools(self._scope(), tools)


def messages_in(text: str) -> list[Logged]:
    """Return the JSON-RPC messages of a line: the line itself, a batch, or what a log's field or prefix holds."""
    begin = _BEGINS.search(text)
    if begin is None:
        raise LineFault("no JSON-RPC message in this line")
    try:
        value, _ = json.JSONDecoder(parse_constant=refuse_constant).raw_decode(text, begin.start())
    except json.JSONDecodeError as error:
        raise LineFault(f"not JSON: {error.msg} at column {error.colno}") from error
    sent, about = _SENDERS.search(text[: begin.start()]), _LOGGED.search(text[: begin.start()])
    sender, server = sent and sent["sender"].lower(), about and identifier(about["server"])
    items = value if isinstance(value, list) else [value]
    found = [_unwrapped(an_object(item)) for item in items]
    return [Logged(message=message, sender=sender, server=server) for message in found if message is not None]


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
    name = object_of(object_of(result).get("serverInfo")).get("name")
    return identifier(name) if isinstance(name, str) and name else None


def _asked(id_: str, params: Any) -> AskedCall:
    if not isinstance(params, dict) or not isinstance(params.get("name"), str):
        raise LineFault("a tools/call names no tool")
    arguments = params.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise LineFault(f"the arguments of {params['name']!r} are not a JSON object")
    return AskedCall(id=id_, name=params["name"], arguments=arguments)
