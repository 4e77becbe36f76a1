"""Which format a recording has: told by the first line that only one of them could hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from nucleate_text_memory.recordings.formats import claude_code, codex
from nucleate_text_memory.recordings.formats.bfcl import Bfcl
from nucleate_text_memory.recordings.formats.claude_code import ClaudeCode
from nucleate_text_memory.recordings.formats.codex import Codex
from nucleate_text_memory.recordings.formats.mcp_log import McpLog, messages_in
from nucleate_text_memory.recordings.formats.otlp import Otlp
from nucleate_text_memory.recordings.formats.reader import Reader, RecordingSource
from nucleate_text_memory.recordings.formats.task_lines import ConversationLines, TrajectoryLines
from nucleate_text_memory.recordings.formats.tau2 import Tau2
from nucleate_text_memory.recordings.formats.transcript import Transcript
from nucleate_text_memory.recordings.lines import LineFault

FORMATS: Mapping[str, Callable[[RecordingSource], Reader]] = {
    "nucleate": TrajectoryLines,
    "openai": ConversationLines,
    "anthropic": ConversationLines,
    "transcript": Transcript,
    "tau2": Tau2,
    "bfcl": Bfcl,
    "claude-code": ClaudeCode,
    "codex": Codex,
    "otlp": Otlp,
    "mcp": McpLog,
}


def reader_for(name: str, source: RecordingSource) -> Reader:
    """Return a reader of a format by its name; ValueError names the formats there are."""
    if name not in FORMATS:
        raise ValueError(f"no format is named {name!r}; one of auto, {', '.join(FORMATS)}")
    return FORMATS[name](source)


def detect(text: str) -> str | None:
    """Return the format of which a text is a line (or all of it); None where nothing tells."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "mcp" if _is_mcp(text) else None
    value = value[0] if isinstance(value, list) and value else value
    return _format_of(value) if isinstance(value, dict) else None


def _format_of(value: dict[str, Any]) -> str | None:
    for name, tells in _TELLS.items():
        if tells(value):
            return name
    return "mcp" if _is_mcp(json.dumps(value)) else None


def _is_mcp(text: str) -> bool:
    try:
        return "jsonrpc" in text and bool(messages_in(text))
    except (LineFault, ValueError, RecursionError):
        return False


def _is_claude_code(value: dict[str, Any]) -> bool:
    marked = any(key in value for key in ("sessionId", "leafUuid", "snapshot", "parentUuid"))
    return _kind(value) in claude_code.KINDS and marked


def _kind(value: dict[str, Any]) -> str:
    kind = value.get("type")
    return kind if isinstance(kind, str) else ""


def _is_codex(value: dict[str, Any]) -> bool:
    if "payload" in value:
        return _kind(value) in codex.KINDS
    bare = _kind(value) in codex.ITEMS or value.get("record_type") == "state"
    return bare or {"id", "timestamp", "instructions"} <= value.keys()


_TELLS: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    "nucleate": lambda value: "steps" in value,
    "tau2": lambda value: isinstance(value.get("simulations"), list),
    "otlp": lambda value: "resourceSpans" in value or "resource_spans" in value,
    "openai": lambda value: "messages" in value or "traj" in value,
    "claude-code": _is_claude_code,
    "codex": _is_codex,
    "bfcl": lambda value: "id" in value and "result" in value and "jsonrpc" not in value,
    "transcript": lambda value: "role" in value and ("content" in value or "tool_calls" in value),
}
