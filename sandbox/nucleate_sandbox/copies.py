"""Copies of the values that go over the bridge: strict JSON, their keys in the order they came in, bounded in parts.

A list or an object takes ten times the memory of its text and more. So the parts of a value are counted in its text,
before they are made; and those of all values that bridges hold now are bounded together.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass

from nucleate_sandbox.json_values import VALUE_DEPTH, Json, JsonError, parse

MAX_PARTS = 1_000_000  # of one value; a list or an object counts as PARTS_OF_ONE
MAX_HELD = 6_000_000  # of all values in the calls that now run
PARTS_OF_ONE = 4
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"')


@dataclass(frozen=True, kw_only=True)
class Copy:
    """An equal value that shares nothing with the first one, the bytes of its text, and its parts."""

    value: Json
    bytes: int
    parts: int


def copied(value: object, max_bytes: int, *, max_depth: int = VALUE_DEPTH) -> Copy:
    """Return a copy of a value, whatever it is; raise JsonError where JSON cannot say it exactly, or bounds are."""
    try:
        # Not sorted: the order of keys is the environment's, and a choice by position must see what an agent sees.
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
        parts = parts_of(text)
        copy = parse(text, max_bytes=max_bytes, max_depth=max_depth)
        same = bool(copy == value)
    except JsonError:
        raise
    except UnicodeEncodeError as error:
        raise JsonError("a string holds a lone surrogate") from error
    except Exception as error:  # a value of a stranger's class does what it likes when it is read
        raise JsonError(f"not a JSON value: {_said(error)}") from error
    if not same:
        # json.dumps writes tuples as arrays and number keys as strings: a value that JSON cannot say exactly.
        raise JsonError("it holds tuples, keys that are no strings, or other types that JSON lacks")
    return Copy(value=copy, bytes=len(text), parts=parts)


def parts_of(text: bytes) -> int:
    """Return the number of parts that a JSON text has; raise JsonError for too many."""
    if (parts := _counted(text)) > MAX_PARTS and (parts := _counted(_TEXT.sub(b"0", text))) > MAX_PARTS:
        raise JsonError(f"{parts} parts (each list and object counts as {PARTS_OF_ONE}); the limit is {MAX_PARTS}")
    return parts


def _counted(text: bytes) -> int:
    return 1 + text.count(b",") + PARTS_OF_ONE * (text.count(b"[") + text.count(b"{"))


def _said(error: Exception) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - nor can its errors be trusted
        return type(error).__name__


class Held:
    """The parts of all values that the calls which run now hold in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.parts = 0

    def take(self, parts: int) -> None:
        """Count parts in; raise JsonError where there is no room for them."""
        with self._lock:
            if self.parts + parts > MAX_HELD:
                raise JsonError(f"the calls that run now hold {self.parts} parts already; the limit is {MAX_HELD}")
            self.parts += parts

    def give(self, parts: list[int]) -> None:
        """Count out what was taken."""
        with self._lock:
            self.parts -= sum(parts)


HELD = Held()
