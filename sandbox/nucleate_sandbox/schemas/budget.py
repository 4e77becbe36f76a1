"""The work that one check of a value may take, counted in units of about a microsecond."""

from __future__ import annotations

from contextvars import ContextVar
from itertools import islice
from typing import Any

from jsonschema.exceptions import ValidationError

from nucleate_sandbox.json_values import Json

UNITS = 1_000_000
STEP = 20  # one keyword of one place
SHOWN = 50  # characters of a value that a message repeats, for one unit
MAX_ERRORS = 20


class Exhausted(Exception):
    """The check took all the work that it may."""


class CheckBudget:
    """One check: the units that are left, what was found already, and the keywords that could not be checked."""

    def __init__(self) -> None:
        self.unchecked: list[str] = []
        self.memory: dict[tuple[int, int], list[ValidationError] | None] = {}
        self._left = UNITS
        self._sizes: dict[int, int] = {}

    def spend(self, units: int) -> None:
        """Count work; raise Exhausted when none is left."""
        self._left -= units
        if self._left < 0:
            raise Exhausted

    def spend_message(self, value: Json) -> None:
        """Count a message that repeats a value."""
        self.spend(self.size(value) // SHOWN)

    def skip(self, why: str) -> None:
        """Note what was not checked."""
        if why not in self.unchecked and len(self.unchecked) < MAX_ERRORS:
            self.unchecked.append(why)

    def size(self, value: Json) -> int:
        """Return about how many characters a value has; each part is walked once, however often it is asked for."""
        if isinstance(value, str):
            return len(value)
        if not isinstance(value, list | dict):
            return 8
        known = self._sizes.get(id(value))
        if known is None:
            parts = value if isinstance(value, list) else value.values()
            names = sum(map(len, value)) if isinstance(value, dict) else 0
            known = self._sizes[id(value)] = 2 + names + sum(self.size(part) + 2 for part in parts)
        return known


def copies(errors: list[ValidationError]) -> list[ValidationError]:
    """Return errors that may be given a place of their own, as the library does with what a keyword yields."""
    return [ValidationError.create_from(error) for error in errors]


def first(errors: Any) -> list[ValidationError]:
    """Return at most MAX_ERRORS of the errors."""
    return list(islice(errors or (), MAX_ERRORS))


CURRENT: ContextVar[CheckBudget] = ContextVar("budget")
