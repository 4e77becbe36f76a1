"""What coding agents hand to their hooks: an event a line, bare or within `payload`, for each prompt and each call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nucleate_text_memory.recordings.answers.answering import SHELLS, answered, ran
from nucleate_text_memory.recordings.formats.opencode import foreign_name
from nucleate_text_memory.recordings.formats.reader import UNREADABLE, Read, RecordingSource, loads
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Said
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.mcp_results import mcp_answer
from nucleate_text_memory.recordings.message_parts import block_value, object_of, text_of
from nucleate_text_memory.recordings.observations import arguments_of
from nucleate_text_memory.recordings.said import said_in
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.recordings.spans import calls_as_query
from nucleate_text_memory.values import Json

_PROMPTS = frozenset({"UserPromptSubmit", "BeforeAgent"})
_BEFORE, _AFTER = frozenset({"PreToolUse", "BeforeTool"}), frozenset({"PostToolUse", "AfterTool"})
_FAILURE, _BATCH = "PostToolUseFailure", "PostToolBatch"
_ENVIRONMENTS = {"claude": "claude_code", "codex": "codex", "gemini": "gemini_cli", "qwen": "qwen_code"}


class Hooks:
    """Reads events of any number of sessions; a sub-agent's calls are a session of their own."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._sessions: dict[tuple[str, str], AgentSession] = {}
        self._kept: dict[str, tuple[AgentSession, Answered]] = {}

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the task that an event ends."""
        line = loads(text)
        event = _of_opencode(line) if "hook" in line else object_of(line.get("payload", line))
        session = self._session(event)
        for happening in self._happenings(event, session):
            ended = session.take(happening)
            if ended is not None:
                yield ended

    def end(self) -> Read:
        """Yield the last task of every session; what no batch told is answered as the event of the call had it."""
        for session, answer in self._kept.values():
            try:
                session.take(answer)
            except LineFault:
                self._source.leave_out(UNREADABLE)
        for session in self._sessions.values():
            ended = session.end()
            if ended is not None:
                yield ended if ended.query else replace(ended, query=calls_as_query("a sub-agent", ended.steps))

    def _session(self, event: dict[str, Any]) -> AgentSession:
        name, agent = str(event.get("session_id") or self._source.name), str(event.get("agent_id") or "")
        if (name, agent) not in self._sessions:
            about = {"agent": agent, "parent": name} if agent else {}
            environment = self._source.environment or event.get("environment") or _program(event)
            full = f"hooks:{name}" + (f":{agent}" if agent else "")
            meta = {"format": "hooks", "session": name, **about}
            self._sessions[name, agent] = self._source.session(full, environment=environment, meta={**meta})
        cwd = event.get("cwd")
        self._sessions[name, agent].note(cwd=cwd if isinstance(cwd, str) else None)
        return self._sessions[name, agent]

    def _happenings(self, event: dict[str, Any], session: AgentSession) -> Iterator[Happening]:
        kind, id_ = str(event.get("hook_event_name")), event.get("tool_use_id")
        if kind in _PROMPTS:
            words = said_in(str(event.get("prompt") or "")).strip()
            if words:
                yield Said(text=words)
        elif kind in _BEFORE:
            yield AskedCall(id=_id(event), name=_name(event), arguments=arguments_of(event.get("tool_input")))
        elif kind == _FAILURE:
            yield _failed(event)
        elif kind in _AFTER and "transcript_path" in event and isinstance(id_, str):
            self._kept[id_] = (session, _returned(event))
        elif kind in _AFTER:
            yield _returned(event)
        elif kind == _BATCH:
            yield from self._batch(event)
        else:
            self._source.leave_out(f"events of type {kind}")

    def _batch(self, event: dict[str, Any]) -> Iterator[Happening]:
        """Yield the answers as the model was given them, for the calls that did not fail."""
        calls = event.get("tool_calls")
        for call in map(object_of, calls if isinstance(calls, list) else ()):
            if self._kept.pop(str(call.get("tool_use_id")), None) is not None:
                yield answered(str(call["tool_use_id"]), block_value(call.get("tool_response")), failed=False)


def _id(event: dict[str, Any]) -> str:
    """Return the call's id, or where there is none what tells calls apart: the name and what is given."""
    id_ = event.get("tool_use_id")
    return id_ if isinstance(id_, str) and id_ else json.dumps([event.get("tool_name"), event.get("tool_input")])


def _name(event: dict[str, Any]) -> str:
    served = object_of(event.get("mcp_context"))
    name = str(event.get("tool_name") or "unnamed")
    if served.get("server_name") and served.get("tool_name"):
        return f"mcp__{served['server_name']}__{served['tool_name']}"
    return name


def _failed(event: dict[str, Any]) -> Answered:
    if event.get("is_interrupt"):
        return Answered(id=_id(event), refused=True)
    return answered(_id(event), str(event.get("error", "")), failed=True)


def _returned(event: dict[str, Any]) -> Answered:
    value, code = event.get("tool_response"), event.get("exit_code")
    if isinstance(code, int):
        return ran(_id(event), str(value), code)
    told = object_of(value)
    if "llmContent" in told:
        content = told["llmContent"]
        failed = True if told.get("error") else None
        return answered(_id(event), content if isinstance(content, str) else text_of(content), failed=failed)
    if "isError" in told or "structuredContent" in told:
        return mcp_answer(_id(event), told)
    if str(event.get("tool_name")) in SHELLS and isinstance(told.get("stdout"), str):
        return answered(_id(event), "\n".join(filter(None, (told["stdout"], str(told.get("stderr") or "")))))
    return answered(_id(event), value)


def _program(event: dict[str, Any]) -> str:
    """Return the environment of the agent whose transcript an event names."""
    path = str(event.get("transcript_path"))
    return next((name for word, name in _ENVIRONMENTS.items() if f".{word}" in path or f"/{word}" in path), "hooks")


def _of_opencode(line: dict[str, Any]) -> dict[str, Any]:
    """Return what a plugin of opencode was called with as an event."""
    hook, given, output = str(line["hook"]), object_of(line.get("input")), object_of(line.get("output"))
    about = {"session_id": given.get("sessionID"), "tool_use_id": given.get("callID"), "environment": "opencode"}
    if hook == "chat.message":
        return {**about, "hook_event_name": "UserPromptSubmit", "prompt": text_of(output.get("parts"))}
    called = {**about, "tool_name": foreign_name(str(given.get("tool")))}
    if hook == "tool.execute.before":
        return {**called, "hook_event_name": "PreToolUse", "tool_input": output.get("args")}
    if hook == "tool.execute.after":
        code = object_of(output.get("metadata")).get("exit")
        answer: Json = output.get("output", output)
        told = {"exit_code": code} if isinstance(code, int) else {}
        return {**called, **told, "hook_event_name": "PostToolUse", "tool_response": answer}
    told = object_of(object_of(line.get("event")).get("properties"))
    kind = object_of(line.get("event")).get("type", hook)
    return {"session_id": told.get("sessionID"), "environment": "opencode", "hook_event_name": kind}
