"""One private socket to the host: frames of JSON, each with its length in four bytes before it."""

from __future__ import annotations

import json
import os
import struct
from _thread import allocate_lock
from typing import Any, NoReturn

HEADER = struct.Struct(">I")
ENCODED = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
DECODED = json.JSONDecoder().decode


class TooLarge(ValueError):
    """A message does not fit into the frame that the host accepts."""


class Channel:
    """Sends and receives whole messages; one exchange at a time, also when the program has threads."""

    def __init__(self, descriptor: int, max_bytes: int = 0) -> None:
        self.max_bytes = max_bytes
        self._descriptor = descriptor
        self._lock = allocate_lock()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and return the host's answer."""
        with self._lock:
            self.send(message)
            return self.receive()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that ends the exchange, once a thread's question has been answered."""
        with self._lock:
            self.send(message)

    def send(self, message: dict[str, Any]) -> None:
        """Send one message, or raise TooLarge before a byte is sent."""
        data = ENCODED(message).encode("utf-8")
        if len(data) > self.max_bytes:
            raise TooLarge(f"{len(data)} bytes of JSON; the limit is {self.max_bytes}")
        rest = memoryview(HEADER.pack(len(data)) + data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def receive(self) -> dict[str, Any]:
        """Return the next message; the host's end of the conversation ends this process."""
        (length,) = HEADER.unpack(self._exactly(HEADER.size))
        message = DECODED(self._exactly(length).decode("utf-8"))
        if not isinstance(message, dict):
            _leave()
        return message

    def _exactly(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = os.read(self._descriptor, min(count - len(parts), 1 << 20))
            if not part:
                _leave()
            parts += part
        return bytes(parts)


def _leave() -> NoReturn:
    os._exit(0)
