"""Rollout files of the Codex command line: response items, with or without an envelope, tasks split by prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nucleate_text_memory.recordings.answers.answering import answered, ran
from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.happenings import Answered, Happening, Said
from nucleate_text_memory.recordings.mcp_results import mcp_answer
from nucleate_text_memory.recordings.message_parts import object_of
from nucleate_text_memory.recordings.response_items import ITEMS, item_happenings
from nucleate_text_memory.recordings.said import said_in
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.values import Json, JsonObject

KINDS = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record"}
)
_ENVIRONMENT = "codex"
# How Codex begins what it says of a call that it could not carry out.
_FAILED = re.compile(
    r"(?:apply_patch verification failed|execution error|unsupported (?:custom tool )?call|failed to \w+"
    r"|failed in sandbox|collab \w+ failed|exec_command failed|write_stdin failed|tool call error"
    r"|command timed out|sandbox error)\b",
    re.IGNORECASE,
)


class Codex:
    """Reads rollout lines: the items of the Responses interface, each call paired with its output.

    The events beside them say how a call ended (`item_completed`), which its output alone need not. A fork and a
    sub-agent may repeat what their parent did; calls of a parent that was read before are left out.
    """

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._session: AgentSession | None = None
        self._thread = source.name
        self._parents: list[str] = []
        self._ended: dict[str, dict[str, Any]] = {}

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the task that a line ends."""
        line = loads(text)
        payload = line.get("payload")
        item = payload if isinstance(payload, dict) else line
        kind = str(line.get("type")) if isinstance(payload, dict) else str(item.get("type", "session_meta"))
        if kind in {"session_meta", "turn_context"}:
            self._note(kind, item)
        elif kind == "event_msg":
            self._event(item)
        elif kind == "response_item" or kind in ITEMS or kind.endswith("_output"):
            for happening in self._new(item_happenings(item)):
                ended = self._begun().take(happening)
                if ended is not None:
                    yield ended
        else:
            self._source.leave_out(f"lines of type {kind}")

    def end(self) -> Read:
        """Yield the last task."""
        ended = self._session.end() if self._session else None
        return () if ended is None else (ended,)

    def _begun(self) -> AgentSession:
        if self._session is None:
            environment = self._source.environment or _ENVIRONMENT
            meta: JsonObject = {"format": "codex", "session": self._thread}
            self._session = self._source.session(f"codex:{self._thread}", environment=environment, meta=meta)
        return self._session

    def _note(self, kind: str, item: dict[str, Any]) -> None:
        name = item.get("id")
        if kind == "session_meta" and self._session is None and isinstance(name, str):
            self._thread = name  # a fork holds its parent's head as well, after its own
            self._parents = [*_parents(item)]
            self._begun().repeats(*(f"codex:{parent}" for parent in self._parents))
        session = self._begun()
        facts = {"cwd": item.get("cwd"), "version": item.get("cli_version"), "model": item.get("model")}
        facts |= {"parent": self._parents[0] if self._parents else None}
        session.note(**{key: value for key, value in facts.items() if isinstance(value, str)})

    def _event(self, event: dict[str, Any]) -> None:
        item = object_of(event.get("item"))
        if event.get("type") == "item_completed" and isinstance(item.get("id"), str):
            self._ended[item["id"]] = item

    def _new(self, happenings: Iterator[Happening]) -> Iterator[Happening]:
        """Leave out what the user did not say, and calls that a parent made; judge answers by what events say."""
        for happening in happenings:
            if isinstance(happening, Said):
                words = said_in(happening.text)
                if words.strip():
                    yield Said(text=words)
            elif not isinstance(happening, Answered):
                yield happening
            else:
                yield ended_as(happening, self._ended.pop(str(happening.id), {}))


def _parents(head: dict[str, Any]) -> Iterator[str]:
    spawned = object_of(object_of(object_of(head.get("source")).get("subagent")).get("thread_spawn"))
    for place, key in ((head, "parent_thread_id"), (head, "forked_from_id"), (spawned, "parent_thread_id")):
        name = place.get(key)
        if isinstance(name, str) and name:
            yield name


def ended_as(answer: Answered, item: dict[str, Any]) -> Answered:
    """Return the answer as the event of its end tells it: a failed command, a server's error, a refused patch."""
    if answer.refused or answer.error is not None:
        return answer
    if not item:
        told = isinstance(answer.result, str) and _FAILED.match(answer.result)
        return answered(answer.id, answer.result, failed=True) if told else answer
    kind, status = item.get("type"), str(item.get("status"))
    if kind in ("McpToolCall", "mcp_tool_call"):
        return mcp_answer(answer.id, item.get("result"), error=item.get("error"), failed=status == "failed")
    if status == "declined":
        return Answered(id=answer.id, refused=True)
    output: Json = next((item[key] for key in ("aggregated_output", "stdout") if item.get(key)), answer.result)
    code = item.get("exit_code")
    if isinstance(code, int) and not isinstance(code, bool):
        return ran(answer.id, str(output or ""), code)
    return answered(answer.id, item.get("stderr") or output, failed=True) if status == "failed" else answer
