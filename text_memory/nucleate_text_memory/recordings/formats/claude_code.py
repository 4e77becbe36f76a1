"""Claude Code's session files: one message a line, sub-agents among them, tasks split by the user's prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.messages import AskedCall, Happening, RecordedMessage, Said
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.values import Trajectory

KINDS = frozenset({"user", "assistant", "summary", "system", "file-history-snapshot", "queue-operation", "progress"})
_ENVIRONMENT = "claude_code"
_MESSAGES = frozenset({"user", "assistant"})
# What the program itself writes under the user's name.
_NOT_SAID = re.compile(
    r"\s*(?:<(?:command-name|command-message|command-args|local-command|bash-input|bash-stdout|bash-stderr|user-memory)"
    r"|caveat: the messages below|\[request interrupted|this session is being continued from a previous)",
    re.IGNORECASE,
)
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)


class ClaudeCode:
    """Reads session lines; a sub-agent's lines are a session of their own, whose task is its prompt."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._sessions: dict[tuple[str, str], AgentSession] = {}
        self._asked: set[str] = set()

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the task that a line ends."""
        line = loads(text)
        if str(line.get("type")) not in _MESSAGES or line.get("isMeta") or line.get("isCompactSummary"):
            return
        session = self._session(line)
        _note(session, line)
        for happening in self._new(_message(line).happenings()):
            ended = session.take(happening, id_=_prompt_id(line, happening))
            if ended is not None:
                yield ended

    def end(self) -> Iterator[Trajectory]:
        """Yield the last task of every session."""
        for session in self._sessions.values():
            ended = session.end()
            if ended is not None:
                yield ended

    def _session(self, line: dict[str, Any]) -> AgentSession:
        name = str(line.get("sessionId") or self._source.name)
        agent = str(line.get("agentId") or "sub-agent") if line.get("isSidechain") else ""
        if (name, agent) not in self._sessions:
            meta = {"format": "claude-code", "session": name, **({"agent": agent} if agent else {})}
            full = f"claude-code:{name}" + (f":{agent}" if agent else "")
            environment = self._source.environment or _ENVIRONMENT
            self._sessions[name, agent] = AgentSession(full, environment=environment, meta={**meta})
        return self._sessions[name, agent]

    def _new(self, happenings: Iterator[Happening]) -> Iterator[Happening]:
        """Leave out what the user did not say, and calls that a resumed session repeats."""
        for happening in happenings:
            if isinstance(happening, Said):
                said = _REMINDER.sub("", happening.text)
                if said.strip() and not _NOT_SAID.match(said):
                    yield Said(text=said)
            elif not isinstance(happening, AskedCall) or happening.id is None or happening.id not in self._asked:
                if isinstance(happening, AskedCall) and happening.id is not None:
                    self._asked.add(happening.id)
                yield happening


def _message(line: dict[str, Any]) -> RecordedMessage:
    message = line.get("message")
    if not isinstance(message, dict):
        raise LineFault(f"a line of type {line.get('type')!r} has no message")
    try:
        return RecordedMessage.model_validate({"role": line["type"], **message})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise LineFault(f"message.{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _note(session: AgentSession, line: dict[str, Any]) -> None:
    message = line.get("message")
    model = message.get("model") if isinstance(message, dict) else None
    facts = {"cwd": line.get("cwd"), "branch": line.get("gitBranch"), "version": line.get("version"), "model": model}
    session.note(**{key: value for key, value in facts.items() if isinstance(value, str) and value})


def _prompt_id(line: dict[str, Any], happening: Happening) -> str | None:
    """Name a task after the prompt that began it, so that a session read again, or resumed elsewhere, is known."""
    return f"claude-code:{line['uuid']}" if isinstance(happening, Said) and line.get("uuid") else None
