"""Marks stand in stored values for what has no JSON form: `$value` names the type, beside its size and digest."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory.storable_text import storable_text

MARK: Final = "$value"
DIGESTED = 1 << 20  # bytes of either end that go into a digest
SHOWN = 200
LONGEST_ERROR = 16_000


def mark(value: object, **known: Json) -> JsonObject:
    """Return the mark of a value, with what is known of it."""
    return {MARK: _name(type(value)), **{name: item for name, item in known.items() if item not in (None, False)}}


def _name(kind: type) -> str:
    """Return a type's name as Python itself keeps it."""
    name = storable_text(type.__dict__["__qualname__"].__get__(kind))[:SHOWN]
    module = type.__dict__["__module__"].__get__(kind)
    return name if module == "builtins" or not isinstance(module, str) else f"{storable_text(module)[:SHOWN]}.{name}"


def mark_of_bytes(value: Any) -> JsonObject:
    """Return the mark of what lies in memory as bytes; TypeError, ValueError or BufferError where it does not."""
    with memoryview(value) as view:
        data = view.cast("B") if view.c_contiguous and view.nbytes else memoryview(view.tobytes())
        digest = hashlib.sha256(data[:DIGESTED])
        digest.update(data[max(DIGESTED, len(data) - DIGESTED) :])
        return mark(value, bytes=view.nbytes or None, sha256=digest.hexdigest())


def is_mark(value: Json) -> bool:
    """Return whether a stored value stands for one that has no JSON form."""
    return isinstance(value, dict) and MARK in value


def holds_mark(value: Json) -> bool:
    """Return whether a mark stands anywhere in a stored value."""
    level: list[Json] = [value]
    while level:
        item = level.pop()
        if is_mark(item):
            return True
        level += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return False


def message_of(error: BaseException) -> str:
    """Return what an exception says, within bounds; its class where it says nothing, or cannot."""
    try:
        said = storable_text(str(error))
    except Exception:  # noqa: BLE001 - the exception is the host's, and so is what its text does
        said = ""
    return said[:LONGEST_ERROR] or type(error).__name__
