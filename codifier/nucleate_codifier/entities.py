"""What the runs of a scope show of its values: which name one thing, and what each argument was ever given.

An entity is a value of a field (or a key) whose values are near-unique per row over the answers of the scope, or one
by which a function looks a thing up. Codifier and gates ask here; nothing in it depends on how a source is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from nucleate_sandbox import Call, FunctionSpec, Json, canonical
from nucleate_text_memory import Step, Trajectory
from nucleate_text_memory.origins import identifies, leaves, mark, telling

NEAR_UNIQUE = 0.9  # distinct values per row
FEWEST_ROWS = 4
MOST_CHOICES, OFTEN = 8, 4
_DEEPEST = 8

Kind: TypeAlias = tuple[str, ...]
"""A table of rows: the function and the keys that lead to it."""


class Entities:
    """Sees the calls of a scope, once each, and tells what their values are."""

    def __init__(self) -> None:
        self._rows: dict[Kind, set[str]] = {}
        self._values: dict[tuple[Kind, str], dict[str, int]] = {}
        self._given: dict[tuple[str, str], dict[str, Json]] = {}
        self._times: Counter[tuple[str, str]] = Counter()
        self._looked_up: set[str] = set()
        self._tasks: set[str] = set()
        self._calls: set[str] = set()
        self._unique: set[str] | None = None

    @classmethod
    def of(cls, runs: Iterable[Trajectory]) -> Entities:
        """Return what these runs show."""
        found = cls()
        for run in runs:
            found.see(run)
        return found

    def see(self, run: Trajectory) -> None:
        """Learn from a run that did not fail, once."""
        if run.task_id not in self._tasks and run.success is not False:
            self._tasks.add(run.task_id)
            self.see_calls(run.steps)

    def see_calls(self, calls: Iterable[Step | Call]) -> None:
        """Learn from calls that succeeded."""
        for call in calls:
            if call.error is None:
                self._see(call)

    def is_entity(self, value: Json) -> bool:
        """Return whether a value names one thing."""
        if isinstance(value, bool | list | dict) or not telling(value):
            return False
        return mark(value) in self._entities()

    def accepted(self, function: str, argument: str) -> tuple[Json, ...]:
        """Return the different values that a function was given for an argument when it did what it was asked."""
        return tuple(self._given.get((function, argument), {}).values())

    def repeats(self, function: str, argument: str) -> bool:
        """Return whether an argument has few values, each given again and again, that name no one thing."""
        accepted = self.accepted(function, argument)
        few = 2 <= len(accepted) <= MOST_CHOICES and self._times[function, argument] >= OFTEN * len(accepted)
        return few and not any(self.is_entity(leaf) for value in accepted for leaf in leaves(value))

    def alike(self, function: str, argument: str, answers: Iterable[tuple[str, Json]]) -> frozenset[str]:
        """Return the values in these answers of the fields from which the scope has filled an argument."""
        given = {mark(leaf) for value in self.accepted(function, argument) for leaf in leaves(value) if telling(leaf)}
        held = [place for name, answer in answers for place in _fields((name,), answer, _DEEPEST)]
        kinds = {field for field, value in held if value in given}
        return frozenset(value for field, value in held if field in kinds)

    def _see(self, call: Step | Call) -> None:
        for name, value in call.arguments.items():
            self._times[call.function, name] += 1
            self._given.setdefault((call.function, name), {}).setdefault(canonical(value), value)
        key = canonical([call.function, call.arguments, call.result])
        if key in self._calls:
            return
        self._calls.add(key)
        self._unique = None
        top = {mark(v) for v in call.result.values() if telling(v)} if isinstance(call.result, dict) else set()
        self._looked_up |= {mark(v) for v in call.arguments.values() if identifies(v) and mark(v) in top}
        self._walk((call.function,), call.result, _DEEPEST)

    def _walk(self, kind: Kind, value: Json, depth: int) -> None:
        if isinstance(value, list):
            for item in value if depth else ():
                if isinstance(item, dict | list):
                    self._walk(kind, item, depth - 1)
                elif identifies(item):
                    self._looked_up.add(mark(item))
        elif isinstance(value, dict) and depth:
            self._table(kind, value, depth)

    def _table(self, kind: Kind, row: Mapping[str, Json], depth: int) -> None:
        table = len(row) > 0 and all(isinstance(item, dict) for item in row.values()) and any(map(identifies, row))
        if table:
            self._looked_up |= {mark(key) for key in row if identifies(key)}
        elif self._new(kind, row):
            for name, value in row.items():
                if telling(value):
                    counts = self._values.setdefault((kind, name), {})
                    counts[mark(value)] = counts.get(mark(value), 0) + 1
        for name, value in row.items():
            if isinstance(value, dict | list):
                self._walk(kind if table else (*kind, name), value, depth - 1)

    def _new(self, kind: Kind, row: Mapping[str, Json]) -> bool:
        rows, key = self._rows.setdefault(kind, set()), canonical(dict(row))
        fresh = key not in rows
        rows.add(key)
        return fresh

    def _entities(self) -> set[str]:
        """Return the values of fields that are near-unique in the largest table that has a field of this name."""
        if self._unique is None:
            largest: dict[str, dict[str, int]] = {}
            for (_, name), counts in self._values.items():
                if sum(counts.values()) > sum(largest.get(name, {}).values()):
                    largest[name] = counts
            unique = [c for c in largest.values() if sum(c.values()) >= FEWEST_ROWS]
            near = [c for c in unique if len(c) >= NEAR_UNIQUE * sum(c.values())]
            self._unique = self._looked_up.union(*near)
        return self._unique


def _fields(kind: Kind, value: Json, depth: int) -> Iterator[tuple[tuple[Kind, str], str]]:
    """Yield each text or number that tells something, with the table and the field that it stands in."""
    if isinstance(value, dict) and depth:
        table = bool(value) and all(isinstance(item, dict) for item in value.values())
        for name, item in value.items():
            if table and identifies(name):
                yield (kind, ""), mark(name)
            yield from _fields(kind if table else (*kind, name), item, depth - 1)
    elif isinstance(value, list):
        for item in value if depth else ():
            yield from _fields(kind, item, depth - 1)
    elif telling(value) and not isinstance(value, bool):
        yield (kind, ""), mark(value)


def declared(spec: FunctionSpec, argument: str) -> tuple[Json, ...]:
    """Return the values that the schema of a function enumerates for an argument."""
    properties = spec.parameters.get("properties")
    schema = properties.get(argument) if isinstance(properties, dict) else None
    values = schema.get("enum") if isinstance(schema, dict) else None
    return tuple(values) if isinstance(values, list) else ()


_FOR_ONE = re.compile(r"(?:^|_)(?:id|ids|email|emails|uuid|iban|isbn|serial)$", re.IGNORECASE)
MIN_DIGITS = 3


def names_one_thing(entities: Entities, spec: FunctionSpec | None, argument: str, value: Json) -> bool:
    """Return whether a value that a call is given names one thing, by what the calls and the schema show alone.

    It does where the scope's rows say so; and, however few runs there are, where it is a text that looks like an id and
    stands for an argument that takes one, holds an `@`, or several digits. What the schema enumerates names a kind.
    """
    if spec is not None and value in declared(spec, argument):
        return False
    if entities.is_entity(value):
        return True
    if not isinstance(value, str) or not identifies(value):
        return False
    digits = sum(character.isdigit() for character in value)
    return "@" in value or digits >= MIN_DIGITS or _FOR_ONE.search(argument) is not None


def unexplained(arguments: Mapping[str, Json], calls: Iterable[Call]) -> Iterator[tuple[Call, str, Json]]:
    """Yield each value of a call that neither the tool's arguments nor an earlier answer of its own holds."""
    held = {mark(leaf) for leaf in leaves(dict(arguments)) if telling(leaf)}
    words = [str(leaf).casefold() for leaf in leaves(dict(arguments)) if isinstance(leaf, str)]
    for call in calls:
        for name, value in call.arguments.items():
            for leaf in leaves(value):
                if telling(leaf) and mark(leaf) not in held and not any(mark(leaf) in word for word in words):
                    yield call, name, leaf
        held |= {mark(leaf) for leaf in _everything(call.result) if telling(leaf)}


def _everything(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _everything(item)
    elif isinstance(value, list):
        for item in value:
            yield from _everything(item)
    else:
        yield value
