"""Which runs of a plan are one input, and which inputs are one group.

The input of a run for a plan is the tuple of its root values: the arguments of the plan's calls that none of its own
answers gives; where these are common words alone, the query tells inputs apart. Inputs are one group where the runs
are about the same thing. It is told by whatever the run looked up first (the arguments of that call, and the ids that
its answer is about), or by a name that the caller gave. A shared thing of a catalogue makes no group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from nucleate_text_memory.identity import canonical, input_key
from nucleate_text_memory.origins import identifies, leaves, mark, telling
from nucleate_text_memory.values import Json, Step, Trajectory


def input_of(trajectory: Trajectory, groups: Iterable[Sequence[int]]) -> str:
    """Return the key of a run's input for a plan whose calls are these steps: what is equal, then what groups it."""
    roots = [root for group, before in _with_before(groups) for root in _roots(trajectory.steps, group, before)]
    own = any(_is_own(leaf) for _, _, leaf in roots)
    exact = _short([*map(_named, roots), *([] if own else [input_key(trajectory.query)])])
    about = sorted(_about(trajectory)) if not trajectory.group else [_short(["group", trajectory.group])]
    return " ".join([exact, *about])


def group_numbers(keys: Iterable[str]) -> list[int]:
    """Return for each key the number of its group: keys that share a part are one group, and so are their groups."""
    parent: dict[str, str] = {}

    def top(part: str) -> str:
        while parent.setdefault(part, part) != part:
            part = parent[part]
        return part

    listed = [key.split(" ") for key in keys]
    for first, *others in listed:
        for other in others:
            parent[top(other)] = top(first)
    numbers: dict[str, int] = {}
    return [numbers.setdefault(top(parts[0]), len(numbers)) for parts in listed]


def count_groups(keys: Iterable[str]) -> int:
    """Return how many groups there are."""
    return len(set(group_numbers(keys)))


def _with_before(groups: Iterable[Sequence[int]]) -> Iterator[tuple[Sequence[int], list[int]]]:
    before: list[int] = []
    for group in groups:
        yield group, [*before]
        before += group


def _roots(steps: Sequence[Step], group: Sequence[int], before: Sequence[int]) -> Iterator[tuple[str, str, Json]]:
    held = {mark(leaf) for index in before for leaf in _values(steps[index].result) if telling(leaf)}
    for index in group:
        for name, value in sorted(steps[index].arguments.items()):
            for leaf in leaves(value):
                if not telling(leaf) or mark(leaf) not in held:
                    yield steps[index].function, name, leaf


def _values(value: Json) -> Iterator[Json]:
    yield from leaves(value)
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict | list):
            yield from (key for key in _values(item) if isinstance(key, str))


def _is_own(leaf: Json) -> bool:
    """Return whether a value is more than a word or a small number, which many tasks have in common."""
    if isinstance(leaf, str):
        return len(leaf.split()) > 1 or any(mark.isdigit() or mark == "@" for mark in leaf)
    return telling(leaf)


def _named(root: tuple[str, str, Json]) -> str:
    function, name, leaf = root
    return f"{function} {name} {mark(leaf)}"


def _about(trajectory: Trajectory) -> set[str]:
    """Return the parts that say what a run is about: of the first call that looks one thing up."""
    for step in trajectory.steps:
        ids = [] if step.error is not None or "." not in step.function else [*_owner(step.result)]
        if ids:
            return {_short([mark(id_)]) for id_ in ids} | {_short([step.function, canonical(step.arguments)])}
    return set()


def _owner(result: Json) -> Iterator[Json]:
    """Yield the ids that an answer is about: the answer itself, or what stands under `id` at its top."""
    if isinstance(result, dict):
        for key, value in result.items():
            if key.casefold() == "id" or key.endswith(("_id", "Id", "ID")):
                yield from [value] if identifies(value) else []
    elif identifies(result):
        yield result


def _short(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()[:16]
