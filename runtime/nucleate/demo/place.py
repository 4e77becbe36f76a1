"""Where the demo puts its database, so that nothing of anybody's is lost."""

from __future__ import annotations

from pathlib import Path

from nucleate.database import open_database
from nucleate.errors import DatabaseUnusable
from nucleate_text_memory import TextMemory

SCOPE = "shop"


def demo_database(location: str) -> str:
    """Return a place for a fresh demo: the given one if it is free or holds an earlier demo, else one beside it."""
    path = Path(location)
    if "://" in location or not path.exists():
        return location
    if not _is_a_demo(location):
        path = path.with_name("demo.db")
    for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        name.unlink(missing_ok=True)
    return str(path)


def _is_a_demo(location: str) -> bool:
    try:
        engine = open_database(location)
    except DatabaseUnusable:
        return False
    scopes = TextMemory(engine).scopes()
    engine.dispose()
    return scopes == [SCOPE]
