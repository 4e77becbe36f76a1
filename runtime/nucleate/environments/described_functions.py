"""One description of a function, checked: its name, its schemas, and what it does to the world."""

from __future__ import annotations

from typing import cast

from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject
from nucleate_sandbox.schemas import modern

_ANYTHING: JsonObject = {"type": "object", "properties": {}}


class FunctionsFileError(ValueError):
    """The text is no list of functions; the message names the place and what is expected there."""


def namespace_of(environment: str) -> str:
    """Return the namespace of an environment's functions that have none of their own."""
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in environment)
    return name if name.isidentifier() else f"env_{name}"


def function_spec(item: Json, *, place: str, namespace: str) -> FunctionSpec:
    """Return one item of a file as a function; FunctionsFileError says what is wrong with it, at which place."""
    if not isinstance(item, dict):
        raise FunctionsFileError(f"{place}: {item!r} is not an object with a name")
    body = cast("JsonObject", item["function"]) if isinstance(item.get("function"), dict) else item
    name = _text(body, "name", place)
    if not all(part.isidentifier() for part in name.split(".")) or name.count(".") > 1:
        raise FunctionsFileError(f"{place}: name {name!r} is not `namespace.function`; use letters, digits and _")
    place = f"{place} ({name!r})"
    return FunctionSpec(
        name=name if "." in name else f"{namespace}.{name}",
        doc=_text(body, "doc", place, default=_text(body, "description", place, default="")),
        parameters=_parameters(body, place),
        returns=_schema(body, "returns", place),
        effect=_effect(body, place),
    )


def _text(body: JsonObject, key: str, place: str, *, default: str | None = None) -> str:
    value = body.get(key, default)
    if not isinstance(value, str):
        raise FunctionsFileError(f"{place}: {key} is {value!r}; expected a text")
    return value


def _schema(body: JsonObject, key: str, place: str) -> JsonObject:
    value = body.get(key) or {}
    if not isinstance(value, dict | bool):
        raise FunctionsFileError(f"{place}: {key} is not a JSON schema: {value!r} is not an object")
    return modern(value)


def _parameters(body: JsonObject, place: str) -> JsonObject:
    schema = _schema(body, "parameters", place)
    kind = schema.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise FunctionsFileError(
            f"{place}: parameters is of type {kind!r}; arguments have names, so it must be 'object'"
        )
    return schema or _ANYTHING


def _effect(body: JsonObject, place: str) -> Effect:
    value = body.get("effect", Effect.WRITE)
    try:
        return Effect(cast("str", value))
    except ValueError as error:
        choices = ", ".join(item.value for item in Effect)
        raise FunctionsFileError(f"{place}: effect {value!r} is unknown; one of {choices}") from error
