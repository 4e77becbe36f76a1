"""JSON schemas from Python types, in one piece: references are written out wherever the type is not recursive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import TypeAdapter
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema

from nucleate_sandbox import Json, JsonObject

_PREFIX = "#/$defs/"
_LITERAL = frozenset({"default", "enum", "const", "examples"})  # their values are data, not schemas

Mode = Literal["validation", "serialization"]


class _Plain(GenerateJsonSchema):
    """Leaves out titles that only repeat a field's name, and requires in a result every field that is always there."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is pydantic's
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        always = self.mode == "serialization" and field["type"] != "typed-dict-field"
        return always or super().field_is_required(field, total)

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        if schema["type"] in {"is-instance", "callable"}:
            raise PydanticInvalidForJsonSchema(f"{schema['type']} has no JSON form")
        return super().generate(schema, mode)


class _Recursive(Exception):
    """A definition that holds itself cannot be written out."""


def schema_of(adapter: TypeAdapter[Any], *, mode: Mode) -> JsonObject:
    """Return the type's JSON schema, with `$defs` at its root where it has named types."""
    return cast("JsonObject", adapter.json_schema(mode=mode, schema_generator=_Plain))


def inline(schema: JsonObject) -> JsonObject:
    """Write out every local reference; a schema with a recursive type keeps its references and `$defs`."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return schema
    body: JsonObject = {key: value for key, value in schema.items() if key != "$defs"}
    try:
        return cast("JsonObject", _expand(body, definitions, ()))
    except _Recursive:
        return schema


def _expand(node: Json, definitions: Mapping[str, Json], inside: tuple[str, ...]) -> Json:
    if isinstance(node, list):
        return [_expand(item, definitions, inside) for item in node]
    if not isinstance(node, dict):
        return node
    own: JsonObject = {k: v if k in _LITERAL else _expand(v, definitions, inside) for k, v in node.items()}
    reference = own.pop("$ref", None) if isinstance(own.get("$ref"), str) else None
    if not isinstance(reference, str):
        return own
    return {**_definition(reference.removeprefix(_PREFIX), definitions, inside), **own}


def _definition(name: str, definitions: Mapping[str, Json], inside: tuple[str, ...]) -> JsonObject:
    if name in inside:
        raise _Recursive(name)
    return cast("JsonObject", _expand(definitions[name], definitions, (*inside, name)))
