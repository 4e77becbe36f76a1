"""Where a run goes when it has ended: into the database and to learning, or beside it until that is possible."""

from __future__ import annotations

from collections.abc import Callable

from nucleate import events
from nucleate.database import SHORT_MILLISECONDS, briefly
from nucleate.hosting.attaching import Attaching
from nucleate.hosting.hosting import Hosting
from nucleate.recording.unharmed import left_out
from nucleate.recording.whole import storable
from nucleate_text_memory import TextMemory, Trajectory

Schedule = Callable[[str, str], object]


class Keeping:
    """Keeps runs. `schedule` queues what is to be learned from one, and `wake` says that there is work."""

    def __init__(
        self,
        hosting: Hosting,
        attaching: Attaching,
        *,
        memory: TextMemory,
        schedule: Schedule,
        wake: Callable[[], object],
        listen: events.Listener,
    ) -> None:
        self._hosting = hosting
        self._attaching = attaching
        self._memory = memory
        self._schedule = schedule
        self._wake = wake
        self._listen = listen

    def keep(self, trajectory: Trajectory) -> bool:
        """Store a run, or let it wait; False if it was stored before."""
        whole = storable(trajectory)
        new = self._hosting.attempt(lambda: self._store(whole), None, what="storing a task", writes=True)
        if new is None:
            self._hosting.keep(self._memory.cleaned(whole))
        self._wake()
        return new is not False

    def recorded(self, trajectory: Trajectory) -> None:
        """Keep what was recorded; what goes wrong with it is no matter of the program that was recorded."""
        with left_out(f"the task {trajectory.task_id!r}"):
            self.keep(trajectory)

    def catch_up(self) -> None:
        """Do what could not be done while the database was out of order."""
        with briefly(writes=True, milliseconds=SHORT_MILLISECONDS):
            self._hosting.open()
            self._attaching.late()
            self._hosting.take_in(self._store)
        self._hosting.well()

    def _store(self, trajectory: Trajectory) -> bool:
        new = self._memory.store(trajectory)
        if new:
            self._listen(events.TaskStored(trajectory=trajectory))
        self._schedule(trajectory.task_id, trajectory.environment)
        return new
