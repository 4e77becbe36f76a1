"""Literals that one run alone was shown: what a tool remembers of it, in place of asking again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from nucleate_codifier.admission.generality.forms import contains
from nucleate_codifier.admission.generality.literals import Literal, leaves
from nucleate_codifier.values import Example
from nucleate_sandbox import Json

MIN_PART = 4  # characters of a part of an argument
MIN_DIGITS = 4  # significant ones: smaller numbers are equal by chance
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class ShownToRun:
    """What one run was given and was answered."""

    example: Example

    @cached_property
    def given(self) -> tuple[Json, ...]:
        """Return the values of the run's arguments."""
        return tuple(leaves(self.example.arguments))

    @cached_property
    def answered(self) -> tuple[Json, ...]:
        """Return what the environment said by itself: an answer that repeats a call's argument says nothing."""
        found: list[Json] = []
        said: list[Json] = []
        for call in self.example.calls:
            said += leaves(call.arguments)
            found += [leaf for leaf in leaves(call.result) if leaf not in said]
        return tuple(found)

    @cached_property
    def everything(self) -> tuple[Json, ...]:
        """Return all values of the run."""
        calls = [leaf for call in self.example.calls for leaf in (*leaves(call.arguments), *leaves(call.result))]
        return (*self.given, *calls, *leaves(self.example.result))

    def told(self, value: str | int | float) -> bool:
        """Return whether the run was told this value, or was given a text that it is a part of."""
        return any(_equal(value, leaf) for leaf in (*self.given, *self.answered)) or _is_part(value, self.given)

    def holds(self, value: str | int | float) -> bool:
        """Return whether the value stands anywhere in the run."""
        return any(_equal(value, leaf) for leaf in self.everything) or _is_part(value, self.everything)


def memory_of(literal: Literal, runs: Sequence[ShownToRun]) -> Example | None:
    """Return the only run that was told a literal; None where there is none, or where others hold it too."""
    if isinstance(literal.value, int | float) and _digits(literal.value) < MIN_DIGITS:
        return None
    holding = [run for run in runs if run.holds(literal.value)]
    if literal.message and not any(literal.value in run.answered for run in runs):
        return None
    if len(runs) < 2 or len(holding) != 1 or not holding[0].told(literal.value):
        return None
    return holding[0].example


def _equal(value: str | int | float, leaf: Json) -> bool:
    if isinstance(value, str):
        return isinstance(leaf, str) and value.strip().casefold() == leaf.strip().casefold()
    return isinstance(leaf, int | float) and not isinstance(leaf, bool) and value == leaf


def _is_part(value: str | int | float, texts: Sequence[Json]) -> bool:
    if not isinstance(value, str) or len(value.strip()) < MIN_PART:
        return False
    words = _words(value)
    return any(contains(_words(text), words) for text in texts if isinstance(text, str))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()[:2000]))


def _digits(number: int | float) -> int:
    return len(f"{abs(number):.12g}".replace(".", "").strip("0")) if abs(number) < 1e12 else MIN_DIGITS
