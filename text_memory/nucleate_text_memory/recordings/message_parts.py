"""Parts of a message's content: texts, calls and answers, as providers and frameworks write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from nucleate_text_memory.recordings.answers.answering import answered
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Said
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.observations import arguments_of

_SILENT = frozenset({"thinking", "reasoning", "redacted_thinking", "thought"})


def object_of(value: Any) -> dict[str, Any]:
    """Return an object, or an empty one for everything else."""
    return dict(value) if isinstance(value, Mapping) else {}


def part_happenings(part: Any) -> Iterator[Happening]:
    """Yield the call or the answer that a part is, or the words in it; nothing for pictures and thoughts."""
    if isinstance(part, str):
        yield Said(text=part)
    if not isinstance(part, Mapping):
        return
    kind = str(part.get("type", ""))
    if kind in {"tool_use", "server_tool_use", "mcp_tool_use"}:
        yield _asked(part.get("id"), part.get("name"), part.get("input"))
    elif kind.endswith("tool_result") and "tool_use_id" in part:
        yield answered(_id(part["tool_use_id"]), block_value(part.get("content")), failed=part.get("is_error") or None)
    elif kind == "tool-call":
        yield _asked(part.get("toolCallId"), part.get("toolName"), part.get("input", part.get("args")))
    elif kind == "tool-result":
        yield _vercel(part)
    elif kind == "tool_call" and "name" in part:
        yield _asked(part.get("id"), part["name"], part.get("arguments", part.get("args")))
    elif kind == "tool_call_response":
        yield answered(_id(part.get("id")), part.get("response", part.get("result")))
    elif kind.startswith("tool-") or kind in {"dynamic-tool", "tool-invocation"}:
        yield from _shown(kind, part)
    else:
        yield from _keyed(part)


def _keyed(part: Mapping[str, Any]) -> Iterator[Happening]:
    """Read the parts of Gemini and Bedrock, whose one key tells what they are."""
    for key in ("functionCall", "function_call"):
        call = object_of(part.get(key))
        if call:
            yield _asked(call.get("id"), call.get("name"), call.get("args"))
    for key in ("functionResponse", "function_response"):
        reply = object_of(part.get(key))
        if reply:
            yield replace(_gemini(reply), name=str(reply.get("name")))
    if isinstance(part.get("toolUse"), Mapping):
        use = object_of(part["toolUse"])
        yield _asked(use.get("toolUseId"), use.get("name"), use.get("input"))
    if isinstance(part.get("toolResult"), Mapping):
        result = object_of(part["toolResult"])
        failed = {"error": True, "success": None}.get(str(result.get("status")))
        yield answered(_id(result.get("toolUseId")), block_value(result.get("content")), failed=failed)
    words = part.get("text")
    if isinstance(words, str) and words and not (part.get("thought") or str(part.get("type")) in _SILENT):
        yield Said(text=words)


def _gemini(reply: Mapping[str, Any]) -> Answered:
    """Return an answer to Gemini: its response holds `output` or `result`, or `error`, or is the value."""
    value = reply.get("response")
    response = object_of(value)
    if response.get("error") is not None and response.keys() <= {"error", "output", "result"}:
        return answered(_id(reply.get("id")), _text_or_value(response["error"]), failed=True)
    if len(response) == 1 and (only := next(iter(response))) in {"output", "result", "content"}:
        value = response[only]
    return answered(_id(reply.get("id")), value)


def _vercel(part: Mapping[str, Any]) -> Answered:
    output = part.get("output", part.get("result"))
    told = object_of(output)
    failed = part.get("isError") or part.get("is_error") or str(told.get("type")).startswith("error") or None
    if told.keys() <= {"type", "value", "providerOptions"} and "value" in told:
        output = told["value"] if told.get("type") != "content" else block_value(told["value"])
    return answered(_id(part.get("toolCallId")), output, failed=True if failed else None)


def _shown(kind: str, part: Mapping[str, Any]) -> Iterator[Happening]:
    """Read a part of the Vercel AI SDK's messages for screens: the call and its answer in one."""
    call = object_of(part.get("toolInvocation")) if kind == "tool-invocation" else part
    name = call.get("toolName") or kind.removeprefix("tool-")
    yield _asked(call.get("toolCallId"), name, call.get("input", call.get("args")))
    state = call.get("state")
    if state in ("output-available", "result"):
        yield answered(_id(call.get("toolCallId")), call.get("output", call.get("result")))
    elif state == "output-error":
        yield answered(_id(call.get("toolCallId")), str(call.get("errorText", "")), failed=True)


def _asked(id_: Any, name: Any, arguments: Any) -> AskedCall:
    if not isinstance(name, str) or not name:
        raise LineFault("a tool_use block names no function")
    return AskedCall(id=_id(id_), name=name, arguments=arguments_of(arguments))


def _id(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def text_of(content: Any) -> str:
    """Return the words of a message's content: the content itself, or its parts of text, a line each."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(words for part in parts if (words := _words(part)))


def _words(part: Any) -> str:
    if isinstance(part, str):
        return part
    found = object_of(part)
    kind = str(found.get("type", "text"))
    if kind in _SILENT or kind.startswith(("tool", "function")) or found.get("thought"):
        return ""
    document = object_of(found.get("document"))  # Cohere hands answers back as documents
    words = found.get("text", document.get("data"))
    return words if isinstance(words, str) else json.dumps(words, ensure_ascii=False) if words else ""


def block_value(content: Any) -> Any:
    """Return the content of a tool's answer: a text, the JSON of Bedrock's block, or a text of parts, a line each."""
    if not isinstance(content, list):
        return content
    parts = [object_of(part) if isinstance(part, Mapping) else {"text": str(part)} for part in content]
    if len(parts) == 1 and "json" in parts[0]:
        return parts[0]["json"]
    return "\n".join(str(part.get("text", _mark(part))) for part in parts)


def _mark(part: Mapping[str, Any]) -> str:
    """Return what stands for a part that is no text: `[image]`."""
    kind = part.get("type") or next(iter(part), "part")
    return json.dumps(part["json"], ensure_ascii=False) if "json" in part else f"[{kind}]"


def _text_or_value(error: Any) -> Any:
    inner = object_of(error).get("message")
    return inner if isinstance(inner, str) else error
