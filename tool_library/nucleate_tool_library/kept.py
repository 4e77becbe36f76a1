"""What was made of the library, kept until a tool changes, by whatever process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from nucleate_tool_library.library import ToolLibrary

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
MOST = 1_000


class Kept(Generic[K, V]):
    """Makes a value for each key, and makes it again after a change. Uses are counted without being a change."""

    def __init__(self, library: ToolLibrary, make: Callable[[K], V]) -> None:
        self._library = library
        self._make = make
        self._values: dict[K, tuple[int, V]] = {}
        self._lock = threading.Lock()

    def get(self, key: K) -> V:
        """Return the value of a key as of now."""
        revision = self._library.revision()  # before the value is made: a change in between is seen the next time
        with self._lock:
            kept = self._values.get(key)
        if kept is None or kept[0] != revision:
            kept = revision, self._make(key)
            with self._lock:
                if len(self._values) >= MOST:
                    self._values.clear()
                self._values[key] = kept
        return kept[1]
