"""A readable difference of two JSON values: where it is, what was expected, and what came instead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from nucleate_sandbox import Json, canonical

MAX_DIFFERENCES = 4
MAX_VALUE = 60


def describe(expected: Json, came: Json) -> str:
    """Return the first few differences in words; nothing where the values are the same."""
    found = [*islice(differences(expected, came), MAX_DIFFERENCES + 1)]
    more = "; …" if len(found) > MAX_DIFFERENCES else ""
    return "; ".join(found[:MAX_DIFFERENCES]) + more


def differences(expected: Json, came: Json, path: str = "$") -> Iterator[str]:
    """Yield each place where two values differ: 1 equals 1.0, but no truth value equals a number."""
    match expected, came:
        case dict(), dict():
            for key in [*expected, *(key for key in came if key not in expected)]:
                yield from _at_key(expected, came, key, f"{path}.{key}" if key.isidentifier() else f"{path}[{key!r}]")
        case list(), list():
            for index, (first, second) in enumerate(zip(expected, came, strict=False)):
                yield from differences(first, second, f"{path}[{index}]")
            if len(expected) != len(came):
                yield f"{path}: expected {len(expected)} elements, came {len(came)}"
        case _ if isinstance(expected, bool) is not isinstance(came, bool) or expected != came:
            yield f"{path}: expected {shown(expected)}, came {shown(came)}"


def _at_key(expected: dict[str, Json], came: dict[str, Json], key: str, path: str) -> Iterator[str]:
    if key not in came:
        yield f"{path}: expected {shown(expected[key])}, came nothing"
    elif key not in expected:
        yield f"{path}: expected nothing, came {shown(came[key])}"
    else:
        yield from differences(expected[key], came[key], path)


def shown(value: Json) -> str:
    """Return a value as text of bounded length; a state may hold what JSON cannot say."""
    try:
        text = canonical(value)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 1]}…"
