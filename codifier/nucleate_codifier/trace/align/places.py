"""Where a value stands inside a result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_codifier.trace.expressions import Each, Path
from nucleate_sandbox import Json

MOST_PLACES = 60
MOST_PATHS = 600
MOST_ELEMENTS = 20

SCHEMA_KEY = re.compile(r"[A-Za-z_]{1,40}\d?")
"""A key that is a field's name; other keys are data."""

Raw: TypeAlias = tuple[str | int, ...]


def places(value: Json, wanted: str, depth: int = 8) -> Iterator[Raw]:
    """Yield the raw paths inside the value where the fingerprint is found, shortest first at each level."""
    inside = isinstance(value, dict | list)
    if inside == wanted.startswith(("[", "{")) and fingerprint(value) == wanted:
        yield ()
    if depth and isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            for rest in places(item, wanted, depth - 1):
                yield (key, *rest)


def spreads(raw: Raw) -> Iterator[tuple[int, Path]]:
    """Yield how far down the elements of a list, and of lists inside it, may lie: `[0]`, then `[0]['items'][2]`."""
    among: list[str | Each] = []
    for depth, key in enumerate(raw, start=1):
        if isinstance(key, str) and SCHEMA_KEY.fullmatch(key):
            among.append(key)
        else:
            among.append(Each(over="items" if isinstance(key, int) else "values"))
            yield depth, tuple(among)


def list_paths(value: Json, depth: int = 6) -> set[Path]:
    """Return the paths to every list of values inside a result: elements of lists, keys and values of objects."""
    return {path for path in _spread(value, depth) if any(isinstance(element, Each) for element in path)}


def _spread(value: Json, depth: int) -> set[Path]:
    """Return the paths to everything inside; each element is looked into once, however many ways lead to it."""
    found: set[Path] = {()}
    if isinstance(value, list) and depth:
        inner = [_spread(item, depth - 1) for item in value[:MOST_ELEMENTS]]
        found |= {(Each(),), *((Each(), *rest) for rest in set[Path]().union(*inner))}
    elif isinstance(value, dict) and depth:
        under = {key: _spread(item, depth - 1) for key, item in value.items()}
        inner = list(under.values())[:MOST_ELEMENTS]
        found |= {(Each(over="keys"),), *((Each(over="values"), *rest) for rest in set[Path]().union(*inner))}
        found |= {(key, *rest) for key, paths in under.items() for rest in paths}
    return found
