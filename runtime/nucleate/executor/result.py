"""What a run came to."""

from __future__ import annotations

from dataclasses import dataclass

from nucleate.executor.budgets import RunEnding, RunSpent
from nucleate_sandbox import Json
from nucleate_text_memory import Trajectory


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """The answer, how the run ended, what it used, and the trajectory that was stored.

    `error` says in words what stopped a run that did not finish. `calls` were made at the top, tools counted as one
    each; `saved` is how many more it would have been without `tools`, those that
    were called, in order of first use.
    """

    ending: RunEnding
    answer: Json
    error: str
    spent: RunSpent
    saved: int
    selected: tuple[str, ...]
    trajectory: Trajectory
    tools: tuple[str, ...] = ()

    @property
    def task_id(self) -> str:
        """Return the id under which the run is stored."""
        return self.trajectory.task_id

    @property
    def finished(self) -> bool:
        """Return whether the model said that it is done."""
        return self.ending is RunEnding.FINISHED

    @property
    def calls(self) -> int:
        """Return the number of calls at the top."""
        return len(self.trajectory.steps)
