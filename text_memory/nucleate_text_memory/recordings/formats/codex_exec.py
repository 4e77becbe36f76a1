"""The events of `codex exec --json`: each item of work once it is completed. The prompt is not among them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nucleate_text_memory.recordings.answers.answering import answered, ran
from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Replied
from nucleate_text_memory.recordings.mcp_results import mcp_answer
from nucleate_text_memory.recordings.message_parts import object_of
from nucleate_text_memory.recordings.observations import arguments_of
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.recordings.spans import calls_as_query

KINDS = frozenset(
    {"thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated"}
    | {"item.completed", "error"}
)
_ENVIRONMENT = "codex"


class CodexExec:
    """Reads the events of one thread; its calls stand for the prompt, which the program that started it has."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._thread = source.name
        self._session: AgentSession | None = None

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Take in an event; yield nothing, since a thread is one task."""
        event = loads(text)
        kind = str(event.get("type"))
        if kind == "thread.started":
            self._thread = str(event.get("thread_id") or self._thread)
        elif kind == "item.completed":
            for happening in self._happenings(object_of(event.get("item"))):
                self._begun().take(happening)
        return ()

    def end(self) -> Read:
        """Yield the task."""
        ended = self._session.end() if self._session else None
        if ended is not None:
            yield replace(ended, query=calls_as_query("codex exec", ended.steps))

    def _begun(self) -> AgentSession:
        if self._session is None:
            meta = {"format": "codex-exec", "session": self._thread}
            environment = self._source.environment or _ENVIRONMENT
            self._session = self._source.session(f"codex-exec:{self._thread}", environment=environment, meta={**meta})
        return self._session

    def _happenings(self, item: dict[str, Any]) -> Iterator[Happening]:
        id_, kind = str(item.get("id")), str(item.get("type"))
        failed = True if item.get("status") == "failed" else None
        if kind == "agent_message":
            yield Replied(text=str(item.get("text", "")))
        elif kind == "command_execution":
            yield AskedCall(id=id_, name="exec_command", arguments={"cmd": _bare(str(item.get("command", "")))})
            yield _ran(id_, item)
        elif kind == "mcp_tool_call":
            name = f"mcp__{item.get('server')}__{item.get('tool')}"
            yield AskedCall(id=id_, name=name, arguments=arguments_of(item.get("arguments")))
            yield mcp_answer(id_, item.get("result"), error=item.get("error"), failed=failed)
        elif kind == "file_change":
            yield AskedCall(id=id_, name="apply_patch", arguments={"changes": item.get("changes")})
            yield answered(id_, str(item.get("status")), failed=failed)
        elif kind == "collab_tool_call":
            yield AskedCall(id=id_, name=f"multi_agent.{item.get('tool')}", arguments={"prompt": item.get("prompt")})
            yield answered(id_, item.get("agents_states"), failed=failed)
        else:
            self._source.leave_out(f"items of type {kind}")


def _ran(id_: str, item: dict[str, Any]) -> Answered:
    output, code = str(item.get("aggregated_output", "")), item.get("exit_code")
    if item.get("status") == "declined":
        return Answered(id=id_, refused=True)
    if isinstance(code, int):
        return ran(id_, output, code)
    return answered(id_, output, failed=True if item.get("status") == "failed" else None)


def _bare(command: str) -> str:
    """Return the command without the shell that ran it: `/bin/bash -lc 'make'` → make."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    is_shell = len(words) == 3 and words[0].rpartition("/")[2] in {"bash", "sh", "zsh"} and words[1] in {"-lc", "-c"}
    return words[2] if is_shell else command
