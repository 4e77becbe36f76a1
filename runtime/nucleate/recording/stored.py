"""The stored form of any value: JSON within bounds, with marks in the place of what has none.

A mark is an object whose `$value` names the type, with its size and a digest where those are known. Nothing of the
host's is consumed, awaited or entered. Of its objects' own code only the serialisers of pydantic models run; methods
that subclasses of Python's types bring with them are passed by.
"""

from __future__ import annotations

import array
import datetime as dt
import decimal
import enum
import fractions
import hashlib
import ipaddress
import math
import pathlib
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

from pydantic import BaseModel
from pydantic_core import Url, to_jsonable_python

from nucleate.recording.marks import DIGESTED, SHOWN, mark, mark_of_bytes
from nucleate_sandbox import Json, JsonObject
from nucleate_sandbox.json_values import VALUE_DEPTH
from nucleate_text_memory.storable_text import storable_text

MOST_ITEMS = 10_000  # of one list or object
MOST_NODES = 20_000  # of one value
MOST_CHARACTERS = 1_000_000  # of all texts of one value together
LONGEST_TEXT = 200_000  # of one text
LONGEST_NUMBER = 4_096  # bits: a reader of JSON refuses integers of very many digits
# What pydantic turns into one text or number, by the type itself: no code of the host's is in it.
_SCALARS: frozenset[type] = frozenset(
    {
        *(dt.datetime, dt.date, dt.time, dt.timedelta, decimal.Decimal, fractions.Fraction, complex, uuid.UUID, Url),
        *(ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network),
    }
)
_SEQUENCES: Mapping[type, Callable[[Any], Iterator[Any]]] = {
    list: list.__iter__,
    tuple: tuple.__iter__,
    deque: deque.__iter__,
    range: range.__iter__,
}
_LENGTHS: Mapping[type, Callable[[Any], int]] = {
    kind: kind.__len__ for kind in (list, tuple, deque, range, dict, set, frozenset)
}
_BUFFERS = (bytes, bytearray, memoryview, array.array)
_SHAPED = frozenset({"numpy", "pandas", "polars", "pyarrow", "torch"})


def stored(value: object) -> Json:
    """Return the stored form of a value. It never raises, and never changes the value."""
    try:
        return _Walk().of(value, 0)
    except Exception:  # noqa: BLE001 - whatever an object does when it is looked at, the host goes on
        return mark(value)


def stored_object(values: Mapping[str, object]) -> JsonObject:
    """Return the stored form of arguments by name."""
    walk = _Walk()
    return {storable_text(name): walk.safely(value, 0) for name, value in values.items()}


@dataclass
class _Walk:
    """One walk through one value, with what is left of its bounds."""

    nodes: int = MOST_NODES
    characters: int = MOST_CHARACTERS
    above: set[int] = field(default_factory=set)

    def safely(self, value: object, depth: int) -> Json:
        try:
            return self.of(value, depth)
        except Exception:  # noqa: BLE001 - one value that cannot be looked at costs itself, not those beside it
            return mark(value)

    def of(self, value: object, depth: int) -> Json:
        kind = type(value)
        self.nodes -= 1
        if value is None or kind is bool:
            return cast("Json", value)
        form = _LEAVES.get(kind) or (None if kind in _LENGTHS else _leaf_of(kind))
        if form is not None:
            return form(self, value)
        if self.nodes < 0 or depth >= VALUE_DEPTH or id(value) in self.above:
            return mark(value, length=_length(value), cycle=id(value) in self.above)
        self.above.add(id(value))
        try:
            return self.container(value, kind, depth)
        finally:
            self.above.discard(id(value))

    def text(self, value: Any) -> Json:
        plain = str.__str__(value)
        if len(plain) <= min(LONGEST_TEXT, self.characters):
            self.characters -= len(plain)
            return storable_text(plain)
        ends = (plain[:DIGESTED] + plain[-DIGESTED:]).encode(errors="replace")
        begins = storable_text(plain[:SHOWN])
        return mark(value, characters=len(plain), sha256=hashlib.sha256(ends).hexdigest(), begins=begins)

    def container(self, value: Any, kind: type, depth: int) -> Json:
        found = kind if kind in _LENGTHS else next((base for base in _LENGTHS if issubclass(kind, base)), None)
        if found is not None:
            length = _LENGTHS[found](value)
            if length > min(MOST_ITEMS, self.nodes):
                return mark(value, length=length)
            if found is dict:
                return self.entries(value, dict.items(value), depth)
            if found in _SEQUENCES:
                return [self.safely(item, depth + 1) for item in islice(_SEQUENCES[found](value), length)]
            return self.unordered(value, found, depth)
        if issubclass(kind, _BUFFERS):
            return mark_of_bytes(value)
        return self.object(value, kind, depth)

    def unordered(self, value: Any, found: type, depth: int) -> Json:
        """Return a set as a list in an order of its own, so that equal sets have one form."""
        members = set.__iter__(value) if found is set else frozenset.__iter__(value)
        return sorted((self.safely(item, depth + 1) for item in members), key=repr)

    def entries(self, value: object, items: Iterable[tuple[object, object]], depth: int) -> Json:
        """Return an object; keys that are no text, or become the same text as others, are kept beside their values."""
        pairs = list(islice(items, MOST_ITEMS))
        keys = [self.key(key) for key, _ in pairs]
        values = [self.safely(item, depth + 1) for _, item in pairs]
        if None in keys or len(set(keys)) < len(keys):
            told = [self.safely(key, depth + 1) for key, _ in pairs]
            return {**mark(value), "items": [[key, item] for key, item in zip(told, values, strict=True)]}
        return {str(key): item for key, item in zip(keys, values, strict=True)}

    def key(self, key: object) -> str | None:
        form = self.safely(key, VALUE_DEPTH)
        if isinstance(form, bool) or form is None:
            return {True: "true", False: "false", None: "null"}[form]
        return str(form) if isinstance(form, str | int | float) else None

    def object(self, value: Any, kind: type, depth: int) -> Json:
        if issubclass(kind, BaseModel):
            return self.of(value.model_dump(by_alias=True, warnings=False), depth)
        fields = type.__dict__["__dict__"].__get__(kind).get("__dataclass_fields__")
        fields = fields or getattr(kind, "__dataclass_fields__", None)
        if isinstance(fields, dict) and not issubclass(kind, type):
            named = [name for name, item in fields.items() if item._field_type.name == "_FIELD"]  # noqa: SLF001
            return self.entries(value, [(name, object.__getattribute__(value, name)) for name in named], depth)
        if kind.__module__.partition(".")[0] in _SHAPED:
            return self.foreign(value, depth)
        return mark(value)

    def foreign(self, value: Any, depth: int) -> Json:
        """Return a number of a package of arrays as a number, and an array or a table by its shape and bytes."""
        if getattr(value, "shape", None) == () and hasattr(value, "item"):
            item = value.item()
            return self.of(item, depth + 1) if type(item) in (bool, int, float, str, complex) else mark(value)
        shape = [int(size) for size in islice(getattr(value, "shape", ()), 8)]
        try:
            return {**mark_of_bytes(value), "shape": list[Json](shape)}
        except (TypeError, ValueError, BufferError):
            return mark(value, shape=list[Json](shape))


def _number(_walk: _Walk, value: Any) -> Json:
    bits = int.bit_length(value)
    return int.__int__(value) if bits <= LONGEST_NUMBER else mark(value, bits=bits)


def _real(_walk: _Walk, value: Any) -> Json:
    plain = float.__float__(value)
    return plain if math.isfinite(plain) else mark(value, text=str(plain))


def _member(walk: _Walk, value: Any) -> Json:
    return walk.safely(object.__getattribute__(value, "_value_"), VALUE_DEPTH)


def _scalar(walk: _Walk, value: Any) -> Json:
    return walk.of(to_jsonable_python(value), 0)


def _leaf_of(kind: type) -> Callable[[_Walk, Any], Json] | None:
    if kind in _SCALARS:
        return _scalar
    if issubclass(kind, pathlib.PurePath):
        return lambda walk, value: walk.text(pathlib.PurePath.__str__(value))
    return next((form for base, form in _LEAVES.items() if issubclass(kind, base)), None)


# An enumeration's member may be a text or a number too: it is its value, whichever way it prints itself.
_LEAVES: Mapping[type, Callable[[_Walk, Any], Json]] = {
    enum.Enum: _member,
    str: _Walk.text,
    int: _number,
    float: _real,
}


def _length(value: object) -> int | None:
    return next((length(value) for kind, length in _LENGTHS.items() if issubclass(type(value), kind)), None)
