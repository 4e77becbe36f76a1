"""The few tools that are listed by themselves: the most used, in an order that never changes while the server runs."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from nucleate.mcp.catalogue import Served


class Direct:
    """What was listed keeps its place as long as it is served; newcomers follow it, so that prompt caches hold."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._names: list[str] = []
        self._lock = threading.Lock()

    def choose(self, sound: Sequence[Served]) -> tuple[Served, ...]:
        """Return the tools to list, at most so many."""
        known = {item.name: item for item in sound}
        with self._lock:
            self._names = [name for name in self._names if name in known]
            free = self._most - len(self._names)
            others = sorted((item for item in sound if item.name not in self._names), key=_rank)
            self._names += sorted(item.name for item in others[:free])
            return tuple(known[name] for name in self._names)


def _rank(item: Served) -> tuple[int, str]:
    return -item.tool.uses, item.name
