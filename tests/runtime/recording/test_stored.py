"""Every value has a stored form, within bounds, and none is changed, consumed or asked for more than it gives."""

from __future__ import annotations

import array
import asyncio
import datetime as dt
import enum
import io
import json
import uuid
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any, NoReturn

import numpy as np
import pytest
from pydantic import BaseModel, field_serializer

from nucleate.recording.marks import holds_mark, is_mark, message_of
from nucleate.recording.stored import stored, stored_object

EMPTY_SHA = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def _refuse(*_args: object, **_named: object) -> NoReturn:
    raise RuntimeError("looked at")


class Hostile:
    """An object that answers no question."""

    __getattribute__ = __repr__ = __eq__ = __len__ = __iter__ = __bool__ = _refuse
    __hash__ = _refuse


class Text(str):
    """A text whose own methods fail."""

    __str__ = __len__ = __eq__ = __iter__ = encode = _refuse
    __hash__ = None  # type: ignore[assignment]


class Whole(int):
    """A number whose own methods fail."""

    __int__ = __index__ = __repr__ = bit_length = _refuse


class Table(dict[str, Any]):
    """An object whose own methods fail."""

    items = keys = __iter__ = __len__ = __getitem__ = _refuse


class _Closed(type):
    __getattribute__ = _refuse


class Unasked(metaclass=_Closed):
    """An object whose class answers no question."""


class Colour(enum.Enum):
    RED = "red"
    ODD = object()


class Level(enum.IntEnum):
    HIGH = 3


@dataclass
class Point:
    x: int
    tags: set[str]


class Order(BaseModel):
    on: dt.date
    price: float


class Broken(BaseModel):
    price: float

    @field_serializer("price")
    def told(self, _value: float) -> float:
        raise RuntimeError("no")


PLAIN: list[tuple[object, object]] = [
    (None, None),
    (True, True),
    ({"a": [1, 2.5, "x", None]}, {"a": [1, 2.5, "x", None]}),
    ((1, (2,)), [1, [2]]),
    ({3, "b", "a"}, ["a", "b", 3]),
    (frozenset(), []),
    (deque([1, 2]), [1, 2]),
    (range(3), [0, 1, 2]),
    (dt.datetime(2026, 1, 2, tzinfo=dt.UTC), "2026-01-02T00:00:00Z"),
    (dt.timedelta(seconds=90), "PT1M30S"),
    (Decimal("1.50"), "1.50"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (PurePosixPath("/a/b"), "/a/b"),
    (Colour.RED, "red"),
    (Level.HIGH, 3),
    (Point(x=1, tags={"a"}), {"x": 1, "tags": ["a"]}),
    (Order(on=dt.date(2026, 1, 2), price=1.5), {"on": "2026-01-02", "price": 1.5}),
    (np.float64(1.5), 1.5),
    (np.int64(7), 7),
    (np.bool_(True), True),
    (Text("x"), "x"),
    ([Whole(5)], [5]),
    (Table(a=1), {"a": 1}),
    ({1: "a", None: "b", False: "c"}, {"1": "a", "null": "b", "false": "c"}),
    ("half \ud800 and \0", "half \ufffd and \ufffd"),
]
MARKED: list[tuple[object, object]] = [
    (float("nan"), {"$value": "float", "text": "nan"}),
    (float("-inf"), {"$value": "float", "text": "-inf"}),
    (b"", {"$value": "bytes", "sha256": EMPTY_SHA}),
    (10**5000, {"$value": "int", "bits": 16610}),
    ([0] * 20_000, {"$value": "list", "length": 20_000}),
    ({1: "a", "1": "b"}, {"$value": "dict", "items": [[1, "a"], ["1", "b"]]}),
    ({(1, 2): "a"}, {"$value": "dict", "items": [[[1, 2], "a"]]}),
    (Hostile(), {"$value": f"{__name__}.Hostile"}),
    (Unasked(), {"$value": f"{__name__}.Unasked"}),
    (Colour.ODD, {"$value": "object"}),
    (Broken(price=1.0), {"$value": f"{__name__}.Broken"}),
    (io.StringIO("x"), {"$value": "_io.StringIO"}),
    (len, {"$value": "builtin_function_or_method"}),
    (ValueError("x"), {"$value": "ValueError"}),
]


@pytest.mark.parametrize(("value", "form"), PLAIN, ids=range(len(PLAIN)))
def test_what_has_a_json_form_is_stored_in_it(value: object, form: object) -> None:
    assert stored(value) == form
    assert not holds_mark(stored(value))


@pytest.mark.parametrize(("value", "form"), MARKED, ids=range(len(MARKED)))
def test_what_has_none_is_marked_with_its_type_and_what_is_known_of_it(value: object, form: object) -> None:
    assert stored(value) == form
    assert is_mark(stored(value))
    assert stored([value, 1]) == [form, 1]


def test_bytes_and_arrays_are_marked_with_their_size_and_digest() -> None:
    mark = {"$value": "bytes", "bytes": 1, "sha256": "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"}
    assert stored(b"\xff") == mark
    assert stored(bytearray(b"\xff")) == {**mark, "$value": "bytearray"}
    numbers: Any = stored(np.array([[1, 2], [3, 4]], dtype=np.int8))
    assert (numbers["$value"], numbers["bytes"], numbers["shape"]) == ("numpy.ndarray", 4, [2, 2])
    assert numbers["sha256"] == stored_object({"a": array.array("b", [1, 2, 3, 4])})["a"]["sha256"]  # type: ignore[index,call-overload]


def test_large_texts_are_marked_with_their_beginning_and_differ_where_their_ends_do() -> None:
    first, second = stored("a" * 50_000_000), stored("a" * 49_999_999 + "b")
    assert isinstance(first, dict)
    assert (first["characters"], first["begins"]) == (50_000_000, "a" * 200)
    assert first != second


def test_cycles_and_depths_end_and_what_is_shared_is_told_wherever_it_stands() -> None:
    cycle: list[Any] = [1]
    cycle.append(cycle)
    assert stored(cycle) == [1, {"$value": "list", "length": 2, "cycle": True}]
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert json.dumps(stored(deep)).count("[") == 60
    shared = [1]
    assert stored([shared, shared]) == [[1], [1]]
    wide: Any = ["x"] * 100
    for _ in range(30):
        wide = [wide, wide]
    assert len(json.dumps(stored(wide))) < 1_000_000


def test_nothing_is_consumed_awaited_entered_or_closed() -> None:
    async def later() -> int:
        return 7

    numbers, coroutine, stream = (number for number in range(3)), later(), io.BytesIO(b"abc")
    given = stored_object({"a": numbers, "b": coroutine, "c": stream, "d": iter([1])})
    assert [item["$value"] for item in given.values() if isinstance(item, dict)] == [
        "generator",
        "coroutine",
        "_io.BytesIO",
        "list_iterator",
    ]
    assert ([*numbers], asyncio.run(coroutine), stream.read()) == ([0, 1, 2], 7, b"abc")


def test_an_exception_whose_text_raises_has_its_class() -> None:
    class Silent(Exception):
        __str__ = _refuse

    assert message_of(Silent()) == "Silent"
    assert len(message_of(ValueError("x" * 1_000_000))) == 16_000
