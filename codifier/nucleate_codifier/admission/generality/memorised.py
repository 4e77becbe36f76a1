"""Literals that one run alone was shown: what a tool remembers of it, in place of asking again."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
    if len(runs) < 2 or len(holding) != 1 or not holding[0].told(literal.value):
        return None
    return holding[0].example


def categories(source: str, examples: Sequence[Example]) -> frozenset[str]:
    """Return the texts that a tool compares with a field whose values repeat: they name a kind, and no entity."""
    values: dict[str, Counter[str]] = {}
    for key, value in (pair for example in examples for call in example.calls for pair in _fields(call.result)):
        values.setdefault(key, Counter())[value] += 1
    repeated = {key for key, counts in values.items() if len(counts) < counts.total()}
    return frozenset(text for key, text in _compared(ast.parse(source)) if key in repeated)


def declared(source: str) -> frozenset[str]:
    """Return the texts that the source's own `Literal[…]` types allow."""
    return frozenset(
        part.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal"
        for part in ast.walk(node.slice)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def _compared(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each (field, text) of which a comparison reads the one and names the other."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
            keys = {id(part.slice): part.slice for part in parts if isinstance(part, ast.Subscript)}
            texts = [part for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            fields = [str(key.value) for key in keys.values() if isinstance(key, ast.Constant)]
            yield from ((field, str(text.value)) for field in fields for text in texts if id(text) not in keys)


def _fields(value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from [(key, item)] if isinstance(item, str) else _fields(item)
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item)


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
