"""Waits until a file of a repository differs from what it was."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

SECONDS = 0.5  # between two looks: a look reads no file, only when each was written and how large it is
WATCHED = frozenset({".py", ".jsonl", ".json", ".toml", ".txt", ".yaml", ".yml"})


def wait_for_a_change(paths: Iterable[Path], *, seconds: float = SECONDS) -> None:
    """Return once a file at or below these paths, or a configuration above them, came, went or was written."""
    places = [path.resolve() for path in paths]
    before = _look(places)
    while _look(places) == before:
        time.sleep(seconds)


def _look(places: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    found: dict[Path, tuple[int, int]] = {}
    for place in places:
        folder = place if place.is_dir() else place.parent
        files = [*folder.rglob("*"), *(above / "pyproject.toml" for above in folder.parents)]
        for path in files:
            if path.suffix in WATCHED and path.is_file():
                status = path.stat()
                found[path] = (status.st_mtime_ns, status.st_size)
    return found
