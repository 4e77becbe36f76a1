"""A reply as a value of a schema: the object wherever it stands, fitted where one reading is possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from nucleate_codifier.chat import Malformed, Reply, ReplyEnding
from nucleate_codifier.replies.call_shapes import calls_in
from nucleate_codifier.replies.fitting import actions_of, fitted, readings
from nucleate_codifier.replies.loose_json import fault_of, found_values
from nucleate_codifier.replies.reasoning import answer_of

T = TypeVar("T", bound=BaseModel)

MAX_PROBLEMS = 8
_LONGEST = 160  # characters of what was ignored


@dataclass(frozen=True, kw_only=True)
class ReadReply(Generic[T]):
    """What a reply says, and what else it said that is not carried out: an action each, in short."""

    value: T
    ignored: tuple[str, ...] = ()


def parse_reply(reply: Reply, schema: type[T]) -> T:
    """Return the reply's object as a value of the schema; raise Malformed with every reason."""
    return read_reply(reply, schema).value


def read_reply(reply: Reply, schema: type[T]) -> ReadReply[T]:
    """Return the first object of a reply that fits; raise Malformed with every reason against the nearest one."""
    if reply.ending is ReplyEnding.REFUSAL:
        raise Malformed("the reply was a refusal; answer with one of the actions, or give up with a reason")
    answer = answer_of(reply.text)
    names = schema.model_fields.keys()
    lenient = not any(field.is_required() for field in schema.model_fields.values())
    found, problems = list[T](), list[list[str]]()
    for candidate in _candidates(answer.text, schema):
        if not isinstance(candidate, dict) or (lenient and candidate and not candidate.keys() & names):
            continue  # another object that happens to stand there
        try:
            found.append(schema.model_validate(fitted(candidate, schema)))
        except ValidationError as error:
            problems.append(_problems(error))
    if found:
        return ReadReply(value=found[0], ignored=tuple(_short(item) for item in found[1:]))
    if reply.ending is ReplyEnding.LENGTH:
        raise Malformed("the reply was cut off at the output limit; answer more briefly")
    if problems:
        nearest = min(problems, key=len)
        raise Malformed("\n".join(nearest))
    raise Malformed(_nothing(answer.text, thinking=answer.thinking))


def _candidates(text: str, schema: type[BaseModel]) -> Iterator[Any]:
    """Yield the objects that may be meant. A list of objects is one reply; each object of a text is one by itself."""
    for found in found_values(text):
        for reading in readings(found.value, schema):
            yield from _each(reading)
    if actions_of(schema):
        yield from (
            {"thought": "", "action": {**call.arguments, "do": call.name}}
            for call in calls_in(text)
            if text[call.start] not in "{["
        )


def _each(reading: list[Any]) -> Iterator[Any]:
    for item in reading:
        action = item.get("action") if isinstance(item, dict) else None
        if isinstance(action, list):
            yield from ({**item, "action": one} for one in action)
        else:
            yield item


def _nothing(text: str, *, thinking: bool) -> str:
    if thinking:
        return "the reply ends inside its reasoning; answer with the JSON object"
    if not text:
        return "the reply is empty; answer with the JSON object"
    fault = fault_of(text)
    return f"the JSON object cannot be read: {fault}" if fault else "the reply holds no JSON object"


def _problems(error: ValidationError) -> list[str]:
    found = error.errors(include_url=False, include_input=False)
    inner = [item for item in found if not any(_within(other["loc"], item["loc"]) for other in found)]
    lines = [f"{'.'.join(map(str, item['loc'])) or 'the reply'}: {_said(item)}" for item in inner]
    lines = list(dict.fromkeys(lines))
    return lines if len(lines) <= MAX_PROBLEMS else [*lines[:MAX_PROBLEMS], f"and {len(lines) - MAX_PROBLEMS} more"]


def _within(place: tuple[int | str, ...], whole: tuple[int | str, ...]) -> bool:
    """Return whether a place lies inside another: a fault of the whole is then only what follows from it."""
    return len(place) > len(whole) and place[: len(whole)] == whole


def _said(item: Any) -> str:
    context = item.get("ctx", {})
    if item["type"] == "union_tag_invalid":
        return f"{context['discriminator']} is {context['tag']!r}; it is one of {context['expected_tags']}"
    return str(item["msg"])


def _short(value: BaseModel) -> str:
    action = getattr(value, "action", value)
    text = action.model_dump_json(exclude_defaults=True)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
