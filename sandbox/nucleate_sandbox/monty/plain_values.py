"""Turns what Monty hands to the host into plain JSON values, or says what is not one."""

from __future__ import annotations

import math
from typing import Any

from pydantic_monty import MontyClassProxy

from nucleate_sandbox.json_values import VALUE_DEPTH, Json

MAX_INT_BITS = 14_284  # 4300 digits, which is as long as Python lets an integer be in a text


def to_json(value: Any, depth: int = 0) -> Json:
    """Return the value as JSON: tuples become lists, dataclasses objects; anything else is a Type- or ValueError."""
    if isinstance(value, int):
        return _writable(value)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return _finite(value)
    if depth >= VALUE_DEPTH:
        raise ValueError(f"the value is nested deeper than {VALUE_DEPTH} levels")
    if isinstance(value, list | tuple):
        return [to_json(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_key(key): to_json(item, depth + 1) for key, item in value.items()}
    if isinstance(value, MontyClassProxy) and value.is_dataclass:
        return {key: to_json(item, depth + 1) for key, item in value.attributes.items()}
    raise TypeError(f"a {type(value).__name__} is not a JSON value")


def _writable(value: int) -> int:
    if value.bit_length() > MAX_INT_BITS:
        raise ValueError(f"an integer of {value.bit_length()} bits is longer than the 4300 digits that JSON may have")
    return value


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is not a JSON value")
    return value


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a key of type {type(key).__name__} is not a JSON key; use str")
    return key
