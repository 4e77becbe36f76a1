"""The words of a plan: a title from its functions' names, and numbered steps with where each argument comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping

from nucleate_text_memory.identity import canonical
from nucleate_text_memory.learning.data_flow import TASK, ArgumentSource, constant, paths, sources
from nucleate_text_memory.notes import FunctionNotes
from nucleate_text_memory.values import Occurrence

_TITLE_STEPS = 5
_LONGEST_CONSTANT = 40
_THAT, _EVERY = "that value", " in every run"


def title(signature: tuple[str, ...], repeated: list[bool]) -> str:
    """Return the steps in plain words, the middle of a long plan left out."""
    said = [_words(f) + (" (for each)" if again else "") for f, again in zip(signature, repeated, strict=True)]
    if len(said) > _TITLE_STEPS:
        said = [*said[:2], f"{len(said) - 4} more steps", *said[-2:]]
    text = ", ".join(said[:-1]) + f", then {said[-1]}"
    return text[0].upper() + text[1:]


def body(
    signature: tuple[str, ...],
    occurrences: list[Occurrence],
    docs: Mapping[str, str],
    notes: Mapping[str, FunctionNotes],
) -> str:
    """Return numbered steps; what is said of an argument holds in every occurrence given.

    A value is called the same in every run only where the notes know of no call with another.
    """
    varied = {f"{name} {argument}" for name, one in notes.items() for argument in one.arguments if one.varies(argument)}
    return "\n".join(
        f"{group + 1}. {_step(signature, group, occurrences, varied)}{_doc(docs.get(function, ''))}"
        for group, function in enumerate(signature)
    )


def repeated(occurrences: list[Occurrence], length: int) -> list[bool]:
    """Return for each step whether some occurrence calls it more than once in a row."""
    return [any(len(occurrence.groups[group]) > 1 for occurrence in occurrences) for group in range(length)]


def _step(signature: tuple[str, ...], group: int, occurrences: list[Occurrence], varied: Container[str]) -> str:
    names = sorted(
        {name for o in occurrences for index in o.groups[group] for name in o.trajectory.steps[index].arguments}
    )
    loop = _loop(group, names, occurrences) if repeated(occurrences, len(signature))[group] else None
    said = [
        f"{name} = {_THAT if name == loop else _said(signature[group], group, name, occurrences, varied)}"
        for name in names
    ]
    call = f"`{signature[group]}`" + (f" with {'; '.join(said)}" if said else "")
    if loop is None:
        return call
    origin = _origin(group, loop, occurrences) if loop else ""
    which = f" of {origin}" if _all_of(group, loop, occurrences) else f" that the task asks for, of {origin}"
    return f"for each{which if loop else ' that the task needs'}: {call}"


def _all_of(group: int, name: str, occurrences: list[Occurrence]) -> bool:
    """Return whether every run went over the whole list: one that took some of it chose."""
    source = _common(group, name, occurrences) if name else None
    if source is None or source == TASK:
        return True
    return all(_held_there(occurrence, source) <= _given(occurrence, group, name) for occurrence in occurrences)


def _held_there(occurrence: Occurrence, source: ArgumentSource) -> set[str]:
    steps = [occurrence.trajectory.steps[index] for index in occurrence.groups[source.step - 1]]
    return {canonical(leaf) for step in steps for path, leaf in paths(step.result) if path == source.path}


def _given(occurrence: Occurrence, group: int, name: str) -> set[str]:
    steps = [occurrence.trajectory.steps[index] for index in occurrence.groups[group]]
    return {canonical(leaf) for step in steps for _, leaf in paths(step.arguments.get(name))}


def _said(function: str, group: int, name: str, occurrences: list[Occurrence], varied: Container[str]) -> str:
    text = _origin(group, name, occurrences)
    return "as the task needs" if f"{function} {name}" in varied and text.endswith(_EVERY) else text


def _loop(group: int, names: list[str], occurrences: list[Occurrence]) -> str:
    """Return the argument over whose values a repeated call goes: one that comes from a list; "" if none is."""
    sources_of = ((name, _common(group, name, occurrences)) for name in names)
    return next((name for name, source in sources_of if source is not None and "[]" in source.path), "")


def _origin(group: int, name: str, occurrences: list[Occurrence]) -> str:
    source = _common(group, name, occurrences)
    if source is not None:
        return _place(source)
    value = constant(occurrences, group, name)
    if value is not None and len(value) <= _LONGEST_CONSTANT:
        return f"{json.loads(value)!r}{_EVERY}"
    some = {place for o in occurrences for place in sorted(sources(o, group, name))[:1]}
    return " or ".join(_place(place) for place in sorted(some)) or "as the task needs"


def _common(group: int, name: str, occurrences: list[Occurrence]) -> ArgumentSource | None:
    """Return the first place that holds the argument in all occurrences; the task's text before any result."""
    using = [o for o in occurrences if any(name in o.trajectory.steps[i].arguments for i in o.groups[group])]
    found = set.intersection(*(sources(occurrence, group, name) for occurrence in using))
    return min(found, key=lambda s: (s.step, s.path.count("."), len(s.path), s.path), default=None)


def _place(source: ArgumentSource) -> str:
    if source == TASK:
        return "from the task"
    return f"`{source.path}` of step {source.step}" if source.path else f"the result of step {source.step}"


def _words(function: str) -> str:
    name = function.rpartition(".")[2]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower().strip()


def _doc(text: str) -> str:
    sentence = re.split(r"(?<=[.!?])\s|\n\s*\n", " ".join(text.split("\n\n")[0].split()))[0]
    return f" ({sentence.rstrip('.')})" if sentence else ""
