"""The arguments of a tool, checked against its type hints before anything of it runs."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._binding import plain

_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _number(value) and math.isfinite(value) and value == int(value),
    "number": lambda value: _number(value),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


class Misfit(TypeError):
    """An argument is not what the tool's type hints say."""


def checked(tool: Callable[..., Any], schema: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the tool; called with arguments that do not fit its hints, it raises Misfit, and does nothing."""
    signature = inspect.signature(tool)

    def check(args: tuple[Any, ...], named: dict[str, Any]) -> None:
        wrong = faults(schema, signature.bind(*args, **named).arguments)
        if wrong:
            raise Misfit(f"{tool.__name__}: {'; '.join(wrong)}")

    if inspect.iscoroutinefunction(tool):

        @functools.wraps(tool)
        async def later(*args: Any, **named: Any) -> Any:
            check(args, named)
            return await tool(*args, **named)

        return later

    @functools.wraps(tool)
    def now(*args: Any, **named: Any) -> Any:
        check(args, named)
        return tool(*args, **named)

    return now


def faults(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with arguments, each that the schema does not allow named with its value."""
    known = schema.get("properties", {})
    return [
        fault
        for name, value in arguments.items()
        if name in known
        for fault in _faults(plain(value), known[name], schema, name)
    ]


def _faults(value: Any, schema: Any, root: Mapping[str, Any], place: str) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        return
    if "$ref" in schema:
        target = root.get("$defs", {}).get(schema["$ref"].rpartition("/")[2], {})
        yield from _faults(value, target, root, place)
        return
    choices = schema.get("anyOf") or schema.get("oneOf") or ()
    if choices and all(any(_faults(value, choice, root, place)) for choice in choices):
        yield f"{place}={value!r:.80} is none of what it may be"
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(kind not in _KINDS or _KINDS[kind](value) for kind in kinds):
        yield f"{place}={value!r:.80} is not of type {' or '.join(kinds)}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{place}={value!r:.80} is none of {schema['enum']!r:.200}"
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, schema.get("items"), root, f"{place}[{index}]")
    elif isinstance(value, dict):
        yield from _in_object(value, schema, root, place)


def _in_object(value: dict[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], place: str) -> Iterator[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties")
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{place}.{name} is missing"
    for name, item in value.items():
        if name not in known and others is False:
            yield f"{place}.{name} is not a field of it"
        yield from _faults(item, known.get(name, others), root, f"{place}.{name}")


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
