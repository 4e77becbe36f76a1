"""Anthropic's messages: calls and answers are blocks, and the answers to parallel calls stand in one message."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from nucleate.recording.clients.hidden import Message
from nucleate.recording.clients.stand_in import plain

_PARTS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class BlockDialect:
    """How messages write calls and answers."""

    field = "messages"

    def calls(self, message: Message) -> list[tuple[str, str, Any]]:
        """Return the calls of a message."""
        return [(block["id"], block["name"], block) for block in _blocks(message) if block.get("type") == "tool_use"]

    def call_ids(self, message: Message) -> Collection[str]:
        """Return the ids of the calls of a message."""
        return [id_ for id_, _, _ in self.calls(message)]

    def tool_name(self, tool: Any) -> str:
        """Return the name in a definition."""
        return str(plain(tool).get("name"))

    def joined(self, answers: list[Message], following: Message | None) -> list[Message]:
        """Return one message: our answers, then the blocks of the agent's own."""
        if following is None or following.get("role") != "user":
            return [*answers, *([] if following is None else [following])]
        content = following["content"]
        rest = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return [{**following, "content": [*(block for answer in answers for block in answer["content"]), *rest]}]

    def kept_by(self, reply: list[Message], ours: Collection[str]) -> tuple[frozenset[str], list[Message]]:
        """Return the ids of the calls that are left; the whole message goes in place of what is left of it."""
        return frozenset(id_ for id_ in self.call_ids(reply[0]) if id_ not in ours), reply


@dataclass(frozen=True)
class BlockReply:
    """A message of the model."""

    value: Any
    id = ""

    @property
    def messages(self) -> list[Message]:
        """Return the message as it stands in a history."""
        return [{"role": "assistant", "content": plain(self.value.content)}]

    def without(self, ids: Collection[str]) -> BlockReply:
        """Return a copy without some calls."""
        kept = [block for block in self.value.content if getattr(block, "id", None) not in ids]
        ended = {} if any(block.type == "tool_use" for block in kept) else {"stop_reason": "end_turn"}
        return BlockReply(self.value.model_copy(update={"content": kept, **ended}))


class BlockChunks:
    """How a message comes in events. All of it is held: a reader of events makes one message, not several, of them."""

    def is_held(self, part: Any) -> bool:
        """Return true: what passed could not be taken back if our tools are called."""
        return part is not None

    def message(self, parts: list[Any]) -> Message:
        """Return the message that the events make."""
        blocks: dict[int, dict[str, Any]] = {}
        written: dict[int, str] = {}
        for event in parts:
            if event.type == "content_block_start":
                blocks[event.index] = plain(event.content_block)
            elif event.type == "content_block_delta":
                _extend(blocks[event.index], written, event)
        for index, text in written.items():
            blocks[index]["input"] = _object(text)
        return {"role": "assistant", "content": [blocks[index] for index in sorted(blocks)]}

    def without(self, parts: list[Any], ids: Collection[str]) -> list[Any]:
        """Return the events without some blocks, the others numbered anew."""
        starts = [event for event in parts if event.type == "content_block_start"]
        gone = {event.index for event in starts if getattr(event.content_block, "id", None) in ids}
        return [_moved(event, gone) for event in parts if getattr(event, "index", None) not in gone]


def _blocks(message: Message) -> list[dict[str, Any]]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _extend(block: dict[str, Any], written: dict[int, str], event: Any) -> None:
    delta = event.delta
    if delta.type == "input_json_delta":
        written[event.index] = written.get(event.index, "") + delta.partial_json
    elif delta.type in _PARTS:
        name = _PARTS[delta.type]
        block[name] = block.get(name, "") + getattr(delta, name)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {"input": text}
    return value if isinstance(value, dict) else {"input": value}


def _moved(event: Any, gone: Collection[int]) -> Any:
    if getattr(event, "index", None) is None:
        return event
    return event.model_copy(update={"index": event.index - sum(1 for index in gone if index < event.index)})
