"""The families of tasks as the scripted model knows them, from `ways.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nucleate.demo import families
from nucleate.demo.families import Family

Slots = Mapping[str, str]
FILE = Path(__file__).with_name("ways.toml")


@dataclass(frozen=True, kw_only=True)
class Way:
    """How one family is solved, and what goes wrong in it, in turn."""

    family: Family
    lines: tuple[str, ...]
    effect: tuple[str, ...]
    slips: tuple[str, ...]
    wrong: Mapping[str, str]

    def slots(self, query: str) -> Slots | None:
        """Return the values of a query that is worded like this family; None of another."""
        for phrasing in self.family.phrasings:
            match = re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(phrasing)), query)
            if match:
                return match.groupdict()
        return None


@cache
def ways() -> tuple[Way, ...]:
    """Return every family's way."""
    known = {item.name: item for item in vars(families).values() if isinstance(item, Family)}
    read = tomllib.loads(FILE.read_text(encoding="utf-8"))["way"]
    return tuple(
        Way(
            family=known[item["family"]],
            lines=tuple(item["lines"]),
            effect=tuple(item["effect"]),
            slips=tuple(item["slips"]),
            wrong=item["wrong"],
        )
        for item in read
    )


def way_of(query: str) -> tuple[Way, Slots]:
    """Return the way of a query, with its values."""
    found = ((way, way.slots(query)) for way in ways())
    return next((way, slots) for way, slots in found if slots is not None)


def function_of(line: str) -> str:
    """Return the environment function that a line calls."""
    match = re.search(r"env\.(\w+\.\w+)\(", line)
    return match[1] if match else ""
