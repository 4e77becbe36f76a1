"""One function's notes, and how a run adds to those of all the functions that it called."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from typing import Any

from nucleate_text_memory.notes.argument_values import ArgumentValues
from nucleate_text_memory.notes.recoveries import recoveries
from nucleate_text_memory.notes.shapes import MetShape, Path, leaves
from nucleate_text_memory.notes.states import States, rows_in
from nucleate_text_memory.recordings.answers.structured import form_of, read_as
from nucleate_text_memory.recordings.error_classes import error_class
from nucleate_text_memory.values import Json, JsonObject, Step, Trajectory

_LINKS = 12
_PLACES = 4  # of one value in an answer
# The digit is looked for within a bound: to the end of a long text it would be, again for every word of it.
_TOKEN = re.compile(r"#?(?=[\w.-]{0,64}?\d)[A-Za-z0-9][\w-]{2,}(?:\.\d+)?")
_SMALL = 100  # numbers below are counts, which link nothing


class FunctionNotes:
    """Counts of one function's calls. `leads_to` counts, for a place in its results, the arguments that came from it.

    `prose` counts answers that are text without a structure: a function that gives many of them has no shape.
    `refusals` leads from a class of error to the groups that met it, and to the functions that then helped instead.
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        state = state or {}
        self.calls: int = state.get("calls", 0)
        self.prose: int = state.get("prose", 0)
        self.shape = MetShape(state.get("shape"))
        self.states = States(state.get("states"))
        self.arguments = {name: ArgumentValues(item) for name, item in state.get("arguments", {}).items()}
        self.leads_to: dict[str, dict[str, int]] = dict(state.get("leads_to", {}))
        self.refusals: dict[str, list[list[str]]] = dict(state.get("refusals", {}))

    def to_json(self) -> dict[str, Any]:
        """Return them as data."""
        return {
            "calls": self.calls,
            "prose": self.prose,
            "shape": self.shape.to_json(),
            "states": self.states.to_json(),
            "arguments": {name: item.to_json() for name, item in self.arguments.items()},
            "leads_to": self.leads_to,
            "refusals": self.refusals,
        }

    def refused(self, cause: str, group: str) -> None:
        """Count a call that failed."""
        if cause in self.refusals or len(self.refusals) < _LINKS:
            _add(self.refusals.setdefault(cause, [[], []])[0], group)

    def helped(self, cause: str, function: str) -> None:
        """Keep the function that helped where this one had failed."""
        if cause in self.refusals:
            _add(self.refusals[cause][1], function)

    def varies(self, argument: str) -> bool:
        """Return whether calls with several values of an argument worked."""
        return argument in self.arguments and self.arguments[argument].varies

    def answered(self, step: Step, result: Json, group: str) -> None:
        """Count a call that worked."""
        self.calls += 1
        for name, value in step.arguments.items():
            self.arguments.setdefault(name, ArgumentValues()).see(value, group)
        if isinstance(result, str) and len(result) > 200:
            self.prose += 1
        else:
            self.shape.see(result, given={str(value) for _, value in leaves(step.arguments)})

    def gave(self, path: Path, argument: str) -> None:
        """Count a later argument whose value came from a place in a result."""
        place = self.shape.at(path)
        if place is not None:
            place.used += 1
        counts = self.leads_to.setdefault("\t".join(path), {})
        if argument in counts or len(counts) < _LINKS:
            counts[argument] = counts.get(argument, 0) + 1


def observe(notes: MutableMapping[str, FunctionNotes], trajectory: Trajectory, group: str) -> None:
    """Add what a run shows to the notes of the functions that it called, each made at its first call."""
    run = _Observing(notes, group)
    for step in trajectory.steps:
        if "." in step.function:
            run.see(step)
    for failed, recovered in recoveries(trajectory):
        step, after = trajectory.steps[failed], trajectory.steps[recovered]
        if step.function != after.function:
            notes[step.function].helped(error_class(step), after.function)


class _Observing:
    def __init__(self, notes: MutableMapping[str, FunctionNotes], group: str) -> None:
        self._notes = notes
        self._group = group
        self._origin: dict[str, tuple[str, list[Path]]] = {}
        self._rows: dict[str, tuple[str, JsonObject]] = {}
        self._awaited: dict[str, tuple[str, str, JsonObject]] = {}

    def see(self, step: Step) -> None:
        notes = self._notes.setdefault(step.function, FunctionNotes())
        known = [(key, *self._rows[key]) for key in _ids(step.arguments) if key in self._rows]
        for _, shown_by, row in known:
            notes.states.called(shown_by, row, self._group, worked=step.error is None)
        if step.error is not None:
            notes.refused(error_class(step), self._group)
            return
        self._link(step)
        result = _read(step.result)
        notes.answered(step, result, self._group)
        self._met(step.function, result)
        found = rows_in(step.arguments, result)
        self._compare(step.function, known, found)
        self._rows |= {key: (self._rows.get(key, (step.function,))[0], row) for key, row in found.items()}

    def _met(self, function: str, result: Json) -> None:
        """Keep where values first stood: at every place of one answer, since any of them will do."""
        first: dict[str, set[Path]] = {}
        for path, value in leaves(result):
            first.setdefault(str(value), set()).add(path)
        for text, found in first.items():
            if text not in self._origin:
                self._origin[text] = (function, sorted(found)[:_PLACES])

    def _compare(self, function: str, known: list[tuple[str, str, JsonObject]], found: dict[str, JsonObject]) -> None:
        """Hold rows against what they were: this call changed them, or the one since which they were not shown."""
        for key, row in found.items():
            if key in self._awaited and self._awaited[key][1] == function:
                writer, _, before = self._awaited.pop(key)
                self._notes[writer].states.changed(before, row)
        for key, shown_by, row in known:
            now = found.get(key)
            if now is None and shown_by != function:
                self._awaited.setdefault(key, (function, shown_by, row))
            elif now is not None and len(now.keys() & row.keys()) > 1:
                self._notes[function].states.changed(row, now)

    def _link(self, step: Step) -> None:
        """Count where the arguments came from. What is short links only what has one name on both sides."""
        for name, given in step.arguments.items():
            told = {text for _, value in leaves(given) for text in _mentioned(value)}
            plain = {str(value) for _, value in leaves(given)} - told
            for text in sorted((told | plain) & self._origin.keys()):
                function, found = self._origin[text]
                for path in found:
                    if text in told or path[-1:] == (name,):
                        self._notes[function].gave(path, f"{step.function} {name}")


def _add(known: list[str], name: str) -> None:
    if name not in known and len(known) < _LINKS:
        known.append(name)


def _ids(arguments: JsonObject) -> list[str]:
    return [str(value) for value in arguments.values() if isinstance(value, str | int) and _tells(value)]


def _tells(value: Json) -> bool:
    if isinstance(value, bool):
        return False
    return len(value) > 2 if isinstance(value, str) else isinstance(value, int | float) and abs(value) >= _SMALL


def _mentioned(value: Json) -> list[str]:
    """Return a value as text, and the ids and numbers that a longer text holds, a URL or an expression."""
    whole = [str(value)] if _tells(value) else []
    return [*whole, *(_TOKEN.findall(value) if isinstance(value, str) and _TOKEN.fullmatch(value) is None else ())]


def _read(result: Json) -> Json:
    form = form_of([result]) if isinstance(result, str) and len(result) > 2 else None
    return read_as(form, result) if form is not None and isinstance(result, str) else result
