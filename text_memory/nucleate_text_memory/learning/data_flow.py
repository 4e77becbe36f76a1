"""Where the arguments of a plan's calls come from, as far as equal values show it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nucleate_text_memory.identity import canonical
from nucleate_text_memory.values import Json, Occurrence

_KEY = re.compile(r"[A-Za-z_]{1,40}\d?")


@dataclass(frozen=True, kw_only=True, order=True)
class ArgumentSource:
    """A place that held an argument's value: a step's result at a path, or the task's text (`step` 0)."""

    step: int
    path: str = ""


TASK = ArgumentSource(step=0)


def paths(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Return every scalar in a JSON value with its path; list positions are `[]`, keys that are data are `*`."""
    if isinstance(value, dict):
        for key, item in value.items():
            name = key if _KEY.fullmatch(key) else "*"
            yield from paths(item, f"{path}.{name}" if path else name)
            if name == "*" and len(key) >= 3:
                yield f"{path}.*" if path else "*", key
    elif isinstance(value, list):
        for item in value:
            yield from paths(item, f"{path}[]")
    else:
        yield path, value


def sources(occurrence: Occurrence, group: int, argument: str) -> set[ArgumentSource]:
    """Return the places before this group that hold every value of an argument, over all the group's calls."""
    steps = [occurrence.trajectory.steps[index] for index in occurrence.groups[group]]
    wanted = {_mark(leaf) for s in steps if argument in s.arguments for _, leaf in paths(s.arguments[argument])}
    return {source for source, held in _held(occurrence, group, wanted).items() if wanted and held >= wanted}


def constant(occurrences: list[Occurrence], group: int, argument: str) -> str | None:
    """Return the canonical text of an argument that is the same in every call of every occurrence, or None."""
    texts = {
        canonical(occurrence.trajectory.steps[index].arguments.get(argument))
        for occurrence in occurrences
        for index in occurrence.groups[group]
    }
    return texts.pop() if len(texts) == 1 else None


def _mark(leaf: Json) -> tuple[str, str]:
    """Return what equal scalars share: 1, 1.0, true and "1" are four values."""
    return type(leaf).__name__, str(leaf)


def _held(
    occurrence: Occurrence, group: int, wanted: set[tuple[str, str]]
) -> dict[ArgumentSource, set[tuple[str, str]]]:
    held: dict[ArgumentSource, set[tuple[str, str]]] = {}
    for number, indices in enumerate(occurrence.groups[:group], start=1):
        for index in indices:
            for path, leaf in paths(occurrence.trajectory.steps[index].result):
                mark = _mark(leaf)
                if mark in wanted and _telling(leaf):
                    held.setdefault(ArgumentSource(step=number, path=path), set()).add(mark)
    held[TASK] = {mark for mark in wanted if _in_query(mark[1], occurrence.trajectory.query)}
    return held


def _telling(leaf: Json) -> bool:
    """Return whether equality of this value says anything: short texts and small numbers are equal by chance."""
    if isinstance(leaf, bool) or leaf is None:
        return False
    return len(leaf) >= 3 if isinstance(leaf, str) else isinstance(leaf, int | float) and abs(leaf) >= 10


def _in_query(text: str, query: str) -> bool:
    return bool(text) and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", query, re.IGNORECASE) is not None
