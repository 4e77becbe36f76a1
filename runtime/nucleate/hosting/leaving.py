"""What a program does at its end with what is still to be learned: a bounded time for it, then a line that says so."""

from __future__ import annotations

import atexit
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from nucleate.database import OUT, Database, briefly
from nucleate.hosting.hosting import Hosting
from nucleate.jobs import Jobs, JobState
from nucleate.jobs.left import counted, left_to_learn

# Before the interpreter's pools refuse work, where this Python has such a place; else after it.
_AT_END: Callable[[Callable[[], Any]], Any] = getattr(threading, "_register_atexit", atexit.register)


class Leaving:
    """Calls `learn(seconds)`, then prints what `left()` says, once for each that was not released before."""

    def __init__(self, learn: Callable[[float], object], left: Callable[[], str], *, seconds: float) -> None:
        self._learn = learn
        self._left = left
        self._seconds = seconds
        self._waits = False
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Have the process do so at its end."""
        with self._lock:
            new, self._waits = not self._waits, True
        if new:
            _waiting(self)

    def release(self) -> None:
        """Forget it: everything was ended in another way."""
        with self._lock:
            self._waits = False
        _OPEN.discard(self)

    def now(self) -> None:
        """Do it now."""
        if self._seconds > 0:
            self._learn(self._seconds)
        said = self._left()
        if said:
            sys.stderr.write(f"nucleate: {said}\n")


def left(hosting: Hosting, jobs: Jobs) -> str:
    """Say how many jobs and runs wait, and what does them; nothing where none does."""
    hosting.flush()
    said = []
    if hosting.waiting:
        what = "it" if hosting.waiting == 1 else "them"
        said.append(f"{counted(hosting.waiting, 'run')} could not be stored; the next process that can stores {what}")
    said.append(_jobs_left(hosting.database, jobs))
    return "; ".join(filter(None, said))


def _jobs_left(database: Database, jobs: Jobs) -> str:
    """Say how many jobs wait; nothing where nobody can say."""
    with suppress(*OUT), briefly(writes=False):
        return left_to_learn(jobs.counts().get(JobState.QUEUED, 0), database.shown)
    return ""


_OPEN: set[Leaving] = set()
_STARTED = threading.Event()


def _waiting(leaving: Leaving) -> None:
    _OPEN.add(leaving)
    if not _STARTED.is_set():
        _STARTED.set()
        _AT_END(_leave)


def _leave() -> None:
    for leaving in tuple(_OPEN):
        try:
            leaving.now()
        except Exception as fault:  # noqa: BLE001 - the last thing a program does must not be an error of ours
            sys.stderr.write(f"nucleate: what is left to learn could not be looked at ({fault})\n")
