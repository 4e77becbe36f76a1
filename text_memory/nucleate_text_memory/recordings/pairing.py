"""Calls wait for their answers: an answer belongs to the first open call that has its id, since ids may repeat."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class OpenCalls(Generic[T]):
    """The calls that are not answered yet, by id, in the order in which they were made."""

    def __init__(self) -> None:
        self._open: defaultdict[str | None, deque[T]] = defaultdict(deque)

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    def ask(self, id_: str | None, call: T) -> None:
        """Remember a call."""
        self._open[id_].append(call)

    def answer(self, id_: str | None) -> T | None:
        """Return the call that an answer belongs to, which is open no more; None where there is none."""
        return self._open[id_].popleft() if self._open[id_] else None
