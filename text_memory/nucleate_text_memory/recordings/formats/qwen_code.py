"""Qwen Code's chats: lines as Claude Code writes them, with messages in Gemini's form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.happenings import Answered, Happening, Replied, Said
from nucleate_text_memory.recordings.message_parts import object_of, part_happenings
from nucleate_text_memory.recordings.said import said_in
from nucleate_text_memory.recordings.sessions import AgentSession

KINDS = frozenset({"user", "assistant", "tool_result", "system"})
_ENVIRONMENT = "qwen_code"


class QwenCode:
    """Reads the lines of sessions; what a sub-agent called stands in no line of its own."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._sessions: dict[str, AgentSession] = {}

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the task that a line ends."""
        line = loads(text)
        kind = str(line.get("type"))
        if kind not in KINDS - {"system"}:
            self._source.leave_out(f"lines of type {kind}")
            return
        session = self._session(line)
        for happening in _happenings(kind, line):
            named = f"qwen-code:{line['uuid']}" if isinstance(happening, Said) and line.get("uuid") else None
            ended = session.take(happening, id_=named)
            if ended is not None:
                yield ended

    def end(self) -> Read:
        """Yield the last task of every session."""
        for session in self._sessions.values():
            ended = session.end()
            if ended is not None:
                yield ended

    def _session(self, line: dict[str, Any]) -> AgentSession:
        name = str(line.get("sessionId") or self._source.name)
        if name not in self._sessions:
            meta = {"format": "qwen-code", "session": name}
            environment = self._source.environment or _ENVIRONMENT
            self._sessions[name] = self._source.session(f"qwen-code:{name}", environment=environment, meta={**meta})
        facts = {"cwd": line.get("cwd"), "branch": line.get("gitBranch"), "version": line.get("version")}
        facts |= {"model": line.get("model")}
        self._sessions[name].note(**{key: value for key, value in facts.items() if isinstance(value, str) and value})
        return self._sessions[name]


def _happenings(kind: str, line: dict[str, Any]) -> Iterator[Happening]:
    ended = object_of(line.get("toolCallResult"))
    parts = object_of(line.get("message")).get("parts")
    for part in parts if isinstance(parts, list) else ():
        for found in part_happenings(part):
            if isinstance(found, Said):
                words = said_in(found.text).strip() if kind == "user" else found.text
                if words:
                    yield Said(text=words) if kind == "user" else Replied(text=words)
            elif isinstance(found, Answered):
                cancelled = ended.get("status") in ("cancelled", "canceled")
                yield replace(found, id=found.id or ended.get("callId"), refused=found.refused or cancelled)
            else:
                yield found
