"""The shape of a function's results: keys and types as they were met, widened by every further result."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Any, TypeAlias

from nucleate_text_memory.values import Json

Path: TypeAlias = tuple[str, ...]
ITEM, ANY_KEY = "[]", "*"
"""Steps of a path: into any element of a list, and below any key of a table."""

_DEEPEST = 6
_PLAIN = re.compile(r"[\w .()#%$-]{1,40}")
_KEYS = 40  # an object that was met with more keys is a table, whose keys are data
_VALUES = 8  # texts of a field that are kept while they are as few
_LONGEST_VALUE = 32
_ELEMENTS = 30  # of a list that are looked at
_MET, _FEW = 3, 3  # objects after which keys that vary are data, where there are more keys than so many


class MetShape:
    """What was met at one place of the results.

    `met` counts values, `kinds` their types; `fields` and `items` lead further in. `values` counts short texts while
    they are few, and is None after that. `used` counts the later arguments that had their value from here.
    """

    def __init__(self, state: dict[str, Any] | None = None) -> None:
        state = state or {}
        self.met: int = state.get("met", 0)
        self.used: int = state.get("used", 0)
        self.kinds: dict[str, int] = dict(state.get("kinds", {}))
        self.values: dict[str, int] | None = state.get("values", {})
        self.fields = {key: MetShape(inner) for key, inner in state.get("fields", {}).items()}
        self.items = MetShape(state["items"]) if "items" in state else None

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        state: dict[str, Any] = {"met": self.met, "kinds": self.kinds, "values": self.values}
        if self.used:
            state["used"] = self.used
        if self.fields:
            state["fields"] = {key: inner.to_json() for key, inner in self.fields.items()}
        if self.items is not None:
            state["items"] = self.items.to_json()
        return state

    def see(self, value: Json, deep: int = _DEEPEST, given: Container[str] = ()) -> None:
        """Widen the shape by a value; keys that are `given` with a call are data."""
        self.met += 1
        kind = type(value).__name__
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if isinstance(value, str):
            self._see_text(value)
        elif isinstance(value, dict) and deep:
            self._see_fields(value, deep, given)
        elif isinstance(value, list) and deep and value:
            self.items = self.items or MetShape()
            for item in value[:_ELEMENTS]:
                self.items.see(item, deep - 1, given)

    def _see_text(self, value: str) -> None:
        if self.values is not None:
            self.values[value] = self.values.get(value, 0) + 1
            if len(self.values) > _VALUES or len(value) > _LONGEST_VALUE:
                self.values = None

    def _see_fields(self, value: dict[str, Json], deep: int, given: Container[str]) -> None:
        named = any(key in given for key in value)
        if ANY_KEY in self.fields or named or is_table(value) or len(self.fields.keys() | value.keys()) > _KEYS:
            self._become_table()
            for item in list(value.values())[:_ELEMENTS]:
                self.fields[ANY_KEY].see(item, deep - 1, given)
            return
        for key, item in value.items():
            self.fields.setdefault(key, MetShape()).see(item, deep - 1, given)
        if self._keys_vary():
            self._become_table()

    def _keys_vary(self) -> bool:
        """Return whether keys come and go, one kind of value below all: then they name things, as ids do."""
        met, kinds = self.kinds.get("dict", 0), {kind for inner in self.fields.values() for kind in inner.kinds}
        rare = sum(inner.met <= met / 2 for inner in self.fields.values())
        return met >= _MET and len(self.fields) > _FEW and len(kinds) == 1 and rare > len(self.fields) / 2

    def _become_table(self) -> None:
        if ANY_KEY not in self.fields:
            rows = list(self.fields.values())
            self.fields = {ANY_KEY: MetShape()}
            for row in rows:
                self.fields[ANY_KEY].join(row)

    def join(self, other: MetShape) -> None:
        """Widen the shape by another."""
        self.met, self.used = self.met + other.met, self.used + other.used
        for kind, count in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
        both = None if self.values is None or other.values is None else {**self.values, **other.values}
        self.values = both if both is not None and len(both) <= _VALUES else None
        for key, inner in other.fields.items():
            self.fields.setdefault(key, MetShape()).join(inner)
        if other.items is not None:
            self.items = self.items or MetShape()
            self.items.join(other.items)

    def at(self, path: Path) -> MetShape | None:
        """Return the shape at a place; the key of a table leads to any of its rows."""
        here: MetShape | None = self
        for step in path:
            if here is None:
                return None
            here = here.items if step == ITEM else here.fields.get(step) or here.fields.get(ANY_KEY)
        return here

    def places(self, path: Path = ()) -> Iterator[tuple[Path, MetShape]]:
        """Yield every place below this one, outer ones first."""
        for key, inner in self.fields.items():
            yield (*path, key), inner
            yield from inner.places((*path, key))
        if self.items is not None:
            yield (*path, ITEM), self.items
            yield from self.items.places((*path, ITEM))


def is_table(value: dict[str, Json]) -> bool:
    """Return whether the keys of an object are data: there are many, or most hold digits or signs as ids do."""
    return len(value) > _KEYS or (bool(value) and sum(map(_is_data, value)) > len(value) / 2)


def _is_data(key: str) -> bool:
    return (len(key) > 3 and any(char.isdigit() for char in key)) or _PLAIN.fullmatch(key) is None


def leaves(value: Json, path: Path = (), deep: int = _DEEPEST) -> Iterator[tuple[Path, Json]]:
    """Yield every text and number of a value, and every key of a table, with its place."""
    if isinstance(value, dict) and deep:
        table = is_table(value)
        for key, item in list(value.items())[: _KEYS * 5]:
            if table:
                yield (*path, ANY_KEY), key
            yield from leaves(item, (*path, ANY_KEY if table else key), deep - 1)
    elif isinstance(value, list) and deep:
        for item in value[: _KEYS * 5]:
            yield from leaves(item, (*path, ITEM), deep - 1)
    elif isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield path, value
