"""Values side by side: each leaf with its path, and whether it is one to be marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nucleate_sandbox import Json

MOST_LEAVES = 300


@dataclass(frozen=True)
class Leaf:
    """A value without parts: where it stands, and whether it differs or comes from somewhere."""

    path: str
    value: Json
    marked: bool = False


def marked(value: Json, mark: Callable[[Json], bool]) -> list[Leaf]:
    """Return the leaves of a value, in order, marked where `mark` says so."""
    return [Leaf(path, leaf, mark(leaf)) for path, leaf in _first(leaves(value))]


def differences(before: Json, after: Json) -> tuple[list[Leaf], list[Leaf]]:
    """Return the leaves of two values, marked where the other has another value at that place, or none."""
    one, two = dict(_first(leaves(before))), dict(_first(leaves(after)))
    return (
        [Leaf(path, leaf, path not in two or two[path] != leaf) for path, leaf in one.items()],
        [Leaf(path, leaf, path not in one or one[path] != leaf) for path, leaf in two.items()],
    )


def leaves(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield the values without parts, each with its path; an own stack, so that no depth is too great."""
    stack = [(path, value)]
    while stack:
        place, item = stack.pop()
        if isinstance(item, dict) and item:
            stack += [(f"{place}.{key}" if place else str(key), part) for key, part in reversed(item.items())]
        elif isinstance(item, list) and item:
            stack += [(f"{place}[{number}]", part) for number, part in reversed(list(enumerate(item)))]
        else:
            yield place, item


def _first(found: Iterator[tuple[str, Json]]) -> Iterator[tuple[str, Json]]:
    return (item for item, _ in zip(found, range(MOST_LEAVES), strict=False))
