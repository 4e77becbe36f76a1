"""What the stored runs of a scope show of its values, kept up as runs are learned from."""

from __future__ import annotations

from nucleate_codifier import Entities
from nucleate_text_memory import TextMemory


class SeenValues:
    """Reads each run of a scope once. Asked about an earlier task than before, it reads anew up to that one."""

    def __init__(self, memory: TextMemory) -> None:
        self._memory = memory
        self._kept: dict[str, tuple[int, Entities]] = {}

    def until(self, scope: str, task_id: str) -> Entities:
        """Return what the runs show that were stored up to a task: those that came meanwhile do not count."""
        tasks = self._memory.task_ids(scope)
        stop = tasks.index(task_id) + 1 if task_id in tasks else len(tasks)
        read, entities = self._kept.get(scope, (0, Entities()))
        if read > stop:
            read, entities = 0, Entities()
        for task in tasks[read:stop]:
            entities.see(self._memory.trajectory(task))
        self._kept[scope] = stop, entities
        return entities
