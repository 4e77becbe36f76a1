"""Gemini's function declarations: its OpenAPI subset where that says everything, else the JSON schema itself."""

from __future__ import annotations

from nucleate.exports.schemas.references import inlined
from nucleate.exports.schemas.schema_values import LooseSchema, branches, mapping, strings
from nucleate.exports.schemas.short_descriptions import noted, shown
from nucleate_sandbox import Json, JsonObject

KINDS = {"string": "STRING", "integer": "INTEGER", "number": "NUMBER", "boolean": "BOOLEAN"}
KEPT = ("minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum", "pattern")
SAID = {"uniqueItems": "no item twice", "exclusiveMinimum": "more than {}", "exclusiveMaximum": "less than {}"}
SAYABLE = frozenset(
    {"type", "description", "title", "default", "enum", "const", "format", "anyOf", "oneOf", "items", "properties"}
    | {"required", "additionalProperties", *KEPT, *SAID}
)


def subset(root: JsonObject) -> JsonObject:
    """Return an object schema in the subset; raise Loose where it cannot say what the schema says."""
    return _of(inlined(root, root), "the tool")


def _of(schema: Json, where: str) -> JsonObject:
    if not isinstance(schema, dict) or not schema:
        raise LooseSchema(f"{where} may be anything")
    if found := sorted(schema.keys() - SAYABLE):
        raise LooseSchema(f"{where} is described by {found[0]!r}")
    if alternatives := _alternatives(schema):
        return _worded(_union(alternatives, where), schema)
    if "enum" in schema or "const" in schema:
        return _worded(_values(schema, where), schema)
    kind = str(schema.get("type"))
    if kind == "object":
        return _worded(_object(schema, where), schema)
    if kind == "array":
        return _worded({"type": "ARRAY", "items": _of(schema.get("items"), f"each item of {where}")}, schema)
    if kind not in KINDS:
        raise LooseSchema(f"{where} is of type {schema.get('type')!r}")
    return _worded({"type": KINDS[kind]}, schema)


def _alternatives(schema: JsonObject) -> list[JsonObject]:
    kind = schema.get("type")
    if isinstance(kind, list):
        rest = {key: value for key, value in schema.items() if key not in {"type", "description", "default"}}
        return [{**rest, "type": item} for item in kind]
    if "enum" in schema and isinstance(schema["enum"], list) and None in schema["enum"]:
        return [{**schema, "enum": [item for item in schema["enum"] if item is not None]}, {"type": "null"}]
    return branches(schema)


def _union(alternatives: list[JsonObject], where: str) -> JsonObject:
    """Null is no type here: what may be null is nullable."""
    others = [item for item in alternatives if item.get("type") != "null"]
    found = [_of(item, where) for item in others]
    nullable: JsonObject = {"nullable": True} if len(others) < len(alternatives) else {}
    if not found:
        raise LooseSchema(f"{where} is always null")
    return {**found[0], **nullable} if len(found) == 1 else {"anyOf": [*found], **nullable}


def _values(schema: JsonObject, where: str) -> JsonObject:
    given = schema["enum"] if "enum" in schema else [schema["const"]]
    values = given if isinstance(given, list) else []
    if not values or not all(isinstance(item, str) and item for item in values):
        raise LooseSchema(f"{where} is one of values that are no texts")
    return {"type": "STRING", "format": "enum", "enum": values}


def _object(schema: JsonObject, where: str) -> JsonObject:
    properties = mapping(schema.get("properties"))
    if schema.get("additionalProperties", False) is not False or (not properties and where != "the tool"):
        raise LooseSchema(f"{where} takes keys of any name")
    names = list[Json](properties)
    found: JsonObject = {name: _of(item, name) for name, item in properties.items()}
    required = [name for name in strings(schema.get("required")) if name in properties]
    return {
        "type": "OBJECT",
        "properties": found,
        **({"required": list[Json](required)} if required else {}),
        "propertyOrdering": names,
    }


def _worded(form: JsonObject, schema: JsonObject) -> JsonObject:
    limits = {key: schema[key] for key in KEPT if key in schema}
    notes = [text.format(schema[key]) for key, text in SAID.items() if schema.get(key)]
    if "default" in schema and schema["default"] is not None:
        notes.append(f"default {shown(schema['default'])}")
    given = schema.get("description")
    words: JsonObject = {"description": given} if isinstance(given, str) and given else {}
    return noted({**form, **limits, **words}, *notes)
