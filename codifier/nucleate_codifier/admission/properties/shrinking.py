"""Smaller arguments: what a reader should see of a broken rule is the simplest call that still breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nucleate_sandbox import Json, JsonObject, canonical


def shrunk(values: JsonObject, still: Callable[[JsonObject], bool], *, tries: int) -> JsonObject:
    """Return the simplest arguments found for which `still` is true, after at most so many tries."""
    best, tried = values, {canonical(values)}
    while True:
        for other in simpler(best):
            if canonical(other) in tried:
                continue
            if len(tried) > tries:
                return best
            tried.add(canonical(other))
            if still(other):
                best = other
                break
        else:
            return best


def simpler(values: JsonObject) -> Iterator[JsonObject]:
    """Yield arguments of which one value is missing or simpler, the simplest first."""
    for name, value in values.items():
        yield {key: item for key, item in values.items() if key != name}
        yield from ({**values, name: other} for other in _simpler(value))


def _simpler(value: Json) -> Iterator[Json]:
    match value:
        case bool():
            yield from ([False] if value else [])
        case int() if value:
            yield from (0, int(value / 2), value - (1 if value > 0 else -1))
        case float() if value:
            yield from (0.0, float(round(value)), round(value / 2, 2))
        case str() if value:
            yield from ("", value[: len(value) // 2], value[len(value) // 2 :], value[:-1])
        case list() if value:
            yield from ([], value[: len(value) // 2], value[1:])
            yield from ([*value[:place], other, *value[place + 1 :]]
                        for place, item in enumerate(value) for other in _simpler(item))  # fmt: skip
        case dict():
            yield from simpler(value)
