"""Values that a model may write under a schema: the fullest one, the emptiest one, and one for each alternative."""

from __future__ import annotations

from collections.abc import Iterator

from nucleate.exports.schemas.references import target
from nucleate.exports.schemas.schema_values import branches, mapping, strings
from nucleate_sandbox import Json, JsonObject

SCALARS: dict[str, Json] = {"string": "x", "integer": 4, "number": 1.5, "boolean": True, "null": None}


def samples(schema: Json, root: JsonObject, depth: int = 0) -> Iterator[Json]:
    """Yield values that fit a schema in JSON Schema's form."""
    found = target(mapping(schema), root)
    if alternatives := branches(found):
        for item in reversed(alternatives) if depth > 6 else alternatives:
            yield from samples(item, root, depth + 1)
            if depth > 6:
                return
    elif "enum" in found:
        values = found["enum"]
        yield from values if isinstance(values, list) else []
    elif found.get("type") == "object":
        yield from _objects(found, root, depth)
    elif found.get("type") == "array":
        yield from _arrays(found, root, depth)
    else:
        yield SCALARS[str(found.get("type", "string"))]


def _objects(schema: JsonObject, root: JsonObject, depth: int) -> Iterator[Json]:
    fields = {name: list(samples(item, root, depth + 1)) for name, item in mapping(schema.get("properties")).items()}
    required = strings(schema.get("required"))
    for turn in range(max(map(len, fields.values()), default=1)):
        yield {name: values[turn % len(values)] for name, values in fields.items()}
    yield {name: values[-1] for name, values in fields.items() if name in required}


def _arrays(schema: JsonObject, root: JsonObject, depth: int) -> Iterator[Json]:
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list):
        yield [next(samples(item, root, depth + 1)) for item in prefix]
        return
    items = list(samples(schema.get("items", {"type": "string"}), root, depth + 1))
    few = schema.get("minItems", 1)
    yield items[:1] * (few if isinstance(few, int) else 1)
