"""Methods described from their type hints and docstrings alone: nothing is called."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import docstring_parser
from pydantic import PydanticSchemaGenerationError, PydanticUserError, TypeAdapter
from pydantic_core import PydanticSerializationError, to_jsonable_python

from nucleate.environments.effects import effect_of
from nucleate.environments.methods import Method
from nucleate.environments.type_schemas import inline, schema_of
from nucleate.environments.typed_dicts import portable
from nucleate_sandbox import Json, JsonObject

_KINDS = inspect.Parameter
_UNDESCRIBABLE = (PydanticSchemaGenerationError, PydanticUserError, NameError, TypeError, AttributeError)


class Undescribable(Exception):
    """A method whose signature has no JSON form; the message says which part and why."""


def describe(attribute: str, function: Callable[..., object], *, bound: bool) -> Method:
    """Read a function's type hints and docstring; raise Undescribable where a parameter has no JSON form."""
    every = _parameters(function)[1 if bound else 0 :]
    named = [parameter for parameter in every if parameter.kind is not _KINDS.VAR_KEYWORD]
    hints, words = _hints(function), _words(function)
    adapters = {parameter.name: _adapter(parameter, hints) for parameter in named}
    required = [parameter.name for parameter in named if parameter.default is _KINDS.empty]
    properties = {parameter.name: _property(parameter, adapters[parameter.name], words) for parameter in named}
    return Method(
        attribute=attribute,
        doc=_first_paragraph(words),
        parameters=_object(properties, required, accepts_any=named != every),
        returns=_returns(hints, words),
        effect=effect_of(function),
        adapters=adapters,
        positional=tuple(parameter.name for parameter in named if parameter.kind is _KINDS.POSITIONAL_ONLY),
        required=frozenset(required),
        accepts_any=named != every,
    )


def _object(properties: Mapping[str, JsonObject], required: Sequence[str], *, accepts_any: bool) -> JsonObject:
    """Return one object schema; the named types of all properties move to its root, where references point."""
    named: JsonObject = {}
    for item in properties.values():
        named |= cast("JsonObject", item.pop("$defs", {}))
    schema: JsonObject = {"type": "object", "properties": dict(properties), "additionalProperties": accepts_any}
    if required:
        schema["required"] = list[Json](required)
    return inline({**schema, "$defs": named} if named else schema)


def _parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise Undescribable(f"its parameters cannot be read: {error}") from error


def _hints(function: Callable[..., object]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except _UNDESCRIBABLE as error:
        raise Undescribable(f"its type hints cannot be read: {error}") from error


def _adapter(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> TypeAdapter[Any]:
    if parameter.kind is _KINDS.VAR_POSITIONAL:
        raise Undescribable(f"*{parameter.name} takes positional values, which JSON arguments cannot name")
    annotation = portable(hints.get(parameter.name, Any))
    try:
        adapter = TypeAdapter[Any](annotation)
        schema_of(adapter, mode="validation")
    except _UNDESCRIBABLE as error:
        raise Undescribable(f"parameter {parameter.name!r} of type {annotation!r} has no JSON form") from error
    return adapter


def _property(parameter: inspect.Parameter, adapter: TypeAdapter[Any], words: docstring_parser.Docstring) -> JsonObject:
    schema = schema_of(adapter, mode="validation")
    described = next((p.description for p in words.params if p.arg_name == parameter.name), None)
    if described:
        schema["description"] = described
    if parameter.default is not _KINDS.empty:
        schema |= _default(parameter.default)
    return schema


def _default(value: object) -> JsonObject:
    """Show a default that has a JSON form; the method applies its own in any case."""
    try:
        return {"default": cast("Json", to_jsonable_python(value))}
    except PydanticSerializationError:
        return {}


def _returns(hints: Mapping[str, Any], words: docstring_parser.Docstring) -> JsonObject:
    """Return the result's schema, or {} (anything) where the annotation is absent or has no JSON form."""
    if "return" not in hints:
        return {}
    try:
        schema = inline(schema_of(TypeAdapter[Any](portable(hints["return"])), mode="serialization"))
    except _UNDESCRIBABLE:
        return {}
    if words.returns and words.returns.description:
        schema = {**schema, "description": words.returns.description}
    return schema


def _words(function: Callable[..., object]) -> docstring_parser.Docstring:
    text = inspect.getdoc(function) or ""
    try:
        return docstring_parser.parse(text)
    except docstring_parser.ParseError:
        plain = docstring_parser.Docstring()
        plain.short_description = text.partition("\n\n")[0]
        return plain


def _first_paragraph(words: docstring_parser.Docstring) -> str:
    return (words.short_description or (words.long_description or "").partition("\n\n")[0]).strip()
