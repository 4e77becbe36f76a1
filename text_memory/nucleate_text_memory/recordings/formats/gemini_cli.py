"""Gemini CLI's chats: a head, messages that are written again as they grow, and patches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nucleate_text_memory.recordings.answers.answering import answered
from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads, readable
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Replied, Said
from nucleate_text_memory.recordings.message_parts import object_of, part_happenings, text_of
from nucleate_text_memory.recordings.observations import arguments_of
from nucleate_text_memory.recordings.said import said_in
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.values import Trajectory

_ENVIRONMENT = "gemini_cli"
_WORKSPACE = re.compile(r"\*\*Workspace Directories:\*\*\s{1,5}- (\S{1,500})")
_SERVED = " MCP Server)"


class GeminiCli:
    """Reads one chat; the last writing of a message counts, and so its tasks are known at the end alone."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._head: dict[str, Any] = {}
        self._messages: dict[str, dict[str, Any]] = {}

    def read(self, number: int, text: str) -> Read:
        """Take in a head, a message or a patch; a whole chat in one document is all three."""
        line = loads(text)
        patch = object_of(line.get("$set")) if "$set" in line else line
        self._head |= {key: value for key, value in patch.items() if key not in {"messages", "id", "type", "content"}}
        listed = patch.get("messages")
        for place, message in enumerate(listed if isinstance(listed, list) else [line] if "type" in line else []):
            found = object_of(message)
            self._messages[str(found.get("id") or f"{number}.{place}")] = found
        return ()

    def end(self) -> Iterator[Trajectory]:
        """Yield the tasks of the chat."""
        name = str(self._head.get("sessionId") or self._source.name)
        meta = {"format": "gemini-cli", "session": name}
        environment = self._source.environment or _ENVIRONMENT
        session = self._source.session(f"gemini-cli:{name}", environment=environment, meta={**meta})
        session.note(**_facts(self._head))
        for id_, message in self._messages.items():
            yield from self._taken(session, id_, message)
        ended = session.end()
        if ended is not None:
            yield ended

    def _taken(self, session: AgentSession, id_: str, message: dict[str, Any]) -> Iterator[Trajectory]:
        kind = str(message.get("type"))
        if kind not in {"user", "gemini"}:
            self._source.leave_out(f"messages of type {kind}")
            return
        where = _WORKSPACE.search(text_of(message.get("content"))[:20_000]) if kind == "user" else None
        model = message.get("model")
        session.note(model=model if isinstance(model, str) else None, cwd=where[1] if where else None)
        for happening in readable(self._source, _said(message) if kind == "user" else _done(message)):
            ended = session.take(happening, id_=f"gemini-cli:{id_}" if isinstance(happening, Said) else None)
            if ended is not None:
                yield ended


def _facts(head: dict[str, Any]) -> dict[str, Any]:
    directories = head.get("directories")
    first = directories[0] if isinstance(directories, list) and directories else None
    kind = head.get("kind")
    return {"cwd": first, "project": head.get("projectHash"), "kind": kind if kind != "main" else None}


def _said(message: dict[str, Any]) -> Iterator[Happening]:
    """Yield the user's words; what functions answered stands with the calls already."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    words = [said_in(text_of(part)).strip() for part in parts if not object_of(part).get("functionResponse")]
    said = "\n".join(filter(None, words))
    if said:
        yield Said(text=said)


def _done(message: dict[str, Any]) -> Iterator[Happening]:
    if words := text_of(message.get("content")):
        yield Replied(text=words)
    calls = message.get("toolCalls")
    for call in map(object_of, calls if isinstance(calls, list) else ()):
        id_ = str(call.get("id"))
        yield AskedCall(id=id_, name=_name(call), arguments=arguments_of(call.get("args")))
        yield from _ended(id_, call)


def _name(call: dict[str, Any]) -> str:
    """Return the tool's name; for a tool of a server the name shown says which server: `search (wiki MCP Server)`."""
    name, shown = str(call.get("name") or "unnamed"), str(call.get("displayName", ""))
    tool, parted, server = shown.removesuffix(_SERVED).rpartition(" (")
    if not (shown.endswith(_SERVED) and parted):
        return name
    return f"mcp__{server}__{tool}"


def _ended(id_: str, call: dict[str, Any]) -> Iterator[Answered]:
    status = call.get("status")
    if status in ("cancelled", "canceled"):
        yield Answered(id=id_, refused=True)
        return
    result = call.get("result")
    for part in result if isinstance(result, list) else [result]:
        for found in part_happenings(part):
            if isinstance(found, Answered):
                failed_anyway = status == "error" and found.error is None and not found.refused
                yield replace(answered(id_, found.result, failed=True) if failed_anyway else found, id=id_)
                return
    if status in ("success", "error"):
        yield answered(id_, call.get("resultDisplay"), failed=True if status == "error" else None)
