"""JSON values, canonical text for them, and a strict parser with limits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import NoReturn, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]

MAX_BYTES = 8 * 1024 * 1024
VALUE_DEPTH = 60  # lists and objects within each other, in any value that is handed in, given back or kept
ARGUMENTS_DEPTH = VALUE_DEPTH + 1  # the object that holds the arguments of a call
MAX_DEPTH = 64  # of a message that holds a value
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


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
    try:
        data = text.encode() if isinstance(text, str) else text
        if len(data) > max_bytes:
            raise JsonError(f"{len(data)} bytes of JSON; the limit is {max_bytes}")
        # Decoded here: json.loads would guess UTF-16 from bytes, and let surrogates pass.
        value: Json = json.loads(
            data.decode(), parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_unique
        )
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error) or type(error).__name__) from error
    if deeper_than(value, max_depth):
        raise JsonError(f"JSON is nested deeper than {max_depth} levels")
    if SURROGATE.search(data):
        _refuse_lone_surrogates(value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise JsonError(f"{text[:40]} is too large for a number")
    return value


def _refuse_lone_surrogates(value: Json) -> None:
    try:
        canonical(value).encode()
    except UnicodeEncodeError as error:
        raise JsonError("a string holds half of a surrogate pair") from error


def _unique(pairs: list[tuple[str, Json]]) -> JsonObject:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise JsonError("an object has a key twice")
    return value


def deeper_than(value: Json, depth: int) -> bool:
    """Tell whether lists and objects stand within each other on more levels than that."""
    level = _nested([value])
    for _ in range(depth):
        level = [child for item in level for child in _nested(item.values() if isinstance(item, dict) else item)]
    return bool(level)


def _nested(values: Iterable[Json]) -> list[list[Json] | JsonObject]:
    return [value for value in values if isinstance(value, list | dict)]
