"""Short ways to write trajectories, and an embedder that is easy to reckon with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nucleate_text_memory import Reflection, Step, StepError, TextMemory, Trajectory
from nucleate_text_memory.embedding.embedders import Vectors
from nucleate_text_memory.errors import EmbedderUnavailable


def ok(function: str, result: Any = None, **arguments: Any) -> Step:
    """Return a call that succeeded."""
    return Step(function=function, arguments=arguments, result=result)


def failed(function: str, message: str, kind: str = "EnvironmentError", **arguments: Any) -> Step:
    """Return a call that failed."""
    return Step(function=function, arguments=arguments, error=StepError(kind=kind, message=message))


def run(
    task_id: str, *steps: Step, query: str = "", environment: str = "shop", success: bool | None = None
) -> Trajectory:
    """Return a trajectory; without a query of its own, every task asks something else."""
    query = query or f"do {task_id}"
    return Trajectory(task_id=task_id, query=query, environment=environment, steps=steps, success=success)


def learn(memory: TextMemory, *trajectories: Trajectory) -> list[Reflection]:
    """Store and reflect on each trajectory, in order."""
    reflections = []
    for trajectory in trajectories:
        memory.store(trajectory)
        reflections.append(memory.reflect(trajectory.task_id))
    return reflections


class LetterEmbedder:
    """A vector of how often each of the letters a to d occurs."""

    def __init__(self, model: str = "letters", dimension: int = 4) -> None:
        self.model = model
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the normalised counts."""
        counts = np.array([[text.count(letter) for letter in "abcdefgh"[: self.dimension]] for text in texts])
        lengths = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1)
        rows: Vectors = (counts / lengths).astype(np.float32)
        return rows


class MissingEmbedder:
    """A model whose files are not installed."""

    model, dimension = "missing", 4

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Refuse."""
        raise EmbedderUnavailable("no file 'weights'; install it")
