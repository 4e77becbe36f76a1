"""Python annotations and descriptions of values, from JSON schemas, else from the values themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from nucleate_sandbox import Json

Schema: TypeAlias = dict[str, Any]

SIMPLE = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "float": "float",
    "boolean": "bool",
    "null": "None",
}
MAX_STEPS = 32
ORDER = ["bool", "int", "float", "str"]


def annotation(schema: Schema | bool) -> str:
    """Return the annotation that says what the schema says; `Any` where it says nothing."""
    if isinstance(schema, bool):  # `true` is a schema, too
        return "Any"
    if "enum" in schema and all(isinstance(value, str) for value in schema["enum"]) and schema["enum"]:
        return f"Literal[{', '.join(quoted(value) for value in schema['enum'])}]"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return union([annotation(option) for option in schema[key]])
    kind = schema.get("type")
    if isinstance(kind, list):
        return union([annotation({**schema, "type": option}) for option in kind])
    if kind == "array":
        return f"list[{annotation(schema.get('items') or {})}]"
    if kind in {"object", "dict"}:
        return _mapping(schema)
    return SIMPLE.get(str(kind), "Any")


def annotation_of(values: Sequence[Json]) -> str:
    """Return the narrowest annotation that all the values fit; int and float unify to float."""
    return union([_annotation_of(value) for value in values])


def union(options: Sequence[str]) -> str:
    """Return the union without repetition, None last; `Any` swallows everything."""
    different = list(dict.fromkeys(options))
    if "Any" in different or not different:
        return "Any"
    if {"int", "float"} <= set(different):
        different.remove("int")
    return " | ".join(sorted(different, key=lambda option: option == "None"))


def optional(text: str) -> str:
    """Return the annotation with None allowed."""
    return text if text == "Any" or text.endswith("None") else f"{text} | None"


def element(text: str) -> str:
    """Return the annotation of a list's elements: `list[str]` → `str`."""
    return text[5:-1] if text.startswith("list[") and text.endswith("]") else "Any"


def property_schema(parameters: Schema, name: str) -> Schema:
    """Return the schema of one argument of a function, references resolved; {} where there is none."""
    found = parameters.get("properties", {}).get(name, {})
    for _ in range(MAX_STEPS):  # a reference may lead back to itself
        if not isinstance(found, dict) or "$ref" not in found:
            break
        found = parameters.get("$defs", {}).get(found["$ref"].rpartition("/")[2], {})
    return found if isinstance(found, dict) else {}


def description(schema: Schema) -> str:
    """Return the first sentence of the description, without its period and without examples."""
    text = " ".join(str(schema.get("description", "")).split())
    text = re.split(r"(?<=[a-z0-9)'])\.(?:\s|$)", text)[0]
    text = re.split(r",? (?:each )?such as |,? \(?e\.g\.", text)[0]
    return text.rstrip(" .,")


def quoted(text: str) -> str:
    """Return a string literal in double quotes."""
    body = repr(f"'{text}")[2:-1] if '"' not in text else repr(text)[1:-1].replace('"', '\\"').replace("\\'", "'")
    return f'"{body}"'


def _mapping(schema: Schema) -> str:
    more = schema.get("additionalProperties")
    return f"dict[str, {annotation(more)}]" if isinstance(more, dict) and more else "dict[str, Any]"


def _annotation_of(value: Json) -> str:
    if value is None:
        return "None"
    if isinstance(value, list):
        return f"list[{annotation_of(value)}]"
    if isinstance(value, dict):
        return f"dict[str, {annotation_of(list(value.values()))}]"
    return type(value).__name__
