"""Room of a fixed size for bytes that pass through, which no forked child inherits."""

from __future__ import annotations

import mmap
import os


class Buffer:
    """Bytes from `start` to `end`; they are read and written in place, so that no copy of them stays elsewhere."""

    def __init__(self, size: int) -> None:
        self._map = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._map.madvise(mmap.MADV_DONTFORK)
        self.view = memoryview(self._map)
        self.start = self.end = 0

    def __len__(self) -> int:
        return self.end - self.start

    def room(self) -> int:
        """Move the bytes to the front, and return how many more there is place for."""
        if self.start:
            self._map.move(0, self.start, len(self))
            self.start, self.end = 0, len(self)
        return len(self.view) - self.end

    def fill(self, descriptor: int) -> bool:
        """Read once; False at the end of what is read. Raise BlockingIOError where there is nothing yet."""
        room = self.room()
        count = os.readv(descriptor, [self.view[self.end : self.end + room]])
        self.end += count
        return count > 0

    def drain(self, descriptor: int) -> int:
        """Write what the descriptor takes now, and return how much that was."""
        try:
            count = os.write(descriptor, self.view[self.start : self.end]) if len(self) else 0
        except BlockingIOError:
            return 0
        self.start += count
        return count

    def put(self, data: bytes | memoryview) -> None:
        """Add bytes; there must be room."""
        self.view[self.end : self.end + len(data)] = data
        self.end += len(data)

    def clear(self) -> None:
        """Forget everything."""
        self.start = self.end = 0
