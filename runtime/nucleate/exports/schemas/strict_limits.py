"""How large a strict schema may be, and which unions the service can tell apart."""

from __future__ import annotations

from collections.abc import Iterator

from nucleate.exports.schemas.references import target
from nucleate.exports.schemas.schema_values import LooseSchema, mapping
from nucleate_sandbox import Json, JsonObject

MAX_DEPTH = 10
MAX_PROPERTIES = 5000
MAX_VALUES = 1000
MAX_CHARACTERS = 120_000


def check_first_keys(found: list[JsonObject], root: JsonObject, where: str) -> None:
    """The service refuses a union whose objects begin with the same key, since it could not tell them apart."""
    keys = [next(iter(mapping(target(item, root).get("properties"))), None) for item in found]
    names = [key for key in keys if key is not None]
    if len(set(names)) < len(names):
        raise LooseSchema(f"two alternatives of {where} begin with the same key")


def check_size(schema: JsonObject) -> None:
    """Raise Loose for a schema that is larger than strict mode takes."""
    parts = list(_parts(schema, 0))
    names = [name for part, _ in parts for name in mapping(part.get("properties"))]
    values = [value for part, _ in parts for value in _list(part.get("enum"))]
    texts = [*names, *mapping(schema.get("$defs")), *(value for value in values if isinstance(value, str))]
    limits = {
        f"{len(names)} keys": len(names) > MAX_PROPERTIES,
        f"{len(values)} listed values": len(values) > MAX_VALUES,
        f"{sum(map(len, texts))} characters of names and values": sum(map(len, texts)) > MAX_CHARACTERS,
        f"more than {MAX_DEPTH} levels": max((depth for _, depth in parts), default=0) > MAX_DEPTH,
    }
    if found := [words for words, beyond in limits.items() if beyond]:
        raise LooseSchema(f"it has {found[0]}, which is more than strict mode takes")


def _parts(schema: Json, depth: int) -> Iterator[tuple[JsonObject, int]]:
    """Yield every schema in this one with the number of objects and lists around it."""
    if not isinstance(schema, dict):
        return
    yield schema, depth
    inner = depth + (schema.get("type") in {"object", "array"})
    for key in ("properties", "$defs"):
        for item in mapping(schema.get(key)).values():
            yield from _parts(item, inner if key == "properties" else 0)
    for item in (schema.get("items"), *_list(schema.get("anyOf"))):
        yield from _parts(item, inner if item is schema.get("items") else depth)


def _list(value: Json | None) -> list[Json]:
    return value if isinstance(value, list) else []
