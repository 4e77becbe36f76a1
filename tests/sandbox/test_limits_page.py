"""The table of limits in the documentation is the one in the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from nucleate_sandbox import Limit, Limits
from nucleate_sandbox.limits import DEFAULT, MAXIMUM, MIB

PAGE = Path(__file__).parents[2] / "docs" / "sandbox.md"
ROW = re.compile(r"^\| `(\w+_\w+|processes)` \| (\d[^|]*) \| (\d[^|]*) \|", re.MULTILINE)
UNITS = {"MiB": MIB, "KiB": 1024}
NO_BOUNDS = {"hash_seed"}


def amount(cell: str) -> float:
    number, _, unit = cell.strip().partition(" ")
    return float(number) * UNITS.get(unit, 1)


def test_every_limit_stands_in_the_table_with_its_default_and_maximum() -> None:
    shown = {
        name: (amount(default), amount(maximum)) for name, default, maximum in ROW.findall(PAGE.read_text("utf-8"))
    }
    names = [item.name for item in fields(Limits) if item.name not in NO_BOUNDS]
    assert shown == {name: (getattr(DEFAULT, name), MAXIMUM[name]) for name in names}


def test_every_outcome_of_a_limit_stands_in_the_table() -> None:
    text = PAGE.read_text("utf-8")
    assert [item for item in Limit if f"| `{item.name}` |" not in text] == []
