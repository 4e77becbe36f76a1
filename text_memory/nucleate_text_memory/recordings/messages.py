"""Messages of a conversation, in OpenAI's form or in Anthropic's, as what happened: said, asked, answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import JsonValue

from nucleate_text_memory.recordings.lines import Identifier, LineFault, Strict
from nucleate_text_memory.recordings.observations import arguments_of, observed
from nucleate_text_memory.values import Json, JsonObject, StepError

_ONLY_ANSWERS = frozenset({"tool", "function"})
_PEOPLE = frozenset({"user", "human"})


@dataclass(frozen=True, kw_only=True)
class Said:
    """The user spoke."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Replied:
    """The agent spoke to the user."""

    text: str


@dataclass(frozen=True, kw_only=True)
class AskedCall:
    """The agent called a function; the id pairs the call with its answer."""

    id: str | None
    name: str
    arguments: JsonObject


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A call was answered."""

    id: str | None
    result: Json = None
    error: StepError | None = None


Happening: TypeAlias = Said | Replied | AskedCall | Answered


class CallFunction(Strict):
    """The function of a tool call; its arguments are JSON text (or, in some logs, the object itself)."""

    name: Identifier
    arguments: str | dict[str, JsonValue] | None = None


class RecordedToolCall(Strict):
    """One call that the assistant asks for; some logs write name and arguments without the object around them."""

    id: str | None = None
    function: CallFunction | None = None
    name: Identifier | None = None
    arguments: str | dict[str, JsonValue] | None = None
    requestor: str = "assistant"

    def asked(self) -> AskedCall:
        """Return the call; LineFault where its arguments are no JSON object."""
        if self.function is not None:
            name, arguments = self.function.name, self.function.arguments
        elif self.name is not None:
            name, arguments = self.name, self.arguments
        else:
            raise LineFault("a tool call names no function")
        return AskedCall(id=self.id, name=name, arguments=arguments_of(name, arguments))


class Block(Strict):
    """One part of a message's content: text, `tool_use`, `tool_result`; parts of other kinds are passed over."""

    type: str = "text"
    text: str = ""
    id: str | None = None
    name: Identifier | None = None
    input: dict[str, JsonValue] | str | None = None
    tool_use_id: str | None = None
    content: JsonValue = None
    is_error: bool | None = None


class RecordedMessage(Strict):
    """One message of the conversation."""

    role: str
    content: str | list[Block] | None = None
    tool_calls: list[RecordedToolCall] | None = None
    tool_call_id: str | None = None
    id: str | None = None
    error: bool | None = None
    requestor: str = "assistant"
    tool_messages: list[RecordedMessage] | None = None

    @property
    def text(self) -> str:
        """Return the words of the message."""
        return text_of(self.content)

    def happenings(self) -> Iterator[Happening]:
        """Yield what the message says, in order."""
        if self.role in _ONLY_ANSWERS:
            yield from self._answers()
            return
        blocks = self.content if isinstance(self.content, list) else []
        if self.role in _PEOPLE:
            yield from (_answered(block) for block in blocks if block.type == "tool_result")
            if self.content is not None and (self.text or not any(b.type == "tool_result" for b in blocks)):
                yield Said(text=self.text)
        elif self.role != "system" and self.role != "developer":
            if self.text:
                yield Replied(text=self.text)
            yield from (_used(block) for block in blocks if block.type == "tool_use")
            yield from (call.asked() for call in self.tool_calls or [] if call.requestor == "assistant")

    def _answers(self) -> Iterator[Happening]:
        for message in self.tool_messages or [self]:
            if message.requestor == "assistant":
                result, error = observed(message.text, failed=True if message.error else None)
                yield Answered(id=message.tool_call_id or message.id, result=result, error=error)


def text_of(content: Any) -> str:
    """Return the words of a message's content: the content itself, or its parts of text, a line each."""
    if isinstance(content, list):
        return "\n".join(part.text for part in content if isinstance(part, Block) and not part.type.startswith("tool_"))
    return content if isinstance(content, str) else ""


def block_text(content: Any) -> str:
    """Return the text of a tool result's content: a text, or a list of parts."""
    if isinstance(content, list):
        parts = [part if isinstance(part, dict) else {"text": str(part)} for part in content]
        return "\n".join(str(part.get("text", f"[{part.get('type', 'part')}]")) for part in parts)
    return content if isinstance(content, str) else ""


def _used(block: Block) -> AskedCall:
    if block.name is None:
        raise LineFault("a tool_use block names no function")
    return AskedCall(id=block.id, name=block.name, arguments=arguments_of(block.name, block.input))


def _answered(block: Block) -> Answered:
    result, error = observed(block_text(block.content), failed=block.is_error or None)
    return Answered(id=block.tool_use_id, result=result, error=error)
