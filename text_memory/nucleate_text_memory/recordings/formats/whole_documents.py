"""Requests of providers' APIs as one shape: where the messages stand, and how the tools are described."""

from __future__ import annotations

from typing import Any

from nucleate_text_memory.recordings.message_parts import object_of
from nucleate_text_memory.values import Json, JsonObject

# Where a recording holds its messages: chat completions and most others, tau-bench, Gemini, Responses, ShareGPT.
_PLACES = ("messages", "traj", "contents", "input", "conversations", "chat_history", "history")
_INNER = ("request", "body", "inputs", "kwargs", "params")


def holds_messages(value: dict[str, Any]) -> bool:
    """Return whether an object is a conversation: a request, or a log's line that has one in it."""
    return _place(value) is not None or any(_place(object_of(value.get(key))) is not None for key in _INNER)


def conversation_of(value: JsonObject) -> JsonObject:
    """Return the line with its messages and tools in one place, the reply after them where it is recorded as well."""
    inner = next((key for key in _INNER if _place(object_of(value.get(key)))), None)
    request = value if inner is None or _place(value) else object_of(value[inner])
    place = _place(request)
    if place is None:
        return value
    listed = request[place]
    messages: list[Json] = [
        *(listed if isinstance(listed, list) else []),
        *_reply(object_of(value.get("response", value.get("output")))),
    ]
    if place == "chat_history":
        messages += _cohere(request)
    moved = {place, inner, "response", "toolConfig", "tool_config", "message", "tool_results"} - {"messages"}
    rest = {key: item for key, item in value.items() if key not in moved or (key == "message" and place != key)}
    tools = request.get("tools", object_of(request.get("toolConfig", request.get("tool_config"))).get("tools"))
    return {**rest, "messages": messages, **({"tools": tools} if tools is not None else {})}


def _place(value: dict[str, Any]) -> str | None:
    return next((key for key in _PLACES if isinstance(value.get(key), list) and _are_messages(value[key])), None)


def _are_messages(items: list[Any]) -> bool:
    keys = ("role", "from", "type", "author", "parts", "data", "content")
    return all(isinstance(item, dict) and any(key in item for key in keys) for item in items)


def _reply(response: dict[str, Any]) -> list[Json]:
    """Return the messages of a response: choices, candidates, an output, or the message itself."""
    choices = response.get("choices", response.get("candidates"))
    if isinstance(choices, list) and choices:
        first = object_of(choices[0])
        reply = first.get("message", first.get("content"))
        return [{"role": "model", **reply}] if isinstance(reply, dict) else []
    output = response.get("output", response)
    if isinstance(output, list):
        return [*output]
    message = object_of(output).get("message", output)
    return [message] if isinstance(message, dict) and "role" in message else []


def _cohere(request: dict[str, Any]) -> list[Json]:
    """Return the turn of Cohere's earlier API that the history does not hold yet."""
    asked, results = request.get("message"), request.get("tool_results")
    found: list[Json] = [{"role": "user", "content": asked}] if isinstance(asked, str) and asked else []
    return [{"role": "tool", "tool_results": results}, *found] if isinstance(results, list) else found


def definitions_of(tools: Any) -> list[Json]:
    """Return definitions of functions, each with `name`, `description` and `parameters` or a provider's own schema."""
    found: list[Json] = []
    for tool in tools if isinstance(tools, list) else ():
        declared = object_of(tool).get("functionDeclarations", object_of(tool).get("function_declarations"))
        found += declared if isinstance(declared, list) else [_definition(tool)]
    return found


def _definition(tool: Any) -> Json:
    spec = object_of(object_of(tool).get("toolSpec"))
    if spec:  # Bedrock
        schema = object_of(spec.get("inputSchema")).get("json")
        return {"name": spec.get("name"), "description": spec.get("description"), "parameters": schema}
    given = object_of(tool).get("parameter_definitions")
    if not isinstance(given, dict):
        return tool if isinstance(tool, dict) else None
    fields: JsonObject = {name: {"description": object_of(item).get("description", "")} for name, item in given.items()}
    required: list[Json] = [name for name, item in given.items() if object_of(item).get("required")]
    schema = {"type": "object", "properties": fields, "required": required}
    return {"name": tool["name"], "description": tool.get("description"), "parameters": schema}
