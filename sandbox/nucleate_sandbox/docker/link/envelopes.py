"""The engine's own frames around what a container without a terminal writes."""

from __future__ import annotations

import struct
from collections.abc import Iterator

ENVELOPE = struct.Struct(">BxxxI")  # the number of the stream, and a length
STDOUT = 1


class Unwrapped:
    """Takes the engine's frames from around what the server wrote."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._left = 0
        self._ours = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the bytes of the server's standard output."""
        at = 0
        while at < len(data):
            if not self._left:
                more = data[at : at + ENVELOPE.size - len(self._head)]
                self._head += more
                at += len(more)
                self._open()
                continue
            part = data[at : at + self._left]
            self._left -= len(part)
            at += len(part)
            if self._ours:
                yield part

    def _open(self) -> None:
        if len(self._head) == ENVELOPE.size:
            stream, self._left = ENVELOPE.unpack(self._head)
            self._ours = stream == STDOUT
            self._head.clear()
