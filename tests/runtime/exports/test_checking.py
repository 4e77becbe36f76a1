"""A tool of an exported package is not run with arguments that its hints do not allow."""

from __future__ import annotations

import asyncio
import enum
import inspect
from dataclasses import dataclass
from typing import Any

import pytest

from nucleate.exports.carried._checking import Misfit, checked
from nucleate_tool_library import read_signature

SOURCE = '''
from dataclasses import dataclass
from typing import Literal, TypedDict

@dataclass
class Place:
    street: str
    number: int | None = None

class Line(TypedDict):
    item: str
    count: int

def order(amount: int, to: Place, lines: list[Line], speed: Literal["slow", "fast"] = "slow", tip: float = 0.0,
          notes: dict[str, str] | None = None) -> str:
    """Order."""
    return ""
'''
SCHEMA = read_signature(SOURCE, "order").parameters
GIVEN: dict[str, Any] = {"amount": 1, "to": {"street": "A"}, "lines": [{"item": "nut", "count": 2}]}


@dataclass
class Place:
    """A place as the tool's own module has it."""

    street: str
    number: int | None = None


class Speed(enum.Enum):
    FAST = "fast"


def tool() -> tuple[Any, list[dict[str, Any]]]:
    """Return a checked tool, and the list in which it notes that it ran."""
    ran: list[dict[str, Any]] = []

    def order(amount: Any, to: Any, lines: Any, speed: Any = "slow", tip: Any = 0.0, notes: Any = None) -> str:
        ran.append({"amount": amount})
        return "done"

    return checked(order, SCHEMA), ran


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"amount": 2.0},
        {"to": Place(street="B", number=3), "speed": Speed.FAST},
        {"notes": {"a": "b"}, "tip": 1, "lines": []},
        {"notes": None, "tip": float("inf")},
    ],
    ids=range(5),
)
def test_what_fits_the_hints_runs(more: dict[str, Any]) -> None:
    call, ran = tool()
    assert call(**{**GIVEN, **more}) == "done"
    assert len(ran) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"amount": "ten"}, "order: amount='ten' is not of type integer"),
        ({"amount": True}, "order: amount=True is not of type integer"),
        (
            {"amount": 1.5, "speed": "now"},
            "order: amount=1.5 is not of type integer; speed='now' is none of ['slow', 'fast']",
        ),
        ({"to": {"number": 1}}, "order: to.street is missing"),
        ({"to": {"street": "A", "town": "B"}}, "order: to.town is not a field of it"),
        (
            {"lines": [{"item": "nut", "count": 1}, {"item": 3, "count": 1}]},
            "order: lines[1].item=3 is not of type string",
        ),
        ({"lines": "nut"}, "order: lines='nut' is not of type array"),
        ({"notes": {"a": 1}}, "order: notes={'a': 1} is none of what it may be"),
        ({"tip": None}, "order: tip=None is not of type number"),
    ],
    ids=range(9),
)
def test_what_does_not_fit_is_named_and_nothing_runs(more: dict[str, Any], said: str) -> None:
    call, ran = tool()
    with pytest.raises(Misfit) as caught:
        call(**{**GIVEN, **more})
    assert (str(caught.value), ran) == (said, [])


def test_missing_and_unknown_arguments_are_pythons_own_errors_and_the_signature_stays() -> None:
    call, ran = tool()
    with pytest.raises(TypeError, match="missing a required argument: 'to'"):
        call(1)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'count'"):
        call(**GIVEN, count=1)
    assert list(inspect.signature(call).parameters) == ["amount", "to", "lines", "speed", "tip", "notes"]
    assert ran == []


def test_an_asynchronous_tool_is_checked_when_it_is_awaited() -> None:
    async def twice(amount: int) -> int:
        return 2 * amount

    call = checked(twice, {"properties": {"amount": {"type": "integer"}}})
    assert inspect.iscoroutinefunction(call)
    assert asyncio.run(call(2)) == 4
    with pytest.raises(Misfit, match="amount='2' is not of type integer"):
        asyncio.run(call("2"))
