"""Plain objects with methods of every shape, for the tests of the object adapter."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import typing
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from nucleate.environments import ObjectEnvironment, effect
from nucleate_sandbox import Environment, FunctionError, JsonObject


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5


class Place(typing.TypedDict):
    city: str
    floor: typing.NotRequired[int]


class Label(BaseModel):
    text: str


@dataclasses.dataclass
class Tree:
    name: str
    children: list[Tree]


class Counter:
    """Counts; `bad` and `scatter` cannot be offered."""

    limit = 10

    def __init__(self) -> None:
        self.value = 0
        self.log: list[str] = []

    @effect("read")
    def peek(self) -> int:
        """Return the count."""
        return self.value

    def add(self, amount: int, *, note: str = "") -> int:
        """Add to the count.

        More than most people want to know.

        Args:
            amount: How much to add.
            note: Kept in the log.

        Returns:
            The new count.
        """
        self.value += amount
        self.log.append(note)
        return self.value

    @functools.cache  # noqa: B019 - one short-lived object
    def twice(self, amount: int) -> int:
        """Return the double."""
        return 2 * amount

    @effect("destructive")
    def reset(self) -> None:
        """Start again."""
        self.value = 0

    def fail(self, key: str) -> None:
        raise KeyError(key)

    def silent(self) -> None:
        raise ZeroDivisionError

    def opaque(self) -> object:
        return object()

    def not_a_number(self) -> float:
        return float("nan")

    def bad(self, other: Counter) -> None:
        """Take something without a JSON form."""

    def scatter(self, *values: int) -> None:
        """Take values without names."""

    def unknown(self, value: Missing) -> None:  # type: ignore[name-defined]  # noqa: F821 - the case under test
        """Name a type that does not exist."""

    def _hidden(self, amount: int) -> int:
        """Stay inside."""
        return amount

    halved = functools.partialmethod(_hidden, 2)

    @property
    def double(self) -> int:
        raise RuntimeError("reading a property while the functions are listed")

    class Nested:
        """Is no method."""


class Echo:
    """Gives back what it was given."""

    def number(self, value: float) -> float:
        return value

    def whole(self, value: int) -> int:
        return value

    def flag(self, value: bool) -> bool:
        return value

    def maybe(self, value: str | None = None) -> str | None:
        return value

    def either(self, value: int | list[str]) -> int | list[str]:
        return value

    def choice(self, value: Literal["a", "b", 3]) -> str | int:
        return value

    def table(self, value: dict[str, list[int]]) -> dict[str, list[int]]:
        return value

    def colour(self, value: Colour = Colour.RED) -> Colour:
        return value

    def point(self, value: Point) -> Point:
        return value

    def place(self, value: Place) -> list[Place]:
        return [value]

    def label(self, value: Label) -> Label:
        return value

    def tree(self, value: Tree) -> Tree:
        return value

    def anything(self, value: Any) -> Any:
        return value

    def day(self, value: dt.date) -> tuple[dt.date, int]:
        return value, value.year

    def extra(self, first: int, /, second: int = 2, **others: Any) -> dict[str, Any]:
        return {"first": first, "second": second, "others": others}

    def untyped(self, value, other=1):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        return value

    async def later(self, value: int) -> int:
        return value + 1

    @staticmethod
    def free(value: int) -> int:
        return value

    @classmethod
    def of_class(cls, value: int) -> str:
        return f"{cls.__name__} {value}"


def counter() -> ObjectEnvironment:
    return ObjectEnvironment("counting", {"counter": Counter()})


def refusal(environment: Environment, name: str, arguments: JsonObject) -> tuple[str, str]:
    with pytest.raises(FunctionError) as caught:
        environment.call(name, arguments)
    return caught.value.kind, caught.value.message
