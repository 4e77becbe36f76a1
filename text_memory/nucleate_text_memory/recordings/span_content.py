"""Where conventions of telemetry put what a tool was given, what it returned, and what the user asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

from nucleate_text_memory.recordings.message_parts import object_of, text_of
from nucleate_text_memory.recordings.observations import json_or_text

NO_CONTENT: Final = object()
_ASKED = (
    "gen_ai.input.messages", "ai.prompt.messages", "ai.prompt", "gen_ai.prompt", "gen_ai.prompt.0.content",
    "input.value", "traceloop.entity.input", "mlflow.spanInputs",
)  # fmt: skip
_ARGUMENTS = (
    "gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args", "ai.toolCall.args", "ai.toolCall.input",
    "tool_arguments", "input.value", "traceloop.entity.input", "mlflow.spanInputs", "gen_ai.prompt",
)  # fmt: skip
_RESULTS = (
    "gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "ai.toolCall.result", "ai.toolCall.output",
    "tool_response", "output.value", "traceloop.entity.output", "mlflow.spanOutputs", "gen_ai.completion",
)  # fmt: skip
# LangSmith and Traceloop wrap what a tool takes and gives in an object of one key.
_WRAPPED = frozenset({"gen_ai.prompt", "gen_ai.completion", "traceloop.entity.input", "traceloop.entity.output"})
_ROUND = ("input", "inputs", "output", "outputs", "result")


class Spoken(Protocol):
    """A span, as far as its content goes."""

    @property
    def attributes(self) -> Mapping[str, Any]: ...
    @property
    def events(self) -> tuple[tuple[str, Mapping[str, Any]], ...]: ...
    @property
    def failed(self) -> bool: ...


def given_to(span: Spoken) -> Any:
    """Return what a tool was given; NO_CONTENT where nothing says it."""
    found = _attribute(span, _ARGUMENTS)
    if found is not NO_CONTENT:
        return found
    return _event(span, "gen_ai.tool.message", "content")


def returned_by(span: Spoken) -> Any:
    """Return what a tool returned; NO_CONTENT where nothing says it."""
    found = _attribute(span, _RESULTS)
    if found is not NO_CONTENT:
        return found
    value = _event(span, "gen_ai.choice", "message")
    parts = json_or_text(value) if isinstance(value, str) else value
    blocks = parts if isinstance(parts, list) else []
    if blocks and all(object_of(block).keys() & {"text", "json"} for block in blocks):  # Bedrock's blocks
        only = object_of(blocks[0])
        return only["json"] if len(blocks) == 1 and "json" in only else "\n".join(map(_block, blocks))
    return value


def failed_as(span: Spoken) -> str | None:
    """Return the kind of error that a span names, or that its status of the tool says there is; None for neither."""
    kind = span.attributes.get("error.type")
    if kind:
        return str(kind).rpartition(".")[2] or "EnvironmentError"
    status = span.attributes.get("tool.status", span.attributes.get("gen_ai.tool.status"))
    return "EnvironmentError" if span.failed or status == "error" else None


def asked_by(span: Spoken) -> str:
    """Return what the user said to an agent or a model, as far as a span tells it."""
    for name in _ASKED:
        words = _said(span.attributes.get(name))
        if words:
            return words
    for name, attributes in span.events:
        if name == "gen_ai.user.message" and (words := _said(attributes.get("content"), everybody=True)):
            return words
        if name.endswith("operation.details") and (words := _said(attributes.get("gen_ai.input.messages"))):
            return words
    return ""


def _attribute(span: Spoken, names: tuple[str, ...]) -> Any:
    for name in names:
        if name in span.attributes:
            value = span.attributes[name]
            return _unwrapped(value) if name in _WRAPPED else _plain(value)
    return NO_CONTENT


def _unwrapped(value: Any) -> Any:
    read = json_or_text(value) if isinstance(value, str) else _plain(value)
    while isinstance(read, dict) and len(read) == 1 and (key := next(iter(read))) in _ROUND:
        held: Any = read[key]
        inner = json_or_text(held) if isinstance(held, str) else held
        if not isinstance(inner, dict) and key.startswith("input"):
            return read
        read = inner
    return read


def _event(span: Spoken, name: str, key: str) -> Any:
    return next((told[key] for event, told in span.events if event == name and key in told), NO_CONTENT)


def _block(block: Any) -> str:
    found = object_of(block)
    return str(found["text"]) if "text" in found else json.dumps(found.get("json"), ensure_ascii=False)


def _said(value: Any, *, everybody: bool = False) -> str:
    """Return what the user said: the text itself, a prompt, or the user's parts of a message list."""
    content = json_or_text(value) if isinstance(value, str) else _plain(value)
    if isinstance(content, dict):
        inner = next(
            (content[key] for key in ("messages", "prompt", "input", "inputs", "query") if content.get(key)), None
        )
        return _said(inner) if inner is not None else ""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    return "\n".join(_by_user(content, everybody=everybody))


def _by_user(messages: list[Any], *, everybody: bool) -> Iterator[str]:
    for message in map(object_of, messages):
        if message.get("role", "user" if everybody else None) in ("user", "human") or message.get("type") == "human":
            parts = message.get("parts", message.get("content", message.get("text")))
            for part in parts if isinstance(parts, list) else [parts]:
                found = object_of(part)
                words = found["content"] if isinstance(found.get("content"), str) else text_of(part)
                if words:
                    yield words


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
