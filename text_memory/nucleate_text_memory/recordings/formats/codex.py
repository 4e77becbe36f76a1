"""Rollout files of the Codex command line: response items, with or without an envelope, tasks split by prompts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.messages import Answered, AskedCall, Happening, Replied, Said
from nucleate_text_memory.recordings.observations import arguments_of, observed
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.values import JsonObject

KINDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
ITEMS = frozenset({"message", "function_call", "function_call_output", "custom_tool_call", "local_shell_call"})
_ENVIRONMENT = "codex"
_NOT_SAID = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|user_action|turn_aborted|permissions|instructions|INSTRUCTIONS)"
    r"|# AGENTS\.md instructions)",
)


class Codex:
    """Reads rollout lines: the items of the Responses interface, each call paired with its output."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._session: AgentSession | None = None

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the task that a line ends."""
        line = loads(text)
        payload = line.get("payload")
        item = payload if isinstance(payload, dict) else line
        kind = str(line.get("type")) if isinstance(payload, dict) else str(item.get("type", "session_meta"))
        if kind in {"session_meta", "turn_context"}:
            self._note(item)
        elif kind == "response_item" or kind in ITEMS or kind.endswith("_output"):
            for happening in item_happenings(item):
                ended = self._begun().take(happening)
                if ended is not None:
                    yield ended

    def end(self) -> Read:
        """Yield the last task."""
        ended = self._session.end() if self._session else None
        return () if ended is None else (ended,)

    def _begun(self, name: str | None = None) -> AgentSession:
        if self._session is None:
            name = name or self._source.name
            environment = self._source.environment or _ENVIRONMENT
            meta: JsonObject = {"format": "codex", "session": name}
            self._session = AgentSession(f"codex:{name}", environment=environment, meta=meta)
        return self._session

    def _note(self, item: dict[str, Any]) -> None:
        name = item.get("id")
        session = self._begun(name if isinstance(name, str) else None)
        facts = {"cwd": item.get("cwd"), "version": item.get("cli_version"), "model": item.get("model")}
        session.note(**{key: value for key, value in facts.items() if isinstance(value, str)})


def item_happenings(item: dict[str, Any]) -> Iterator[Happening]:
    """Yield what an item of the Responses interface says."""
    kind = item.get("type", "message" if "role" in item else None)
    if kind == "message":
        yield from _message(item)
    elif kind == "function_call":
        yield AskedCall(id=_call_id(item), name=_name(item), arguments=_arguments(item))
    elif kind == "custom_tool_call":
        yield AskedCall(id=_call_id(item), name=_name(item), arguments={"input": item.get("input")})
    elif kind == "local_shell_call":
        action = item.get("action")
        yield AskedCall(id=_call_id(item), name="local_shell", arguments=action if isinstance(action, dict) else {})
    elif isinstance(kind, str) and kind.endswith("call_output"):
        yield _answered(item)


def _message(item: dict[str, Any]) -> Iterator[Happening]:
    content = item.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    words = "\n".join(str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text"))
    if not words.strip():
        return
    if item.get("role") == "user" and not _NOT_SAID.match(words):
        yield Said(text=words)
    elif item.get("role") == "assistant":
        yield Replied(text=words)


def _call_id(item: dict[str, Any]) -> str | None:
    id_ = item.get("call_id", item.get("id"))
    return id_ if isinstance(id_, str) else None


def _name(item: dict[str, Any]) -> str:
    if not isinstance(item.get("name"), str) or not item["name"]:
        raise LineFault(f"a {item.get('type')} names no function")
    return str(item["name"])


def _arguments(item: dict[str, Any]) -> JsonObject:
    """Return a call's arguments; text that is no JSON object is kept as `input`, since the agent did send it."""
    arguments = item.get("arguments")
    try:
        return arguments_of(_name(item), arguments if isinstance(arguments, str | dict) else None)
    except LineFault:
        return {"input": arguments}


def _answered(item: dict[str, Any]) -> Answered:
    """Read an output: text, an object with `content`, or JSON text of output and exit code."""
    output = item.get("output")
    failed = output.get("success") is False if isinstance(output, dict) and "success" in output else None
    if isinstance(output, dict):
        output = output.get("content", output)
    if isinstance(output, list):
        output = "\n".join(str(part.get("text", "")) for part in output if isinstance(part, dict))
    code = _exit_code(output)
    result, error = observed(output, failed=True if failed or code else None)
    return Answered(id=_call_id(item), result=result, error=error)


def _exit_code(output: Any) -> int:
    if not isinstance(output, str) or '"exit_code"' not in output:
        return 0
    try:
        code = json.loads(output)["metadata"]["exit_code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
    return code if isinstance(code, int) else 0
