"""What model services answer, in the forms of OpenAI and Anthropic."""

from __future__ import annotations

import json
from typing import Any

from tests.runtime.recording.service import Events

Call = tuple[str, str, dict[str, Any]]


def chat(text: str | None = None, *calls: Call) -> dict[str, Any]:
    """Return a completion."""
    made = [
        {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for id_, name, arguments in calls
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop"}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def chat_chunks(text: str | None = None, *calls: Call, breaks_off: bool = False) -> Events:
    """Return a completion in chunks, the arguments of its calls in pieces."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in (text or "").split(" ") if word]
    for index, (id_, name, arguments) in enumerate(calls):
        whole = json.dumps(arguments)
        begun = {"index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": ""}}
        pieces = [{"index": index, "function": {"arguments": part}} for part in (whole[:3], whole[3:])]
        deltas += [{"tool_calls": [piece]} for piece in (begun, *pieces)]
    items = [_chunk(delta, None) for delta in deltas]
    ends = [] if breaks_off else [_chunk({}, "tool_calls" if calls else "stop")]
    return Events([*items, *ends], breaks_off=breaks_off)


def _chunk(delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def message(text: str | None = None, *calls: Call) -> dict[str, Any]:
    """Return a message of Anthropic's service."""
    return {**_message(), "content": _blocks(text, calls), "stop_reason": "tool_use" if calls else "end_turn"}


def message_events(text: str | None = None, *calls: Call) -> Events:
    """Return a message in events."""
    items: list[dict[str, Any]] = [{"type": "message_start", "message": _message()}]
    for index, block in enumerate(_blocks(text, calls)):
        nothing: dict[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}}
        empty = {**block, **nothing}
        items.append({"type": "content_block_start", "index": index, "content_block": empty})
        items += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in _deltas(block)]
        items.append({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    items += [{"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
    return Events(items, named=True)


def _message() -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    named = {"id": "m", "type": "message", "role": "assistant", "model": "m"}
    return {**named, "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}


def _blocks(text: str | None, calls: tuple[Call, ...]) -> list[dict[str, Any]]:
    said = [{"type": "text", "text": text}] if text else []
    return [*said, *({"type": "tool_use", "id": i, "name": name, "input": given} for i, name, given in calls)]


def _deltas(block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        return [{"type": "text_delta", "text": word} for word in block["text"].split(" ")]
    whole = json.dumps(block["input"])
    return [{"type": "input_json_delta", "partial_json": part} for part in (whole[:3], whole[3:])]


def response(id_: str, text: str | None = None, *calls: Call) -> dict[str, Any]:
    """Return a response of OpenAI's Responses interface."""
    output = _items(text, calls)
    return {
        "id": id_,
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def response_events(id_: str, text: str | None = None, *calls: Call) -> Events:
    """Return a response in events."""
    done = [
        {"type": "response.output_item.done", "output_index": i, "item": item, "sequence_number": i}
        for i, item in enumerate(_items(text, calls))
    ]
    last = {"type": "response.completed", "response": response(id_, text, *calls), "sequence_number": len(done)}
    return Events([*done, last], named=True)


def _items(text: str | None, calls: tuple[Call, ...]) -> list[dict[str, Any]]:
    part: dict[str, Any] = {"type": "output_text", "text": text, "annotations": []}
    said = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": [part]}
    made = [
        {"type": "function_call", "id": f"fc_{i}", "call_id": i, "name": name, "arguments": json.dumps(given)}
        for i, name, given in calls
    ]
    return [*([said] if text else []), *made]
