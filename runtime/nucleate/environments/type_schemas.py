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


MAX_WRITTEN = 5_000  # parts of a schema; one whose definitions share each other could be written out for ever


class _Recursive(Exception):
    """A definition that holds itself, or one that is too large, cannot be written out."""


def schema_of(adapter: TypeAdapter[Any], *, mode: Mode) -> JsonObject:
    """Return the type's JSON schema, with `$defs` at its root where it has named types."""
    return cast("JsonObject", adapter.json_schema(mode=mode, schema_generator=_Plain))


def inline(schema: JsonObject) -> JsonObject:
    """Write out every local reference; a schema with a recursive or huge type keeps its references and `$defs`."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return schema
    body: JsonObject = {key: value for key, value in schema.items() if key != "$defs"}
    try:
        return cast("JsonObject", _Writer(definitions).expand(body, ()))
    except _Recursive:
        return schema


class _Writer:
    """Writes out references, up to a number of parts."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self._definitions = definitions
        self._left = MAX_WRITTEN

    def expand(self, node: Json, inside: tuple[str, ...]) -> Json:
        self._left -= 1
        if self._left < 0:
            raise _Recursive("too large")
        if isinstance(node, list):
            return [self.expand(item, inside) for item in node]
        if not isinstance(node, dict):
            return node
        own: JsonObject = {k: v if k in _LITERAL else self.expand(v, inside) for k, v in node.items()}
        reference = own.pop("$ref", None) if isinstance(own.get("$ref"), str) else None
        if not isinstance(reference, str):
            return own
        return {**self._definition(reference.removeprefix(_PREFIX), inside), **own}

    def _definition(self, name: str, inside: tuple[str, ...]) -> JsonObject:
        if name in inside:
            raise _Recursive(name)
        return cast("JsonObject", self.expand(self._definitions[name], (*inside, name)))
