"""Tools for a provider's client: definitions to hand in, and answers to the calls that come back."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nucleate.exports.calling import CallAnswer, call
from nucleate.exports.schemas import DEFINE, Unrepresentable, mapped
from nucleate.tools import CallableTool
from nucleate_sandbox import Json, JsonObject


@dataclass(frozen=True, kw_only=True)
class ProviderCall:
    """A tool call of a provider's answer: its id, the provider's name of the tool, and the arguments as written."""

    id: str | None
    name: str
    arguments: Json


class ProviderTools(list[JsonObject]):
    """The definitions, ready for `tools=…`, in an order that stays, so that prompt caches hold.

    `left_out` says which tools the provider cannot be told of and why; the others are there all the same. `loose` says
    which could not have the provider's exact form.
    """

    def __init__(self, tools: Iterable[CallableTool], *, provider: str) -> None:
        self._provider = provider
        self._tools: dict[str, CallableTool] = {}
        self.left_out: dict[str, str] = {}
        self.loose: dict[str, str] = {}
        known = unique(tools, self.left_out)
        super().__init__(self._defined(known, mapped(known)))

    def _defined(self, tools: Mapping[str, CallableTool], names: Mapping[str, str]) -> Iterator[JsonObject]:
        for name, tool in tools.items():
            try:
                definition = DEFINE[self._provider](tool.version.signature, names[name])
            except Unrepresentable as error:
                self.left_out[name] = str(error)
                continue
            self._tools[names[name]] = tool
            if definition.loose:
                self.loose[name] = definition.loose
            yield definition.body

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which the provider knows the tools."""
        return tuple(self._tools)

    def answer(self, calls: Sequence[Any] | None) -> list[JsonObject]:
        """Call what the model chose, in order, and return the messages that answer it.

        Takes what the provider's client gives: `message.tool_calls` (OpenAI), `response.output` (its Responses API),
        `message.content` (Anthropic), `response.function_calls` (Gemini), as objects or as plain JSON.
        """
        dialect = DIALECTS[self._provider]
        made = [item for part in calls or () if (item := dialect.read(part)) is not None]
        return dialect.write([(item, self._answer(item)) for item in made]) if made else []

    def _answer(self, item: ProviderCall) -> CallAnswer:
        tool = self._tools.get(item.name)
        if tool is not None:
            return call(tool, item.arguments)
        near = difflib.get_close_matches(item.name[:80], self._tools, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self._tools) or 'none'}"
        return CallAnswer(error=f"UnknownTool: there is no tool {item.name[:80]!r}; {hint}", mistake=True)


def unique(tools: Iterable[CallableTool], left_out: dict[str, str]) -> dict[str, CallableTool]:
    """Return the tools by name, in the order of their names; of two with one name the later is left out."""
    found: dict[str, CallableTool] = {}
    for tool in tools:
        if found.setdefault(tool.__name__, tool) is not tool:
            left_out[tool.__name__] = f"two tools are named {tool.__name__!r}; ask for one environment's"
    return dict(sorted(found.items()))


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How one provider writes calls and reads answers."""

    read: Callable[[Any], ProviderCall | None]
    write: Callable[[Sequence[tuple[ProviderCall, CallAnswer]]], list[JsonObject]]


def _field(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def _read_chat(item: Any) -> ProviderCall | None:
    function = _field(item, "function")
    if function is None:
        return None
    return ProviderCall(id=_field(item, "id"), name=_field(function, "name"), arguments=_field(function, "arguments"))


def _read_response(item: Any) -> ProviderCall | None:
    if _field(item, "type") != "function_call":
        return None
    return ProviderCall(id=_field(item, "call_id"), name=_field(item, "name"), arguments=_field(item, "arguments"))


def _read_block(item: Any) -> ProviderCall | None:
    if _field(item, "type") != "tool_use":
        return None
    return ProviderCall(id=_field(item, "id"), name=_field(item, "name"), arguments=_field(item, "input"))


def _read_part(item: Any) -> ProviderCall | None:
    found = _field(item, "function_call") or _field(item, "functionCall") or item
    name = _field(found, "name")
    return ProviderCall(id=_field(found, "id"), name=name, arguments=_field(found, "args") or {}) if name else None


def _write_chat(answers: Sequence[tuple[ProviderCall, CallAnswer]]) -> list[JsonObject]:
    return [{"role": "tool", "tool_call_id": item.id, "content": answer.text} for item, answer in answers]


def _write_outputs(answers: Sequence[tuple[ProviderCall, CallAnswer]]) -> list[JsonObject]:
    return [{"type": "function_call_output", "call_id": item.id, "output": answer.text} for item, answer in answers]


def _write_blocks(answers: Sequence[tuple[ProviderCall, CallAnswer]]) -> list[JsonObject]:
    """All results stand in one message: the service wants the answers to parallel calls together."""
    blocks: list[Json] = [
        {"type": "tool_result", "tool_use_id": item.id, "content": answer.text, "is_error": bool(answer.error)}
        for item, answer in answers
    ]
    return [{"role": "user", "content": blocks}]


def _write_parts(answers: Sequence[tuple[ProviderCall, CallAnswer]]) -> list[JsonObject]:
    parts: list[Json] = []
    for item, answer in answers:
        body: JsonObject = {"error": answer.error} if answer.error else {"output": answer.value}
        named: JsonObject = {"name": item.name, **({"id": item.id} if item.id else {})}
        parts.append({"functionResponse": {**named, "response": body}})
    return [{"role": "user", "parts": parts}]


DIALECTS: Mapping[str, Dialect] = {
    "openai": Dialect(read=_read_chat, write=_write_chat),
    "openai_responses": Dialect(read=_read_response, write=_write_outputs),
    "anthropic": Dialect(read=_read_block, write=_write_blocks),
    "gemini": Dialect(read=_read_part, write=_write_parts),
}
