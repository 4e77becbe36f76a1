"""OpenAPI's schemas as JSON schemas: references into one place, and what version 3.0 writes in its own way."""

from __future__ import annotations

from typing import cast

from nucleate.environments.type_schemas import inline
from nucleate_sandbox import Json, JsonObject

SCHEMAS = "#/components/schemas/"
MAX_STEPS = 32  # a reference to a reference to …
BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
NOT_JSON_SCHEMA = frozenset({"nullable", "xml", "externalDocs", "discriminator", "example"})
DATA = frozenset({"default", "enum", "const", "examples"})


class Components:
    """What the document's references lead to."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        components = document.get("components")
        schemas = components.get("schemas") if isinstance(components, dict) else None
        named = schemas if isinstance(schemas, dict) else {}
        self._named: JsonObject = dict(named)
        self._definitions: JsonObject = {}

    def resolved(self, value: Json) -> JsonObject:
        """Follow references until something else stands there; {} for what is no object."""
        for _ in range(MAX_STEPS):
            if not isinstance(value, dict):
                return {}
            reference = value.get("$ref")
            if not isinstance(reference, str):
                return value
            value = self._at(reference)
        raise ValueError("a reference leads to itself; write out what it means")

    def schema(self, value: Json) -> JsonObject:
        """Return one schema with its references as `#/$defs/NAME`."""
        return cast("JsonObject", self._plain(value)) if isinstance(value, dict) else {}

    def closed(self, schema: JsonObject) -> JsonObject:
        """Return a schema that needs nothing outside it: references are written out, recursive ones keep `$defs`."""
        needed = self._needed(schema)
        return inline({**schema, "$defs": needed}) if needed else schema

    def _plain(self, node: Json) -> Json:
        if isinstance(node, list):
            return [self._plain(item) for item in node]
        if not isinstance(node, dict):
            return node
        own: JsonObject = {key: self._part(key, item) for key, item in node.items() if key not in NOT_JSON_SCHEMA}
        return _modern(self._local(own), nullable=node.get("nullable") is True)

    def _part(self, key: str, item: Json) -> Json:
        if key == "properties" and isinstance(item, dict):  # here the keys are the author's names
            return {name: self._plain(schema) for name, schema in item.items()}
        return item if key in DATA else self._plain(item)

    def _local(self, own: JsonObject) -> JsonObject:
        reference = own.get("$ref")
        if not isinstance(reference, str):
            return own
        if not reference.startswith(SCHEMAS):
            return self.schema(self.resolved(own))
        self._at(reference)
        return {**own, "$ref": f"#/$defs/{reference.removeprefix(SCHEMAS)}"}

    def _needed(self, schema: JsonObject) -> JsonObject:
        found: JsonObject = {}
        waiting = _references(schema)
        while waiting:
            name = waiting.pop()
            if name not in found and name in self._named:
                found[name] = self._definition(name)
                waiting += _references(found[name])
        return dict(sorted(found.items()))

    def _definition(self, name: str) -> Json:
        """Return a named schema, read at its first use: one that cannot be read costs only those who need it."""
        if name not in self._definitions:
            self._definitions[name] = self.schema(self._named[name])
        return self._definitions[name]

    def _at(self, reference: str) -> Json:
        value: Json = self._document
        for step in reference.removeprefix("#/").split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            value = value.get(key) if isinstance(value, dict) else None
        if value is None or not reference.startswith("#/"):
            raise ValueError(f"the reference {reference[:120]!r} leads nowhere in this document; bundle it into one")
        return value


def _modern(schema: JsonObject, *, nullable: bool) -> JsonObject:
    """Write what OpenAPI 3.0 has of its own as JSON Schema does: exclusive bounds are numbers, null is a type."""
    for exclusive, bound in BOUNDS.items():
        if isinstance(schema.get(exclusive), bool) and schema.pop(exclusive) is True and bound in schema:
            schema[exclusive] = schema.pop(bound)
    if not nullable:
        return schema
    kind = schema.get("type")
    if isinstance(kind, str) and "enum" not in schema:
        return {**schema, "type": [kind, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _references(node: Json) -> list[str]:
    if isinstance(node, list):
        return [name for item in node for name in _references(item)]
    if not isinstance(node, dict):
        return []
    own = node.get("$ref")
    names = [own.removeprefix("#/$defs/")] if isinstance(own, str) else []
    return names + [name for item in node.values() for name in _references(item)]
