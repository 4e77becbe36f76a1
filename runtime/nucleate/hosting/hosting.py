"""What a recorded program meets while the database cannot be used: nothing. Its runs wait, and one warning says so."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from nucleate.database import OUT, SHORT_MILLISECONDS, Database, briefly, is_busy
from nucleate.errors import NucleateError
from nucleate.hosting.spool import Spool, SpoolFull
from nucleate.recording.unharmed import say_once
from nucleate_sandbox import FunctionError, SandboxError
from nucleate_text_memory import Trajectory

T = TypeVar("T")
PAUSE = 1.0
SHORT_PAUSE = 0.1  # while others who have the database may be done at once
EXIT_MILLISECONDS = 250
MOST_HELD = 100  # runs that are kept in memory where not even the spool takes them


class Hosting:
    """Stands between a program and the database.

    `strict` raises what goes wrong, for those who want the error: as DatabaseUnusable, after the usual waiting.
    """

    def __init__(self, database: Database, *, strict: bool) -> None:
        self.database = database
        self.strict = strict
        self.spool = Spool(*_folders(database))
        self._held: deque[Trajectory] = deque(maxlen=MOST_HELD)
        self._again = 0.0
        self._since: float | None = None
        self._lock = threading.Lock()
        self.opened: Callable[[], object] = lambda: None

    @property
    def out(self) -> bool:
        """Return whether the database could not be used when it was last tried."""
        return self._again > 0.0

    @property
    def waiting(self) -> int:
        """Return how many runs wait outside of the database."""
        return len(self.spool) + len(self._held)

    def open(self) -> None:
        """Make sure of the database; where it is another one than before, what rests on it hears of it."""
        if self.database.open():
            self.opened()

    def attempt(self, do: Callable[[], T], otherwise: T, *, what: str, writes: bool = False) -> T:
        """Return what `do` gives, or the other value where the database is out of order.

        While it is, it is tried again once in a second. Errors of the caller's are raised.
        """
        if self.strict:
            return self._strictly(do)
        if time.monotonic() < self._again:
            return otherwise
        try:
            with briefly(writes=writes):
                self.open()
                value = do()
        except OUT as fault:
            self._failed(fault)
            return otherwise
        except (NucleateError, FunctionError, SandboxError):
            raise
        except Exception as fault:  # noqa: BLE001 - an embedder, say: what it does is no matter of the program's
            say_once(f"{id(self)}: {what}: {type(fault).__name__}", f"{what} failed ({fault}); the program goes on")
            return otherwise
        self.well()
        return value

    def well(self) -> None:
        """Take in that the database can be used."""
        self._again, self._since = 0.0, None

    def settle(self, milliseconds: int = SHORT_MILLISECONDS) -> bool:
        """Return whether the database can be used, after a short wait for those who have it."""
        try:
            with briefly(writes=True, milliseconds=milliseconds):
                self.open()
                with self.database.engine.begin():
                    pass
        except OUT:
            return False
        self.well()
        return True

    def keep(self, trajectory: Trajectory) -> None:
        """Let a run wait beside the database, or in memory where nothing can be written; say once what is lost."""
        try:
            self.spool.put(trajectory)
        except (OSError, SpoolFull) as fault:
            lost = len(self._held) == MOST_HELD
            self._held.append(trajectory)
            kept = "the oldest are lost" if lost else "runs are kept in memory"
            say_once(f"{id(self)}: {kept}", f"nothing can wait in {str(self.spool.folders[0])!r} ({fault}); {kept}")

    def take_in(self, store: Callable[[Trajectory], object]) -> int:
        """Store what waits, the oldest first; return how many runs there were."""
        taken = self.spool.take_in(store)
        with self._lock:
            while self._held:
                store(self._held[0])
                self._held.popleft()
                taken += 1
        return taken

    def flush(self) -> None:
        """Try once more to bring what is held in memory onto a disk: the process ends."""
        while self._held:
            try:
                self.spool.put(self._held[0])
            except (OSError, SpoolFull):
                return
            self._held.popleft()

    def _failed(self, fault: Exception) -> None:
        """Say so: at once, but of a database that is busy only when it has been for a while."""
        now = time.monotonic()
        self._since = self._since or now
        passing = is_busy(fault) and now - self._since < PAUSE
        self._again = now + (SHORT_PAUSE if passing else PAUSE)
        if not passing:
            say_once(f"{id(self)}: out", f"{_said(fault)}; what is recorded meanwhile is kept, and taken in later")

    def _strictly(self, do: Callable[[], T]) -> T:
        try:
            self.open()
            return do()
        except SQLAlchemyError as fault:
            raise self.database.unusable(fault) from fault


def _said(fault: Exception) -> str:
    cause = getattr(fault, "orig", None)
    return str(fault) if cause is None else f"the database cannot be used ({cause})"


def _folders(database: Database) -> list[Path]:
    """Return the folder beside a database that is a file, and one in the user's cache where that cannot be written."""
    beside = [] if database.place is None else [database.place.with_name(f"{database.place.name}.spool")]
    place = str(database.place.absolute()) if database.place is not None else str(database.engine.url)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [*beside, cache / "nucleate" / "spool" / sha256(place.encode()).hexdigest()[:16]]
