"""A memory in a database of its own, that is gone at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from nucleate.database import open_database
from nucleate_text_memory import TextMemory


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


@contextmanager
def opened(*, clock: Callable[[], datetime] = now) -> Iterator[TextMemory]:
    """Open a memory on a new database file, as the product opens it."""
    with TemporaryDirectory() as folder:
        engine = open_database(str(Path(folder) / "memory.db"))
        try:
            yield TextMemory(engine, clock=clock)
        finally:
            engine.dispose()
