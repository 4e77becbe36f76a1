"""The names of tools: what a reader of the listing can tell them by."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.expressions import Param
from nucleate_codifier.trace.render.naming import tool_name
from nucleate_sandbox import Effect, FunctionSpec

READS = ("find_car_by_plate", "get_stock", "get_order", "estimate_range", "check_tire_pressure")
WRITES = ("fill_fuel_tank", "lock_doors", "press_brake_pedal", "start_engine", "cancel_order")
FUNCTIONS = {
    f"car.{name}": FunctionSpec(name=f"car.{name}", effect=Effect.READ if name in READS else Effect.WRITE)
    for name in (*READS, *WRITES)
}


def _named(*calls: str, taken: Sequence[str] = ()) -> str:
    """Name a tool that makes the calls and gives back what those from the first change on answer."""
    patterns = tuple(Pattern(function=f"car.{call}", arguments=(("size", Param(name="size")),)) for call in calls)
    first = next((index for index, call in enumerate(calls) if call in WRITES), 0)
    returns = tuple((calls[step], step) for step in range(first, len(calls)))
    return tool_name(Template(patterns=patterns, returns=returns), FUNCTIONS, taken)


@pytest.mark.parametrize(
    ("calls", "name"),
    [
        (("lock_doors", "start_engine"), "lock_doors_and_start_engine"),
        (("lock_doors", "press_brake_pedal", "start_engine"), "lock_doors_press_pedal_and_start_engine"),
        (("lock_doors", "start_engine", "cancel_order"), "lock_doors_start_engine_and_cancel_order"),
    ],
    ids=["two", "three in short", "three as they are"],
)
def test_every_change_is_told_where_there_is_room(calls: tuple[str, ...], name: str) -> None:
    assert _named(*calls) == name


def test_where_there_is_no_room_the_first_and_the_last_are_told_with_one_between() -> None:
    calls = ("fill_fuel_tank", "lock_doors", "press_brake_pedal", "start_engine")
    assert _named(*calls) == "fill_tank_press_pedal_and_start_engine"


def test_what_else_differs_is_told_where_the_first_name_is_taken() -> None:
    taken = "fill_tank_press_pedal_and_start_engine"
    calls = ("estimate_range", "fill_fuel_tank", "lock_doors", "press_brake_pedal", "start_engine")
    assert _named(*calls) == "fill_tank_and_start_engine_with_range"
    assert _named(*calls, taken=["fill_tank_and_start_engine_with_range"]) == "estimate_fill_fuel_tank_and_start_engine"
    assert _named(*calls[1:], taken=[taken]) == "fill_tank_lock_doors_and_start_engine"


def test_what_a_tool_starts_from_stays_in_the_name_where_something_else_differs() -> None:
    calls = ("find_car_by_plate", "get_stock", "cancel_order")
    assert _named(*calls) == "cancel_order_by_plate"
    assert _named(*calls, taken=["cancel_order_by_plate"]) == "cancel_order_with_stock_by_plate"


def test_one_change_after_a_look_at_the_same_thing_is_named_after_both() -> None:
    assert _named("get_order", "cancel_order") == "get_and_cancel_order"


def test_a_tool_is_numbered_where_all_names_are_taken() -> None:
    names: list[str] = []
    while not names or not names[-1][-1].isdigit():
        names.append(_named("lock_doors", "start_engine", taken=names))
    assert names == ["lock_doors_and_start_engine", "lock_doors_and_start_engine_2"]
