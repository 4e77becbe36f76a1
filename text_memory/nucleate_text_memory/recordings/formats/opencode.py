"""opencode's sessions: rows of its database, its export, the events of `opencode run --format json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nucleate_text_memory.recordings.answers.answering import answered, ran
from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads, readable
from nucleate_text_memory.recordings.happenings import AskedCall, Happening, Replied, Said
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.message_parts import object_of
from nucleate_text_memory.recordings.observations import arguments_of
from nucleate_text_memory.recordings.said import said_in
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.recordings.spans import calls_as_query
from nucleate_text_memory.values import Trajectory

TABLES = frozenset({"session", "message", "part"})
EVENTS = frozenset({"step_start", "step_finish", "text", "tool_use", "reasoning", "error"})
_ENVIRONMENT = "opencode"
# Its own tools; every other name is a server's tool, written `server_tool`.
_OWN = frozenset(
    ("apply_patch", "plan_enter", "plan_exit", "todo_read", "todo_write", "web_fetch", "web_search", "code_search")
)


class OpenCode:
    """Gathers sessions, messages and parts, which come in any order, and yields the tasks at the end."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._sessions: dict[str, dict[str, Any]] = {}
        self._messages: dict[str, dict[str, Any]] = {}
        self._parts: dict[str, dict[str, Any]] = {}

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Take in a row, a session or an event; yield nothing, since a later one may belong before it."""
        value = loads(text)
        if str(value.get("table")) in TABLES:
            self._row(str(value["table"]), value)
        elif isinstance(value.get("messages"), list):
            self._exported(value)
        else:
            self._part(object_of(value.get("part")), str(value.get("sessionID")))
        return ()

    def end(self) -> Iterator[Trajectory]:
        """Yield the tasks of all sessions, in the order in which the sessions were met."""
        for name in list(self._sessions):
            yield from self._tasks(name)

    def _row(self, table: str, row: dict[str, Any]) -> None:
        id_, data = str(row.get("id")), row.get("data")
        told = object_of(json.loads(data) if isinstance(data, str) else data)
        if table == "session":
            self._sessions.setdefault(id_, {}).update(row)
        elif table == "message":
            self._message({**told, "id": id_, "time": row.get("time_created")}, str(row.get("session_id")))
        else:
            self._part({**told, "id": id_, "messageID": row.get("message_id")}, str(row.get("session_id")))

    def _exported(self, value: dict[str, Any]) -> None:
        info = object_of(value.get("info"))
        name = str(info.get("id") or self._source.name)
        self._sessions.setdefault(name, {}).update(info)
        for entry in map(object_of, value["messages"]):
            about = object_of(entry.get("info"))
            self._message({**about, "time": object_of(about.get("time")).get("created")}, name)
            for part in entry["parts"] if isinstance(entry.get("parts"), list) else ():
                self._part({"messageID": about.get("id"), **object_of(part)}, name)

    def _message(self, message: dict[str, Any], session: str) -> None:
        self._sessions.setdefault(session, {})
        self._messages[str(message.get("id"))] = {**message, "session": session}

    def _part(self, part: dict[str, Any], session: str) -> None:
        if not isinstance(part.get("type"), str):
            raise LineFault("an event of opencode has no part")
        self._sessions.setdefault(session, {})
        self._parts[str(part.get("id") or len(self._parts))] = {**part, "session": session}

    def _tasks(self, name: str) -> Iterator[Trajectory]:
        session = self._begun(name)
        for id_, part in sorted(self._parts.items(), key=self._place):
            if part["session"] != name:
                continue
            message = self._messages.get(str(part.get("messageID")), {})
            for happening in readable(self._source, _happenings(part, user=message.get("role") == "user")):
                named = f"opencode:{id_}" if isinstance(happening, Said) else None
                ended = session.take(happening, id_=named)
                if ended is not None:
                    yield _asked_for(ended)
        last = session.end()
        if last is not None:
            yield _asked_for(last)

    def _place(self, item: tuple[str, dict[str, Any]]) -> tuple[int, str, str]:
        """Return what orders parts: the time and id of the message, then the part's own id, which grow."""
        id_, part = item
        message = self._messages.get(str(part.get("messageID")), {})
        time = message.get("time")
        return time if isinstance(time, int) else 0, str(part.get("messageID")), id_

    def _begun(self, name: str) -> AgentSession:
        about = self._sessions[name]
        environment = self._source.environment or _ENVIRONMENT
        meta = {"format": "opencode", "session": name}
        session = self._source.session(f"opencode:{name}", environment=environment, meta={**meta})
        parent = about.get("parent_id") or about.get("parentID")
        model = about.get("model")
        model = object_of(json.loads(model) if isinstance(model, str) and model.startswith("{") else model).get("id")
        facts = {"cwd": about.get("directory"), "version": about.get("version"), "parent": parent, "model": model}
        session.note(**{key: value for key, value in facts.items() if isinstance(value, str) and value})
        return session


def _happenings(part: dict[str, Any], *, user: bool) -> Iterator[Happening]:
    kind = part["type"]
    if kind == "text" and isinstance(part.get("text"), str) and not part.get("synthetic"):
        words = said_in(part["text"]).strip() if user else part["text"]
        if words:
            yield Said(text=words) if user else Replied(text=words)
    elif kind == "tool":
        state, id_ = object_of(part.get("state")), str(part.get("callID") or part.get("id"))
        yield AskedCall(id=id_, name=foreign_name(str(part.get("tool"))), arguments=arguments_of(state.get("input")))
        exit_code = object_of(state.get("metadata")).get("exit")
        if state.get("status") == "error":
            yield answered(id_, str(state.get("error", "")), failed=True)
        elif state.get("status") == "completed" and isinstance(exit_code, int):
            yield ran(id_, str(state.get("output", "")), exit_code)
        elif state.get("status") == "completed":
            yield answered(id_, state.get("output"))


def foreign_name(tool: str) -> str:
    """Return a tool's name as every client's tools are named: `wiki_search` is the tool of a server, `bash` is not."""
    server, parted, name = tool.partition("_")
    return f"mcp__{server}__{name}" if parted and server and name and tool not in _OWN else tool


def _asked_for(task: Trajectory) -> Trajectory:
    """Let the first calls stand for a prompt that is not recorded: the events of a run hold the agent's work alone."""
    return task if task.query else replace(task, query=calls_as_query("opencode run", task.steps))
