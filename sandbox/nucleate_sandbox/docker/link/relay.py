"""Carries what is said to and by one container's server over one stream, so that all else works as with a socket.

To the rest of the host it is a server on this machine: orders come with descriptors, reports go back, and each
program's channel and output are sockets and pipes. What comes from the stream is passed on strictly in its order, one
frame after the other; while a reader here does not take its bytes nothing more is read, which in the end stops the
program.
"""

from __future__ import annotations

import array
import contextlib
import os
import select
import socket
import threading
from typing import Protocol

from nucleate_sandbox.docker.link.ends import NEXT
from nucleate_sandbox.guest import frames
from nucleate_sandbox.guest.frames import CHANNEL, CONTROL, HEADER, MOST

MAX_ORDER = 64
MAX_UNSENT = 4 * MOST
READS = 8  # in one turn: a flood must not hold up an order
RIGHTS = socket.CMSG_SPACE(3 * array.array("i").itemsize)
AGAIN_SECONDS = 0.02  # TLS and SSH do not always tell when they can go on


class Connection(Protocol):
    """The stream, which never waits: None or 0 say that nothing comes or goes at present."""

    def fileno(self) -> int: ...
    def read(self) -> bytes | None: ...
    def write(self, data: memoryview) -> int: ...
    def close(self) -> None: ...


class HungUp(Exception):
    """One end hung up."""


class RelayedProgram:
    """What the relay holds of one program: the far ends of its channel and its pipes."""

    def __init__(self, descriptors: list[int]) -> None:
        self.ends = dict(zip((CHANNEL, frames.OUTPUT, frames.ERRORS), descriptors, strict=True))
        self.credit = frames.WINDOW
        for descriptor in descriptors:
            os.set_blocking(descriptor, False)

    def drop(self, kind: int) -> None:
        """Close one end."""
        if (descriptor := self.ends.pop(kind, None)) is not None:
            os.close(descriptor)

    def close(self) -> None:
        """Close every end."""
        for kind in tuple(self.ends):
            self.drop(kind)


class Relay:
    """One thread, from the container's start to its end."""

    def __init__(self, connection: Connection, control: socket.socket) -> None:
        self._connection = connection
        self._control = control
        control.setblocking(False)
        self._number = 0
        self._programs: dict[int, RelayedProgram] = {}
        self._coming = bytearray()
        self._going = bytearray()
        self._frame: tuple[int, int, memoryview] | None = None
        self._more = False

    def start(self) -> None:
        """Relay beside the caller's work."""
        threading.Thread(target=self._run, name="nucleate-sandbox-relay", daemon=True).start()

    def _run(self) -> None:
        try:
            while True:
                self._turn()
        except (HungUp, frames.Broken, OSError):
            return
        finally:
            self._connection.close()
            self._control.close()
            for program in self._programs.values():
                program.close()

    def _turn(self) -> None:
        ready = self._ready()
        if self._control.fileno() in ready:
            self._take_order()
        for number, program in tuple(self._programs.items()):
            if program.ends.get(CHANNEL) in ready:
                self._take_message(number, program)
        self._write()
        self._pass_on()
        self._more = all(self._read() for _ in range(READS))

    def _read(self) -> bool:
        """Read from the stream and pass on; False when nothing more comes now, or nothing more may."""
        if self._frame is not None or (data := self._connection.read()) is None:
            return False
        if not data:
            raise HungUp
        self._coming += data
        self._pass_on()
        return True

    def _ready(self) -> set[int]:
        poll = select.poll()
        poll.register(self._control, select.POLLIN | (select.POLLOUT if self._blocked_by(CONTROL) else 0))
        events = (select.POLLIN if self._frame is None else 0) | (select.POLLOUT if self._going else 0)
        if events:
            poll.register(self._connection.fileno(), events)
        for program in self._programs.values():
            self._watch(poll, program)
        patience = 0.0 if self._more else AGAIN_SECONDS * 1000 if self._going else None
        return {descriptor for descriptor, _ in poll.poll(patience)}

    def _watch(self, poll: select.poll, program: RelayedProgram) -> None:
        for kind, descriptor in program.ends.items():
            listens = kind == CHANNEL and program.credit > 0 and len(self._going) < MAX_UNSENT
            waits = self._blocked_by(kind) and self._frame is not None and self._programs.get(self._frame[1]) is program
            if listens or waits:
                poll.register(descriptor, (select.POLLIN if listens else 0) | (select.POLLOUT if waits else 0))

    def _blocked_by(self, kind: int) -> bool:
        return self._frame is not None and self._frame[0] == kind

    def _take_order(self) -> None:
        """Pass an order on; one for a new child comes with the ends that are ours to keep."""
        with contextlib.suppress(BlockingIOError):
            data, ancillary, _, _ = self._control.recvmsg(MAX_ORDER, RIGHTS, socket.MSG_CMSG_CLOEXEC)
            if not data:
                raise HungUp
            if data == NEXT:
                descriptors = array.array("i")
                for _, _, payload in ancillary:
                    descriptors.frombytes(payload)
                self._add(RelayedProgram(list(descriptors)))
            self._say(CONTROL, self._number, data)

    def _add(self, program: RelayedProgram) -> None:
        """Hold the ends of a new program beside those of the one before it, whose last words are still to come."""
        self._number += 1
        self._programs[self._number] = program
        if (old := self._programs.pop(self._number - 2, None)) is not None:
            old.close()

    def _take_message(self, number: int, program: RelayedProgram) -> None:
        """Pass on what goes to the program, as far as its credit reaches."""
        try:
            data = os.read(program.ends[CHANNEL], min(MOST, program.credit)) if program.credit else None
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            program.credit -= len(data)
            self._say(CHANNEL, number, data)
        elif data is not None:
            program.drop(CHANNEL)

    def _say(self, kind: int, number: int, data: bytes) -> None:
        self._going += HEADER.pack(kind, number, len(data)) + data

    def _write(self) -> None:
        while self._going:
            with memoryview(self._going) as view:
                count = self._connection.write(view)
            if not count:
                return
            del self._going[:count]

    def _pass_on(self) -> None:
        """Deliver frames in order until one must wait for its reader, or until there is no whole one."""
        while self._frame is not None or self._next_frame():
            if not self._delivered():
                return
            self._frame = None

    def _next_frame(self) -> bool:
        if len(self._coming) < HEADER.size:
            return False
        kind, number, length = frames.header(self._coming)
        if len(self._coming) < HEADER.size + length:
            return False
        data = memoryview(bytes(self._coming[HEADER.size : HEADER.size + length]))
        del self._coming[: HEADER.size + length]
        self._frame = (kind, number, data)
        return True

    def _delivered(self) -> bool:
        """Pass the frame on; False when its reader does not take all of it now."""
        if self._frame is None:
            return True
        kind, number, data = self._frame
        program = self._programs.get(number)
        if kind == CONTROL:
            return self._report(data)
        if program is None:
            return True
        if kind == frames.CREDIT:
            program.credit = min(frames.WINDOW, program.credit + frames.COUNT.unpack(data)[0])
            return True
        return self._hand_over(program, kind, number, data)

    def _report(self, data: memoryview) -> bool:
        """Give a report, behind all that was said before it."""
        try:
            self._control.send(data)
        except BlockingIOError:
            return False
        return True

    def _hand_over(self, program: RelayedProgram, kind: int, number: int, data: memoryview) -> bool:
        try:
            while data and kind in program.ends:
                data = data[os.write(program.ends[kind], data) :]
        except BlockingIOError:
            self._frame = (kind, number, data)
            return False
        except OSError:
            program.drop(kind)
        return True
