"""Items of OpenAI's Responses interface, which Codex writes to its files as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nucleate_text_memory.recordings.answers.answering import answered
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Replied, Said
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.message_parts import text_of
from nucleate_text_memory.recordings.observations import arguments_of

ITEMS = frozenset({"message", "function_call", "function_call_output", "custom_tool_call", "local_shell_call"})


def is_item(value: Mapping[str, Any]) -> bool:
    """Return whether a value is an item that is not at the same time a message of another form."""
    kind = value.get("type")
    return isinstance(kind, str) and "role" not in value and (kind in ITEMS or kind.endswith(("_call", "call_output")))


def item_happenings(item: dict[str, Any]) -> Iterator[Happening]:
    """Yield what an item says."""
    kind = item.get("type", "message" if "role" in item else None)
    if kind == "message":
        yield from _message(item)
    elif kind == "function_call":
        yield AskedCall(id=_call_id(item), name=_name(item), arguments=arguments_of(item.get("arguments")))
    elif kind == "custom_tool_call":
        yield AskedCall(id=_call_id(item), name=_name(item), arguments={"input": item.get("input")})
    elif kind == "local_shell_call":
        action = item.get("action")
        yield AskedCall(id=_call_id(item), name="local_shell", arguments=action if isinstance(action, dict) else {})
    elif kind == "mcp_call":
        yield from _served(item)
    elif isinstance(kind, str) and kind.endswith("call_output"):
        yield _output(item)


def _message(item: dict[str, Any]) -> Iterator[Happening]:
    words = text_of(item.get("content"))
    if words.strip():
        if item.get("role") == "user":
            yield Said(text=words)
        elif item.get("role") == "assistant":
            yield Replied(text=words)


def _call_id(item: dict[str, Any]) -> str | None:
    id_ = item.get("call_id", item.get("id"))
    return id_ if isinstance(id_, str) else None


def _name(item: dict[str, Any]) -> str:
    """Return the tool's name; Codex writes the namespace of a server (`mcp__tracker`) apart."""
    if not isinstance(item.get("name"), str) or not item["name"]:
        raise LineFault(f"a {item.get('type')} names no function")
    space, name = item.get("namespace"), str(item["name"])
    if not isinstance(space, str) or not space or name.startswith(f"{space}__"):
        return name
    return f"{space}__{name}" if space.startswith("mcp__") else f"{space}.{name}"


def _served(item: dict[str, Any]) -> Iterator[Happening]:
    """Read a call that the provider made at an MCP server: the call and its answer are one item."""
    name = f"mcp__{item.get('server_label')}__{_name(item)}"
    yield AskedCall(id=_call_id(item), name=name, arguments=arguments_of(item.get("arguments")))
    if item.get("error"):
        yield answered(_call_id(item), item["error"], failed=True)
    elif item.get("output") is not None:
        yield answered(_call_id(item), item["output"])


def _output(item: dict[str, Any]) -> Answered:
    """Read an output: text, an object with `content`, parts, or JSON text of output and exit code."""
    output = item.get("output")
    failed = True if isinstance(output, dict) and output.get("success") is False else None
    if isinstance(output, dict):
        output = output.get("content", output)
    if isinstance(output, list):
        output = "\n".join(text_of(part) or _mark(part) for part in output)
    return answered(_call_id(item), output, failed=failed)


def _mark(part: Any) -> str:
    return f"[{part.get('type', 'part')}]" if isinstance(part, dict) else "[part]"
