"""OpenAPI's schemas as JSON schemas: references into one place, and what version 3.0 writes in its own way.

A definition is read once, and written out once, however many operations need it. A reference that leads nowhere costs
itself: what it stands for may then be anything.
"""

from __future__ import annotations

import math
from typing import cast
from urllib.parse import unquote

from nucleate_sandbox import Json, JsonObject
from nucleate_sandbox.schemas import modern

PLACE = ["components", "schemas"]
MAX_STEPS = 32  # a reference to a reference to …
MAX_WRITTEN = 400  # parts of a schema without `$defs`
NOT_JSON_SCHEMA = frozenset({"nullable", "xml", "externalDocs", "discriminator", "example"})
DATA = frozenset({"default", "enum", "const", "examples"})
_IN_NAMES = str.maketrans("/~%#", "____")
_PREFIX = "#/$defs/"


class Components:
    """What the document's references lead to."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        components = document.get("components")
        schemas = components.get("schemas") if isinstance(components, dict) else None
        named = schemas if isinstance(schemas, dict) else {}
        self._named: JsonObject = {name.translate(_IN_NAMES): schema for name, schema in named.items()}
        self._definitions: dict[str, JsonObject] = {}
        self._needs: dict[str, set[str]] = {}
        self._sizes: dict[str, float] = {}
        self._written: dict[str, JsonObject] = {}
        self._inside: list[str] = []

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
        """Return one schema in the newest draft, with its references as `#/$defs/NAME`."""
        return modern(self._plain(value)) if isinstance(value, dict) else {}

    def whole(self, value: JsonObject) -> JsonObject:
        """Return a schema with the keywords of what it refers to; {} where that leads nowhere."""
        try:
            return self.schema(self.resolved(value))
        except ValueError:
            return {}

    def closed(self, schema: JsonObject) -> JsonObject:
        """Return a schema that needs nothing outside it: written out, or with `$defs` where that is endless or long."""
        if not (names := _references(schema)):
            return schema
        if self._size(schema) <= MAX_WRITTEN:
            return cast("JsonObject", self._expanded(schema))
        return {**schema, "$defs": {name: self._definition(name) for name in sorted(self._reached(names))}}

    def _plain(self, node: Json) -> Json:
        if isinstance(node, list):
            return [self._plain(item) for item in node]
        if not isinstance(node, dict):
            return node
        own: JsonObject = {key: self._part(key, item) for key, item in node.items() if key not in NOT_JSON_SCHEMA}
        return _nullable(self._local(own)) if node.get("nullable") is True else self._local(own)

    def _part(self, key: str, item: Json) -> Json:
        if key == "properties" and isinstance(item, dict):  # here the keys are the author's names
            return {name: self._plain(schema) for name, schema in item.items()}
        return item if key in DATA else self._plain(item)

    def _local(self, own: JsonObject) -> JsonObject:
        """Point a reference into `$defs`; write out one that leads anywhere else."""
        if "$recursiveRef" in own:
            own.pop("$recursiveRef")
            return {**own, "$ref": f"{_PREFIX}{self._inside[-1]}"} if self._inside else own
        reference = own.pop("$ref", None)
        if not isinstance(reference, str):
            return own
        steps = _steps(reference)
        if (
            len(steps) == len(PLACE) + 1
            and steps[:2] == PLACE
            and (name := steps[2].translate(_IN_NAMES)) in self._named
        ):
            return {**own, "$ref": f"{_PREFIX}{name}"}
        return {**self._elsewhere(reference), **own}

    def _elsewhere(self, reference: str) -> JsonObject:
        if reference in self._inside:
            return {}
        self._inside.append(reference)
        try:
            found = self._plain(self.resolved({"$ref": reference}))
        except ValueError:
            return {}
        finally:
            self._inside.pop()
        return found if isinstance(found, dict) else {}

    def _definition(self, name: str) -> JsonObject:
        """Return a named schema, read at its first use."""
        if name not in self._definitions:
            self._inside.append(name)
            self._definitions[name] = self.schema(self._named[name])
            self._inside.pop()
            self._needs[name] = _references(self._definitions[name])
        return self._definitions[name]

    def _reached(self, names: set[str]) -> set[str]:
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                self._definition(name)
                waiting += self._needs[name]
        return found

    def _size(self, node: Json) -> float:
        """Return how many parts a schema has when it is written out; infinite for one that holds itself."""
        if isinstance(node, list):
            return 1 + sum(map(self._size, node))
        if not isinstance(node, dict):
            return 1
        name = _name(node)
        return 1 + sum(map(self._size, node.values())) + (self._size_of(name) if name else 0)

    def _size_of(self, name: str) -> float:
        if name not in self._sizes:
            self._sizes[name] = math.inf  # while it is counted: what holds itself has no end
            self._sizes[name] = self._size(self._definition(name))
        return self._sizes[name]

    def _expanded(self, node: Json) -> Json:
        if isinstance(node, list):
            return [self._expanded(item) for item in node]
        if not isinstance(node, dict):
            return node
        own: JsonObject = {key: item if key in DATA else self._expanded(item) for key, item in node.items()}
        name = _name(node)
        if name is None:
            return own
        own.pop("$ref")
        if name not in self._written:
            self._written[name] = cast("JsonObject", self._expanded(self._definition(name)))
        return {**self._written[name], **own}

    def _at(self, reference: str) -> Json:
        value: Json = self._document
        for step in _steps(reference):
            value = _child(value, step)
        if value is None or not reference.startswith("#/"):
            raise ValueError(f"the reference {reference[:120]!r} leads nowhere in this document; bundle it into one")
        return value


def _steps(reference: str) -> list[str]:
    """Return the steps of a pointer in a fragment (RFC 6901, section 6): percent-encoded, `~1` is `/`, `~0` is `~`."""
    pointer = reference.removeprefix("#/")
    return [unquote(step).replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]


def _child(value: Json, step: str) -> Json:
    if isinstance(value, list):
        return value[int(step)] if step.isdecimal() and len(step) < 8 and int(step) < len(value) else None
    return value.get(step) if isinstance(value, dict) else None


def _nullable(schema: JsonObject) -> JsonObject:
    """Write what OpenAPI 3.0 has of its own as JSON Schema does: null is a type."""
    kind = schema.get("type")
    if isinstance(kind, str) and "enum" not in schema:
        return {**schema, "type": [kind, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _name(node: JsonObject) -> str | None:
    """Return which definition a schema refers to, if any; a property may have the name `$ref`."""
    reference = node.get("$ref")
    return reference.removeprefix(_PREFIX) if isinstance(reference, str) and reference.startswith(_PREFIX) else None


def _references(node: Json) -> set[str]:
    found: set[str] = set()
    waiting: list[Json] = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            name = _name(item)
            found |= {name} if name else set()
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return found
