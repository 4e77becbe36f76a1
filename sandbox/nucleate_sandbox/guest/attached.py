"""The way to a host elsewhere: the container's standard input and output carry all that a program and the host say.

Process 1 keeps both for itself and passes on what it reads, in order and without a look inside. It holds little: what
comes for a program is bounded by the host's credit, what goes to the host by a buffer that stops the reading when full.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import socket
from typing import Any

from .buffer import Buffer
from .frames import CHANNEL, CONTROL, COUNT, CREDIT, ERRORS, HEADER, MOST, OUTPUT, WINDOW, header

FIRST = 10  # the lowest number for the server's own two descriptors
SPARE = 4096  # kept free of a program's bytes, for reports


class Attached:
    """Relays for one child at a time, inside the server's only thread."""

    def __init__(self) -> None:
        self._input, self._output = (_taken(number) for number in (0, 1))
        os.dup2(2, 1)
        self._coming, self._going = Buffer(2 * MOST), Buffer(8 * MOST + SPARE)
        self._heard = Buffer(WINDOW)
        self._program = 0
        self._uncredited = 0
        self._ends: dict[int, int] = {}

    def wait(self, child: int | None) -> bytes | None:
        """Relay until there is an order, or until the child has ended: then None."""
        while True:
            if (order := self._next_order()) is not None:
                return order
            ready = self._ready(child)
            if self._input in ready:
                self._hear()
            elif child is not None and child in ready:
                return None
            self._serve(ready)
            self._flush()

    def tell(self, message: dict[str, Any]) -> None:
        """Queue a report behind what the program wrote."""
        self._say(CONTROL, json.dumps(message).encode("utf-8"))

    def settle(self) -> None:
        """Pass on all that a child left, which nobody can add to any more."""
        for kind in tuple(self._ends):
            self._make_way()
            while self._read(kind):
                self._make_way()
            self._close(kind)
        self._heard.clear()

    def descriptors(self) -> list[int]:
        """Make a channel and two pipes for the next child, and return its ends of them."""
        here, there = socket.socketpair()
        out, errors = os.pipe(), os.pipe()
        self._ends = {CHANNEL: here.detach(), OUTPUT: out[0], ERRORS: errors[0]}
        for descriptor in self._ends.values():
            os.set_blocking(descriptor, False)
        self._program += 1
        self._uncredited = 0
        return [there.detach(), out[1], errors[1]]

    def _next_order(self) -> bytes | None:
        """Pass on whole frames for the child up to the next order."""
        coming = self._coming
        while len(coming) >= HEADER.size:
            kind, program, length = header(coming.view, coming.start)
            if len(coming) < HEADER.size + length:
                return None
            data = coming.view[coming.start + HEADER.size : coming.start + HEADER.size + length]
            coming.start += HEADER.size + length
            if kind == CONTROL:
                return bytes(data)
            if kind == CHANNEL and program == self._program and CHANNEL in self._ends:
                self._pass_on(data)
        return None

    def _pass_on(self, data: memoryview) -> None:
        if self._heard.room() < len(data):  # more than its credit: no host of ours
            os._exit(1)
        self._heard.put(data)
        self._deliver()

    def _deliver(self) -> None:
        try:
            self._uncredited += self._heard.drain(self._ends[CHANNEL])
        except OSError:
            return self._close(CHANNEL)
        if self._uncredited >= WINDOW // 2:
            self._say(CREDIT, COUNT.pack(self._uncredited))
            self._uncredited = 0
        return None

    def _ready(self, child: int | None) -> set[int]:
        """Wait for anything that can go on; what a child says must wait while there is no room for it."""
        poll = select.poll()
        poll.register(self._input, select.POLLIN)
        if child is not None:
            poll.register(child, select.POLLIN)
        if self._going:
            poll.register(self._output, select.POLLOUT)
        hears = select.POLLIN if self._has_room() else 0
        for kind, descriptor in self._ends.items():
            events = hears | (select.POLLOUT if kind == CHANNEL and self._heard else 0)
            if events:
                poll.register(descriptor, events)
        return {descriptor for descriptor, _ in poll.poll()}

    def _serve(self, ready: set[int]) -> None:
        """Pass on what is there; before a message all that was written before it, which one reading of a pipe takes."""
        kinds = {kind for kind, descriptor in self._ends.items() if descriptor in ready}
        if CHANNEL in kinds:
            if self._heard:
                self._deliver()
            kinds |= {OUTPUT, ERRORS}
        if self._has_room():
            for kind in (OUTPUT, ERRORS, CHANNEL):
                if kind in kinds & self._ends.keys():
                    self._read(kind)

    def _hear(self) -> None:
        """Read from the host; its death ends the container."""
        try:
            if not self._coming.fill(self._input):
                os._exit(0)
        except BlockingIOError:
            return

    def _has_room(self) -> bool:
        """Tell whether a frame of each kind fits."""
        return self._going.room() >= 3 * (HEADER.size + MOST) + SPARE

    def _read(self, kind: int) -> bool:
        """Make a frame of what the child has said; False when that is nothing."""
        going = self._going
        start = going.end
        place = going.view[start + HEADER.size : start + HEADER.size + MOST]
        try:
            count = os.readv(self._ends[kind], [place])
        except BlockingIOError:
            return False
        except OSError:
            count = 0
        if not count:
            self._close(kind)
            return False
        HEADER.pack_into(going.view, start, kind, self._program, count)
        going.end += HEADER.size + count
        return True

    def _say(self, kind: int, data: bytes) -> None:
        while self._going.room() < HEADER.size + len(data):
            self._wait_to_write()
        self._going.put(HEADER.pack(kind, self._program, len(data)) + data)
        self._flush()

    def _make_way(self) -> None:
        while not self._has_room():
            self._wait_to_write()

    def _wait_to_write(self) -> None:
        select.select([], [self._output], [])
        self._flush()

    def _flush(self) -> None:
        try:
            self._going.drain(self._output)
        except OSError:
            os._exit(0)

    def _close(self, kind: int) -> None:
        if (descriptor := self._ends.pop(kind, None)) is not None:
            os.close(descriptor)


def _taken(number: int) -> int:
    """Return a standard stream under a number that no child keeps; it is not waited for."""
    descriptor = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, FIRST)
    os.set_blocking(descriptor, False)
    return descriptor
