"""Claude Code's session files and its `stream-json`: a line a message, tasks split by the user's prompts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.formats.sidechains import Sidechains
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Said
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.message_parts import object_of
from nucleate_text_memory.recordings.messages import happenings
from nucleate_text_memory.recordings.said import said_in
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.recordings.spans import calls_as_query
from nucleate_text_memory.values import Trajectory

KINDS = frozenset(
    {"user", "assistant", "summary", "system", "file-history-snapshot", "queue-operation", "progress", "attachment"}
    | {"result", "last-prompt", "stream_event", "custom-title", "agent-name", "pr-link", "tag", "mode", "ai-title"}
)
REPEATED = "lines that another recording holds"
_ENVIRONMENT = "claude_code"
_MESSAGES = frozenset({"user", "assistant"})


class ClaudeCode:
    """Reads session lines; a sub-agent's lines are a session of their own, whose task is its prompt."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._sessions: dict[tuple[str, str], AgentSession] = {}
        self._agents: dict[str, Sidechains] = {}
        self._asked: set[str] = set()
        self._repeated: set[str] = set()
        self._lines: set[str] = set()

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the task that a line ends."""
        line = loads(text)
        kind = str(line.get("type"))
        if kind not in _MESSAGES:
            self._beside(kind, line)
        elif not (line.get("isMeta") or line.get("isCompactSummary")) and not self._known(line):
            session = self._session(line)
            _note(session, line)
            for happening in self._new(_message(line)):
                ended = session.take(happening, id_=_prompt_id(line, happening))
                if ended is not None:
                    yield _asked_for(ended)

    def end(self) -> Iterator[Trajectory]:
        """Yield the last task of every session."""
        for session in self._sessions.values():
            ended = session.end()
            if ended is not None:
                yield _asked_for(ended)

    def _beside(self, kind: str, line: dict[str, Any]) -> None:
        if kind == "system" and line.get("subtype") == "init":
            session = self._session(line)
            _note(
                session, {**line, "version": line.get("claude_code_version"), "message": {"model": line.get("model")}}
            )
        else:
            self._source.leave_out(f"lines of type {kind}" if "type" in line else "descriptions of sub-agents")

    def _known(self, line: dict[str, Any]) -> bool:
        """Return whether a line was read before: a resumed session, and a stream, repeat lines with their ids."""
        uuid = line.get("uuid")
        if not isinstance(uuid, str) or not uuid:
            return False
        read = self._source.kept.read["claude-code"]
        known = uuid in read and uuid not in self._lines
        self._lines.add(uuid)
        read.add(uuid)
        if known:
            self._source.leave_out(REPEATED)
        return known

    def _session(self, line: dict[str, Any]) -> AgentSession:
        name = _name(line, self._source)
        agent = self._agents.setdefault(name, Sidechains()).agent(line)
        if (name, agent) not in self._sessions:
            about = {"agent": agent, "parent": name} if agent else {}
            full = f"claude-code:{name}" + (f":{agent}" if agent else "")
            environment = self._source.environment or _ENVIRONMENT
            meta = {"format": "claude-code", "session": name, **about}
            self._sessions[name, agent] = self._source.session(full, environment=environment, meta={**meta})
        return self._sessions[name, agent]

    def _new(self, found: Iterator[Happening]) -> Iterator[Happening]:
        """Leave out what the user did not say, and calls that a resumed session repeats."""
        for happening in found:
            if isinstance(happening, Said):
                words = said_in(happening.text)
                if words.strip():
                    yield Said(text=words)
            elif isinstance(happening, AskedCall) and happening.id in self._asked:
                self._repeated.add(happening.id)
            elif isinstance(happening, Answered) and happening.id in self._repeated:
                self._repeated.discard(happening.id)
            else:
                if isinstance(happening, AskedCall) and happening.id is not None:
                    self._asked.add(happening.id)
                yield happening


def _name(line: dict[str, Any], source: RecordingSource) -> str:
    return str(line.get("sessionId") or line.get("session_id") or source.name)


def _message(line: dict[str, Any]) -> Iterator[Happening]:
    """Yield what a line says. Words beside an image or a context are said apart, each by itself."""
    message = line.get("message")
    if not isinstance(message, dict):
        raise LineFault(f"a line of type {line.get('type')!r} has no message")
    content = message.get("content")
    if line["type"] == "user" and isinstance(content, list):
        texts = [part for part in content if object_of(part).get("type") == "text"]
        words = [said_in(str(part.get("text", ""))).strip() for part in texts]
        rest = [part for part in content if part not in texts]
        content = [*rest, {"type": "text", "text": "\n".join(filter(None, words))}]
    yield from happenings({**message, "role": line["type"], "content": content})


def _note(session: AgentSession, line: dict[str, Any]) -> None:
    model = object_of(line.get("message")).get("model")
    facts = {"cwd": line.get("cwd"), "branch": line.get("gitBranch"), "version": line.get("version"), "model": model}
    session.note(**{key: value for key, value in facts.items() if isinstance(value, str) and value})


def _prompt_id(line: dict[str, Any], happening: Happening) -> str | None:
    """Name a task after the prompt that began it, so that a session read again, or resumed elsewhere, is known."""
    return f"claude-code:{line['uuid']}" if isinstance(happening, Said) and line.get("uuid") else None


def _asked_for(task: Trajectory) -> Trajectory:
    """Let the first calls stand for a prompt that is not recorded: a stream holds answers alone."""
    return task if task.query else replace(task, query=calls_as_query("Claude Code", task.steps))
