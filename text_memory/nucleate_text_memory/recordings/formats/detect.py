"""Which format a recording has: told by the first line that only one of them could hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from nucleate_text_memory.recordings.formats import claude_code, codex, codex_exec, opencode
from nucleate_text_memory.recordings.formats.bfcl import Bfcl
from nucleate_text_memory.recordings.formats.claude_code import ClaudeCode
from nucleate_text_memory.recordings.formats.codex import Codex
from nucleate_text_memory.recordings.formats.codex_exec import CodexExec
from nucleate_text_memory.recordings.formats.gemini_cli import GeminiCli
from nucleate_text_memory.recordings.formats.hooks import Hooks
from nucleate_text_memory.recordings.formats.mcp_log import McpLog, messages_in
from nucleate_text_memory.recordings.formats.opencode import OpenCode
from nucleate_text_memory.recordings.formats.otlp import Otlp
from nucleate_text_memory.recordings.formats.qwen_code import QwenCode
from nucleate_text_memory.recordings.formats.reader import Reader, RecordingSource
from nucleate_text_memory.recordings.formats.task_lines import ConversationLines, TrajectoryLines
from nucleate_text_memory.recordings.formats.tau2 import Tau2
from nucleate_text_memory.recordings.formats.transcript import Transcript
from nucleate_text_memory.recordings.formats.whole_documents import holds_messages
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.message_parts import object_of
from nucleate_text_memory.recordings.response_items import ITEMS

FORMATS: Mapping[str, Callable[[RecordingSource], Reader]] = {
    "nucleate": TrajectoryLines,
    "openai": ConversationLines,
    "anthropic": ConversationLines,
    "transcript": Transcript,
    "tau2": Tau2,
    "bfcl": Bfcl,
    "claude-code": ClaudeCode,
    "codex": Codex,
    "codex-exec": CodexExec,
    "gemini-cli": GeminiCli,
    "qwen-code": QwenCode,
    "opencode": OpenCode,
    "hooks": Hooks,
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
    marked = any(key in value for key in ("sessionId", "session_id", "leafUuid", "snapshot", "parentUuid"))
    described = {"agentType", "toolUseId"} <= value.keys()
    return ((_kind(value) in claude_code.KINDS and marked) or described) and not _is_qwen_code(value)


def _is_qwen_code(value: dict[str, Any]) -> bool:
    marked = "sessionId" in value and ("uuid" in value or "parentUuid" in value)
    own = str(value.get("subtype")) in _OF_QWEN
    parted = own or "parts" in object_of(value.get("message")) or _kind(value) == "tool_result"
    return marked and parted and _kind(value) in _QWEN


def _is_gemini_cli(value: dict[str, Any]) -> bool:
    grown = _kind(value) in {"user", "gemini"} and "id" in value and "content" in value and "uuid" not in value
    return "$set" in value or grown or {"sessionId", "projectHash"} <= value.keys()


def _is_plugin(value: dict[str, Any]) -> bool:
    return isinstance(value.get("hook"), str) and bool({"input", "event"} & value.keys())


def _is_opencode(value: dict[str, Any]) -> bool:
    part = object_of(value.get("part"))
    event = _kind(value) in opencode.EVENTS and "sessionID" in value
    exported = isinstance(value.get("messages"), list) and "directory" in object_of(value.get("info"))
    return event or exported or ("type" in part and "sessionID" in part) or str(value.get("table")) in opencode.TABLES


def _kind(value: dict[str, Any]) -> str:
    kind = value.get("type")
    return kind if isinstance(kind, str) else ""


def _is_codex(value: dict[str, Any]) -> bool:
    if "payload" in value:
        return _kind(value) in codex.KINDS
    bare = _kind(value) in ITEMS or value.get("record_type") == "state"
    return bare or {"id", "timestamp", "instructions"} <= value.keys()


_OF_QWEN = frozenset({"ui_telemetry", "attribution_snapshot", "chat_compression", "slash_command"})
_QWEN = frozenset({"user", "assistant", "tool_result", "system"})
_TELLS: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    "nucleate": lambda value: "steps" in value,
    "tau2": lambda value: isinstance(value.get("simulations"), list),
    "otlp": lambda value: "resourceSpans" in value or "resource_spans" in value,
    "hooks": lambda value: "hook_event_name" in object_of(value.get("payload", value)) or _is_plugin(value),
    "opencode": _is_opencode,
    "gemini-cli": _is_gemini_cli,
    "openai": lambda value: "messages" in value or "traj" in value or holds_messages(value),
    "qwen-code": _is_qwen_code,
    "claude-code": _is_claude_code,
    "codex-exec": lambda value: _kind(value) in codex_exec.KINDS and not {"payload", "sessionId"} & value.keys(),
    "codex": _is_codex,
    "bfcl": lambda value: "id" in value and "result" in value and "jsonrpc" not in value,
    "transcript": lambda value: "role" in value and bool({"content", "tool_calls", "parts"} & value.keys()),
}
