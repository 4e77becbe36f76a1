"""A small API in the benchmark's manner: a counter with a drawer, in place of its eight classes."""

from __future__ import annotations

import random
from typing import Any

from evals.bfcl.environment import BfclEnvironment
from nucleate_sandbox import Effect, FunctionSpec


class Node:
    """A folder that knows its parent."""

    def __init__(self, parent: Node | None) -> None:
        self.parent = parent
        self.children = [] if parent else [Node(self)]


class Counter:
    """Counts, and reports its errors as the benchmark's classes do."""

    def __init__(self) -> None:
        self._api_description = "A counter."
        self._random = random.Random(7)
        self.total = 0
        self.root = Node(None)

    def add(self, amount: int, times: int = 1) -> dict[str, Any]:
        """Add an amount a number of times."""
        if amount < 0:
            return {"error": "Amount must not be negative"}
        self.total += amount * times
        return {"total": self.total, "steps": (amount, times)}

    def draw(self) -> dict[str, Any]:
        """Draw a number."""
        return {"drawn": self._random.random()}


def counter() -> BfclEnvironment:
    """Return a fresh counter as an environment."""
    names = {"desk.add": Effect.WRITE, "desk.draw": Effect.WRITE}
    specs = {name: FunctionSpec(name=name, effect=effect) for name, effect in names.items()}
    return BfclEnvironment(specs, {"desk": Counter()})
