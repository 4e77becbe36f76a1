"""OpenAI's chat completions: messages with tool calls, replies whole or in chunks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from nucleate.recording.clients.hidden import Message
from nucleate.recording.clients.stand_in import plain


class ChatDialect:
    """How chat completions write calls and answers."""

    field = "messages"

    def calls(self, message: Message) -> list[tuple[str, str, Any]]:
        """Return the function calls of a message."""
        calls = message.get("tool_calls") or []
        return [(call["id"], call["function"]["name"], call) for call in calls if "function" in call]

    def call_ids(self, message: Message) -> Collection[str]:
        """Return the ids of all calls of a message."""
        return [call["id"] for call in message.get("tool_calls") or [] if "id" in call]

    def tool_name(self, tool: Any) -> str:
        """Return the name in a definition."""
        body = plain(tool)
        return str(body.get("function", body).get("name"))

    def joined(self, answers: list[Message], following: Message | None) -> list[Message]:
        """Return the answers, each a message, before what follows."""
        return [*answers, *([] if following is None else [following])]

    def kept_by(self, reply: list[Message], ours: Collection[str]) -> tuple[frozenset[str], list[Message]]:
        """Return the ids of the calls that are left; the whole message goes in place of what is left of it."""
        return frozenset(id_ for id_ in self.call_ids(reply[0]) if id_ not in ours), reply


@dataclass(frozen=True)
class ChatReply:
    """A completion."""

    value: Any
    id = ""

    @property
    def messages(self) -> list[Message]:
        """Return the message of the first choice."""
        message: Message = plain(self.value.choices[0].message)
        return [{key: value for key, value in message.items() if key != "parsed"}]

    def without(self, ids: Collection[str]) -> ChatReply:
        """Return a copy without some calls."""
        copy = self.value.model_copy(deep=True)
        message = copy.choices[0].message
        message.tool_calls = [call for call in message.tool_calls or [] if call.id not in ids] or None
        if message.tool_calls is None and copy.choices[0].finish_reason == "tool_calls":
            copy.choices[0].finish_reason = "stop"
        return ChatReply(copy)


class ChatChunks:
    """How chat completions come in parts; the calls of a message are told apart by their index."""

    def is_held(self, part: Any) -> bool:
        """Return whether a call begins."""
        return any(choice.delta.tool_calls for choice in part.choices if choice.delta)

    def message(self, parts: list[Any]) -> Message:
        """Return the message that the chunks make."""
        words, calls = "", dict[int, dict[str, Any]]()
        for delta in (choice.delta for part in parts for choice in part.choices if choice.delta):
            words += delta.content or ""
            for piece in delta.tool_calls or []:
                _extend(calls.setdefault(piece.index, _empty()), piece)
        made = [calls[index] for index in sorted(calls)]
        return {"role": "assistant", "content": words or None, **({"tool_calls": made} if made else {})}

    def without(self, parts: list[Any], ids: Collection[str]) -> list[Any]:
        """Return copies without some calls, the others numbered anew."""
        gone = {
            piece.index
            for part in parts
            for choice in part.choices
            for piece in (choice.delta.tool_calls or [] if choice.delta else [])
            if piece.id in ids
        }
        kept = [_without(part.model_copy(deep=True), gone) for part in parts]
        return [part for part in kept if part is not None]


def _empty() -> dict[str, Any]:
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def _extend(call: dict[str, Any], piece: Any) -> None:
    call["id"] = piece.id or call["id"]
    if piece.function is not None:
        call["function"]["name"] += piece.function.name or ""
        call["function"]["arguments"] += piece.function.arguments or ""


def _without(part: Any, gone: Collection[int]) -> Any:
    """Return a chunk without the calls of some indices; None where nothing is left in it."""
    emptied = False
    for choice in part.choices:
        pieces = choice.delta.tool_calls or [] if choice.delta else []
        kept = [piece for piece in pieces if piece.index not in gone]
        for piece in kept:
            piece.index -= sum(1 for index in gone if index < piece.index)
        if pieces:
            choice.delta.tool_calls = kept or None
            emptied = not kept and not choice.delta.content and choice.finish_reason is None
    return None if emptied else part
