"""Arguments for a tool, made from its parameters' JSON schema: recorded values, edges, hints and new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nucleate_sandbox import Json, JsonObject, canonical

Strategy: TypeAlias = st.SearchStrategy[Any]

# Small bounds on purpose: a property is about the tool's logic, not about how far a loop can count.
LARGEST = 1000
MAX_ITEMS = 4
MAX_TEXT = 12
EDGES: tuple[Json, ...] = (0, 1, -1, "", [])
ALPHABET = "abcXYZ 019-_.,@/éß中"


def arguments(parameters: JsonObject, recorded: Sequence[JsonObject], hints: Sequence[Json] = ()) -> Strategy:
    """Return a strategy for whole argument objects; optional parameters are sometimes left out.

    `hints` are values that may matter to the tool, such as the literals that it compares with.
    """
    properties = _object(parameters.get("properties"))
    required = parameters.get("required")
    names = required if isinstance(required, list) else []
    made = {name: _parameter(name, _object(schema), recorded, hints) for name, schema in properties.items()}
    return st.fixed_dictionaries(
        {name: strategy for name, strategy in made.items() if name in names},
        optional={name: strategy for name, strategy in made.items() if name not in names},
    )


def _parameter(name: str, schema: JsonObject, recorded: Sequence[JsonObject], hints: Sequence[Json]) -> Strategy:
    values = {canonical(item[name]): item[name] for item in recorded if name in item}
    fitting = Draft202012Validator(schema)
    known = [hint for hint in (*EDGES, *hints) if fitting.is_valid(hint)]
    pools = [pool for pool in ([*values.values()], known) if pool]
    return st.one_of([*map(st.sampled_from, pools), values_of(schema)])


def values_of(schema: JsonObject) -> Strategy:
    """Return a strategy for the JSON values of a schema; what it does not know is any small JSON value."""
    if "const" in schema:
        return st.just(schema["const"])
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return st.sampled_from(_list(schema["enum"]))
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list) and schema[key]:
            return st.one_of([values_of(_object(item)) for item in _list(schema[key])])
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of([values_of({**schema, "type": item}) for item in kind])
    return _typed(kind, schema)


def _typed(kind: Json, schema: JsonObject) -> Strategy:
    match kind:
        case "string":
            return st.text(ALPHABET, max_size=MAX_TEXT)
        case "integer":
            return st.integers(int(_bound(schema, "minimum", -LARGEST)), int(_bound(schema, "maximum", LARGEST)))
        case "number":
            low, high = _bound(schema, "minimum", -LARGEST), _bound(schema, "maximum", LARGEST)
            return st.floats(low, high, allow_nan=False).map(lambda value: round(value, 2) + 0.0)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            return _array(schema)
        case "object":
            return _mapping(schema)
    return st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(ALPHABET, max_size=MAX_TEXT)


def _array(schema: JsonObject) -> Strategy:
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list):
        return st.tuples(*(values_of(_object(item)) for item in prefix)).map(list)
    unique = canonical if schema.get("uniqueItems") else None
    return st.lists(values_of(_object(schema.get("items"))), max_size=MAX_ITEMS, unique_by=unique)


def _mapping(schema: JsonObject) -> Strategy:
    if "properties" in schema:
        return arguments(schema, ())
    inner = values_of(_object(schema.get("additionalProperties")))
    return st.dictionaries(st.text(ALPHABET, max_size=MAX_TEXT), inner, max_size=MAX_ITEMS)


def _bound(schema: JsonObject, key: str, default: float) -> float:
    value = schema.get(key)
    return value if isinstance(value, int | float) else default


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
