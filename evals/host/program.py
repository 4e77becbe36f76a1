"""The program: twenty small tasks of an agent, recorded or not; prints what it answered and how long each task took.

`python -m evals.host.program DATABASE [delete]`; the database `-` is none: the same program without recording.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from nucleate.recording import FunctionEnvironment, recorded
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings

TASKS = 20
DELETED_AT = 5
VALUES: tuple[Any, ...] = ("plain", float("nan"), {1, 2}, b"\xff", "x" * 5_000_000, object(), {1: "a", "1": "b"})


@recorded
def look(number: int, value: object) -> object:
    """Look something up."""
    return (number, value)


def task(number: int) -> bool:
    """Do a task; True where the very values came back."""
    value = VALUES[number % len(VALUES)]
    answer = look(number, value)
    return isinstance(answer, tuple) and answer[1] is value


def main(database: str, *, delete: bool) -> None:
    """Do the tasks."""
    began = time.perf_counter()
    opened: Callable[[str], Any] = lambda _query: nullcontext()  # noqa: E731
    if database != "-":
        desk = FunctionEnvironment("desk", [look], effects={"look": "read"})
        opened = Runtime(desk, settings=Settings(database=database)).record
    times, answers = [time.perf_counter() - began], list[bool]()
    for number in range(TASKS):
        if delete and number == DELETED_AT:
            for path in Path(database).parent.glob(f"{Path(database).name}*"):
                path.unlink() if path.is_file() else None
        began = time.perf_counter()
        with opened(f"Look at {number}."):
            answers.append(task(number))
        times.append(time.perf_counter() - began)
    sys.stdout.write(json.dumps({"answers": answers, "milliseconds": [1000 * seconds for seconds in times]}))


if __name__ == "__main__":
    main(sys.argv[1], delete="delete" in sys.argv)
