"""Keeps the head and the tail of an output that may never end."""

from __future__ import annotations

from nucleate_sandbox.outcome import Output


class HeadAndTail:
    """Bytes of one stream: the first half of the limit, the last half, and how many there were in all."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def feed(self, data: bytes) -> None:
        """Take more bytes of the stream; the memory used stays within twice the limit and the data."""
        self._total += len(data)
        room = max(0, self._half - len(self._head))
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 4 * self._half:
            del self._tail[: -self._half]

    def output(self) -> Output:
        """Return what was kept; a gap says how many bytes it leaves out."""
        tail = self._tail[-self._half :]
        left_out = self._total - len(self._head) - len(tail)
        if not left_out:
            return Output(text=_text(self._head + tail), total_bytes=self._total)
        text = f"{_text(self._head)}\n… {left_out} bytes left out …\n{_text(tail)}"
        return Output(text=text, total_bytes=self._total)


def _text(data: bytearray) -> str:
    return data.decode("utf-8", "replace")
