"""Turns a Python value into plain JSON values, or says which part of it is not one."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

MAX_DEPTH = 60  # the host's VALUE_DEPTH


def to_json(value: Any, depth: int = 0) -> Any:
    """Return the value as JSON: tuples become lists, dataclasses objects; anything else is a TypeError."""
    if value is None or type(value) in (bool, int, str):
        return _scalar(value)
    if isinstance(value, float):
        return _finite(value)
    if depth >= MAX_DEPTH and not isinstance(value, int | str):
        raise ValueError(f"the value is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, list | tuple):
        return [to_json(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_key(key): to_json(item, depth + 1) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name), depth + 1) for field in dataclasses.fields(value)}
    return _scalar_subclass(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, str):
        value.encode("utf-8")
    return value


def _scalar_subclass(value: Any) -> Any:
    if isinstance(value, str):
        return _scalar(str.__str__(value))
    if isinstance(value, int):
        return int.__int__(value)
    raise TypeError(f"a {type(value).__name__} is not a JSON value")


def _finite(value: float) -> float:
    plain = float.__float__(value)
    if not math.isfinite(plain):
        raise ValueError(f"{plain!r} is not a JSON value")
    return plain


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a key of type {type(key).__name__} is not a JSON key; use str")
    return str(_scalar(str.__str__(key)))
