"""Several racers over one database, each with connections of its own and slow enough that all look before one writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeAlias

from sqlalchemy import Engine, event

from nucleate.database import open_database

Racer: TypeAlias = Callable[[Engine], object]
BREATH = 0.004  # seconds after each statement, in which another racer comes in


def race(database: str, *racers: Racer) -> list[object]:
    """Start every racer at once; return what each gave, or the error that it raised, in their order."""
    start = Barrier(len(racers))

    def run(racer: Racer) -> object:
        engine = open_database(database)
        event.listen(engine, "after_cursor_execute", _breathe)
        try:
            start.wait()
            return racer(engine)
        except Exception as error:  # noqa: BLE001 - what a racer meets is what the test is about
            return error
        finally:
            engine.dispose()

    with ThreadPoolExecutor(len(racers)) as pool:
        return list(pool.map(run, racers))


def errors(found: Sequence[object]) -> list[str]:
    """Return the kinds of the errors that racers met, sorted."""
    return sorted(type(one).__name__ for one in found if isinstance(one, Exception))


def _breathe(*_: Any) -> None:
    time.sleep(BREATH)
