"""JSON values, canonical text for them, and a strict parser with limits."""

from __future__ import annotations

import json
from typing import NoReturn, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 64


class JsonError(ValueError):
    """A value or text is not strict JSON within the limits."""


def canonical(value: Json) -> str:
    """Return the one text that equal JSON values share: sorted keys, no spaces, no NaN."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise JsonError(f"not a JSON value: {error}") from error


def parse(text: str | bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> Json:
    """Parse strict JSON: no NaN or Infinity, no duplicate keys, valid UTF-8, bounded size and depth."""
    if len(text) > max_bytes:
        raise JsonError(f"{len(text)} bytes of JSON; the limit is {max_bytes}")
    try:
        value: Json = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error) or type(error).__name__) from error
    if _deeper_than(value, max_depth):
        raise JsonError(f"JSON is nested deeper than {max_depth} levels")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Json]]) -> JsonObject:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise JsonError("an object has a key twice")
    return value


def _deeper_than(value: Json, depth: int) -> bool:
    level: list[Json] = [value]
    for _ in range(depth):
        level = [child for item in level if isinstance(item, list | dict) for child in _children(item)]
        if not level:
            return False
    return True


def _children(item: list[Json] | JsonObject) -> list[Json]:
    return list(item.values()) if isinstance(item, dict) else item
