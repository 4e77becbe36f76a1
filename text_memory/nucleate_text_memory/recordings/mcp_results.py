"""The result of a `tools/call`, as MCP clients and logs write it."""

from __future__ import annotations

from typing import Any

from nucleate_text_memory.recordings.answers.answering import answered
from nucleate_text_memory.recordings.bounds import bounded
from nucleate_text_memory.recordings.happenings import Answered
from nucleate_text_memory.recordings.message_parts import block_value, object_of
from nucleate_text_memory.values import Json, StepError


def mcp_answer(id_: str | None, result: Any, *, error: Any = None, failed: bool | None = None) -> Answered:
    """Return what a server answered: structured content goes before text, and `isError` says that it is an error."""
    if error is not None:
        message = object_of(error).get("message", error)
        return Answered(
            id=id_, error=StepError(kind="McpError", message=message if isinstance(message, str) else str(error))
        )
    told = object_of(result)
    told = object_of(told.get("Ok")) or told
    text = block_value(told.get("content"))
    if told.get("isError") or told.get("is_error") or failed:
        return answered(id_, text or bounded(_structured(told)), failed=True)
    structured = _structured(told)
    if structured is not None:
        return Answered(id=id_, result=bounded(structured))
    return answered(id_, text if isinstance(text, str) else "" if "content" in told else result)


def _structured(result: dict[str, Any]) -> Json:
    value: Json = result.get("structuredContent", result.get("structured_content"))
    return value
