"""References inside a schema: found, written out where that ends, and never fetched from an address."""

from __future__ import annotations

from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry

from nucleate.exports.schemas.schema_values import (
    DEFINITIONS,
    LooseSchema,
    Unrepresentable,
    branches,
    mapping,
    objects,
    strings,
)
from nucleate_sandbox import Json, JsonObject

MAX_NODES = 5000


def target(schema: JsonObject, root: JsonObject) -> JsonObject:
    """Return what a schema refers to, with its own words; itself where it refers to nothing."""
    seen: list[Json] = []
    while "$ref" in schema:
        reference = schema["$ref"]
        if reference in seen:
            raise Unrepresentable(f"{reference!r} refers to itself and to nothing else")
        seen.append(reference)
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**_found(reference, root), **beside}
    return schema


def _found(reference: Json, root: JsonObject) -> JsonObject:
    if reference == "#":
        return root
    name = reference.removeprefix(DEFINITIONS) if isinstance(reference, str) else ""
    definition = mapping(root.get("$defs")).get(name.replace("~1", "/").replace("~0", "~"))
    if not isinstance(definition, dict) or name == reference:
        raise Unrepresentable(f"{reference!r} refers to nothing in the schema's own $defs")
    return definition


def inlined(schema: JsonObject, root: JsonObject, *, within: tuple[str, ...] = ()) -> JsonObject:
    """Return a schema without references; raise Loose where a type holds itself."""
    return _Inlining(root).of(schema, within)


class _Inlining:
    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._nodes = 0

    def of(self, schema: JsonObject, within: tuple[str, ...]) -> JsonObject:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise LooseSchema(f"written out it has more than {MAX_NODES} parts")
        reference = schema.get("$ref")
        if reference is None:
            return {key: self._value(key, value, within) for key, value in schema.items() if key != "$defs"}
        if reference in within:
            raise LooseSchema(f"the type {str(reference).removeprefix(DEFINITIONS)!r} holds itself")
        return self.of(target(schema, self._root), (*within, str(reference)))

    def _value(self, key: str, value: Json, within: tuple[str, ...]) -> Json:
        if key == "properties" and isinstance(value, dict):
            return {name: self._any(item, within) for name, item in value.items()}
        if key in {"items", "additionalProperties"}:
            return self._any(value, within)
        if key in {"anyOf", "oneOf", "allOf", "prefixItems"} and isinstance(value, list):
            return [self._any(item, within) for item in value]
        return value

    def _any(self, value: Json, within: tuple[str, ...]) -> Json:
        return self.of(value, within) if isinstance(value, dict) else value


def validator(schema: JsonObject) -> Draft202012Validator:
    """Return what tells whether values fit; raise Unrepresentable for a schema that is none.

    Its registry is empty: a schema that refers to an address must not make anybody fetch it.
    """
    try:
        Draft202012Validator.check_schema(cast("dict[str, Any]", schema))
    except SchemaError as error:
        raise Unrepresentable(f"its parameters are no JSON schema: {error.json_path}: {error.message:.200}") from error
    return Draft202012Validator(cast("dict[str, Any]", schema), registry=Registry())


def object_root(parameters: JsonObject) -> JsonObject:
    """Return parameters whose root is a plain object: alternatives at the root become one object that allows them all.

    What only one alternative allows is checked when the tool is called.
    """
    validator(parameters)
    _check_references(parameters, parameters)
    root = target(parameters, parameters)
    parts = [target(item, parameters) for item in [*branches(root), *objects(root.get("allOf"))]]
    if not parts:
        return _checked({"type": "object", "properties": {}, **root, **_definitions(parameters)})
    plain = {key: value for key, value in root.items() if key not in {"anyOf", "oneOf", "allOf"}}
    merged = [_checked({"type": "object", **item}) for item in [plain, *parts]]
    together = "allOf" in root
    needed = [set(strings(item.get("required"))) for item in (merged if together else merged[1:])]
    always = set.union(*needed) if together else set.intersection(*needed) | set(strings(plain.get("required")))
    properties: JsonObject = {}
    for item in merged:
        properties |= {key: value for key, value in mapping(item.get("properties")).items() if key not in properties}
    required = list[Json]([name for name in properties if name in always])
    return {**plain, "type": "object", "properties": properties, "required": required, **_definitions(parameters)}


def _check_references(schema: Json, root: JsonObject) -> None:
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        target(schema, root)
    for item in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _check_references(item, root)


def _definitions(parameters: JsonObject) -> JsonObject:
    return {"$defs": parameters["$defs"]} if parameters.get("$defs") else {}


def _checked(root: JsonObject) -> JsonObject:
    if root.get("type") != "object":
        raise Unrepresentable(f"its parameters are of type {root.get('type')!r}; arguments have names: an object")
    return root
