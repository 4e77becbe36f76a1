"""Cuts a stream of bytes into lines, none of them longer than a bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

KEPT = 4096


@dataclass(frozen=True, kw_only=True)
class TooLong:
    """A line beyond the bound: how long it was, its beginning and its end."""

    size: int
    head: bytes
    tail: bytes


class Lines:
    """Feed it chunks as they come. What goes beyond the bound is counted and not kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._size = 0
        self._tail = b""

    def feed(self, chunk: bytes) -> Iterator[bytes | TooLong]:
        """Yield each line that the chunk completes."""
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            self._keep(part)
            yield self._line()
        self._keep(rest)

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        self._tail = (self._tail + part[-KEPT:])[-KEPT:]
        if self._size <= self._most:
            self._parts.append(part)
        else:  # past the bound its beginning alone is of use
            self._parts = [b"".join([*self._parts, part[:KEPT]])[:KEPT]]

    def _line(self) -> bytes | TooLong:
        joined, size, tail = b"".join(self._parts), self._size, self._tail
        self._parts, self._size, self._tail = [], 0, b""
        return joined if size <= self._most else TooLong(size=size, head=joined[:KEPT], tail=tail)
