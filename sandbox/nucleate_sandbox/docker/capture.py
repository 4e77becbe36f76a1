"""Keeps the head and the tail of a stream that may never end."""

from __future__ import annotations

from nucleate_sandbox.outcome import Output


class Capture:
    """Bytes of one stream: the first half of the limit, the last half, and how many there were."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def feed(self, data: bytes) -> None:
        """Take more bytes of the stream."""
        self.total += len(data)
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        if len(self._tail) > 4 * self._half:
            del self._tail[: -self._half]

    def output(self) -> Output:
        """Return what is kept, and start afresh."""
        left_out = max(0, len(self._tail) - self._half, self.total - len(self._head) - self._half)
        tail = bytes(self._tail[-self._half :])
        parts = [_text(self._head), f"\n… {left_out} bytes left out …\n" if left_out else "", _text(tail)]
        if not left_out:
            parts = [_text(bytes(self._head) + tail)]
        output = Output(text="".join(parts), total_bytes=self.total)
        self._head, self._tail, self.total = bytearray(), bytearray(), 0
        return output


def _text(data: bytes | bytearray) -> str:
    return bytes(data).decode("utf-8", "replace")
