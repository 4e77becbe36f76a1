"""Where a value stands inside a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_sandbox import Json

MOST_PLACES = 60
MOST_PATHS = 600

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
