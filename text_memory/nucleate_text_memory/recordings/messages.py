"""Messages of conversations as what happened: in the form of each large provider's own API, and of frameworks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from nucleate_text_memory.recordings.answers.answering import answered
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Replied, Said
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.message_parts import object_of, part_happenings, text_of
from nucleate_text_memory.recordings.observations import arguments_of
from nucleate_text_memory.recordings.response_items import is_item, item_happenings

Message: TypeAlias = Mapping[str, Any]

_ROLES = ("role", "from", "type", "author")
_ANSWERS = frozenset({"tool", "function", "observation", "ipython", "toolresult", "tool_result"})
_PEOPLE = frozenset({"user", "human"})
_SILENT = ("reasoning", "item_reference", "compaction")
_UNHEARD = frozenset({"system", "developer"})
_AGENTS = frozenset({"assistant", "model", "ai", "gpt", "chatbot", "agent", "function_call", "tool_call"})


def happenings(message: Any) -> Iterator[Happening]:
    """Yield what a message says, in order; LineFault where it is no message of a known form.

    Known are chat completions (with `function_call`, too), Responses items, Anthropic's blocks, Gemini's parts,
    Bedrock's Converse, Mistral, Cohere, Ollama, LangChain, the Vercel AI SDK and ShareGPT.
    """
    if not isinstance(message, Mapping):
        raise LineFault(f"a message is an object, not {type(message).__name__}")
    if message.get("type") in _SILENT and "role" not in message:
        return
    if is_item(message):
        yield from item_happenings(dict(message))
        return
    message = {**message, **object_of(message.get("data"))} if "role" not in message else message
    role = next((str(message[key]).lower() for key in _ROLES if isinstance(message.get(key), str)), "")
    if role in _ANSWERS:
        yield from _answers(message)
    elif role in _PEOPLE:
        yield from _from_user(message)
    elif role in _AGENTS:
        yield from _from_agent(message, role)
    elif role not in _UNHEARD:
        raise LineFault(f"a message has no known role: {str(message.get('role'))[:40]!r}")


def _content(message: Message) -> Any:
    """Return the content of a message: a text, parts, or nothing; LineFault for what could be neither."""
    keys = ("content", "parts", "value", "message")
    found = next((message[key] for key in keys if message.get(key) is not None), None)
    if found is not None and not isinstance(found, str | list | Mapping):
        raise LineFault(f"content is a {type(found).__name__}, neither a text nor parts")
    return found


def _from_user(message: Message) -> Iterator[Happening]:
    content = _content(message)
    for part in content if isinstance(content, list) else ():
        yield from (found for found in part_happenings(part) if isinstance(found, Answered))
    words = text_of(content)
    if words or (content == "" and "content" in message):
        yield Said(text=words)


def _from_agent(message: Message, role: str) -> Iterator[Happening]:
    content = _content(message)
    if role in {"function_call", "tool_call"}:  # ShareGPT writes the call as JSON text
        yield _called(arguments_of(content))
        return
    if words := text_of(content):
        yield Replied(text=words)
    for part in content if isinstance(content, list) else ():
        yield from (found for found in part_happenings(part) if not isinstance(found, Said | Replied))
    calls = message.get("tool_calls", message.get("toolCalls"))
    for call in calls if isinstance(calls, list) else ():
        if object_of(call).get("requestor", "assistant") == "assistant":
            yield _called(object_of(call))
    if isinstance(message.get("function_call"), Mapping):
        yield _called(object_of(message["function_call"]))


def _called(call: Mapping[str, Any]) -> AskedCall:
    """Return a call; some write name and arguments within an object `function` (or `custom`), some without."""
    body = next((object_of(call[key]) for key in ("function", "custom") if isinstance(call.get(key), Mapping)), call)
    name = body.get("name", body.get("tool_name"))
    if not isinstance(name, str) or not name:
        raise LineFault("a tool call names no function")
    given = next((body[key] for key in ("arguments", "args", "parameters", "input") if body.get(key) is not None), None)
    id_ = next((call[key] for key in ("id", "tool_call_id") if isinstance(call.get(key), str) and call[key]), None)
    return AskedCall(id=id_, name=name, arguments=arguments_of(given))


def _answers(message: Message) -> Iterator[Happening]:
    listed = message.get("tool_messages", message.get("tool_results"))
    for one in listed if isinstance(listed, list) else [message]:
        one = object_of(one)
        if one.get("requestor", "assistant") == "assistant":
            yield from _answer(one)


def _answer(message: Message) -> Iterator[Happening]:
    content = _content(message)
    parts = [found for part in (content if isinstance(content, list) else ()) for found in part_happenings(part)]
    own = [found for found in parts if isinstance(found, Answered)]
    if own:
        yield from own
        return
    failed = True if message.get("error") is True or message.get("status") == "error" else None
    call = object_of(message.get("call"))  # Cohere's earlier form: the call stands in its answer
    value = message.get("outputs", content if not isinstance(content, list | str) else text_of(content))
    value = text_of(value) if isinstance(value, list) and not call else value
    ids = ("tool_call_id", "toolCallId", "call_id", "id")
    id_ = next((message[key] for key in ids if isinstance(message.get(key), str)), None)
    named = next((message[key] for key in ("name", "tool_name") if isinstance(message.get(key), str)), call.get("name"))
    found = answered(id_, value, failed=failed)
    yield Answered(id=id_, result=found.result, error=found.error, refused=found.refused, name=named)
