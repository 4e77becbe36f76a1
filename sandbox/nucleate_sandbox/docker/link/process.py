"""The host's hold on one forked child: its channel, its output, its end."""

from __future__ import annotations

import json
import os
import select
import socket
import time
from dataclasses import dataclass

from nucleate_sandbox.capture import HeadAndTail
from nucleate_sandbox.docker.link.ends import END, LOOK, Ends
from nucleate_sandbox.docker.link.watch import LOOK_SECONDS, Watch
from nucleate_sandbox.docker.link.wire import FRAME_MARGIN, Frames, Violation, encode
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.limits import FLOOD_BYTES, Limit, Limits
from nucleate_sandbox.outcome import Output
from nucleate_sandbox.stopping import Stop, Stopped

CHUNK = 1 << 18
CHUNKS = 4  # of one descriptor at a time: a flood must not hide the deadline
END_SECONDS = 20.0
GONE = "the sandbox container ended in the middle of a program; call again, or look with `nucleate doctor`"


class LimitHit(Exception):
    """The program reached a limit that the host watches."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit.value)
        self.limit = limit


class Gone(SandboxError):
    """The container ended under the program."""

    def __init__(self) -> None:
        super().__init__(GONE)


class Exited(Exception):
    """The child's process ended before it sent a result."""


@dataclass(frozen=True, kw_only=True)
class ChildEnd:
    """What the server reports of a child that is no more. `clean` is false when something of it stayed."""

    status: int
    cpu: float
    peak: int
    oom: bool
    clean: bool


class Process:
    """Sends messages to a child and receives them, while its output is read and its deadline is watched."""

    def __init__(self, *, control: socket.socket, ends: Ends, limits: Limits, stop: Stop) -> None:
        self._control = control
        self._ends = ends
        self._channel = ends.channel
        self._frames = Frames(limits.result_bytes + FRAME_MARGIN)
        self._unsent = memoryview(b"")
        self._streams = ends.streams
        self.limits = limits
        self._captures = self._fresh_captures()
        self._written = 0
        self._poll = select.poll()
        self._silent: set[int] = set()
        self._watch = Watch(limits.cpu_seconds)
        self._stop = stop
        self.ended: ChildEnd | None = None
        for descriptor in (control.fileno(), self._channel.fileno(), *self._streams):
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)

    def send(self, message: JsonObject) -> None:
        """Queue a message; it leaves while `receive` waits, so that a child that does not read holds up nobody.

        Child and host speak in turn: a child that has not read the last message may not cause another.
        """
        if self._unsent:
            raise Violation("a message before it had read the answer to the one before")
        self._unsent = memoryview(encode(message))
        self._write()

    def start(self, mode: str, request: JsonObject) -> None:
        """Make the waiting child a program: its first message bears its limits."""
        self.send({**request, "mode": mode, "limits": _limits(self.limits)})

    def resume(self, request: JsonObject) -> None:
        """Give a session its next block; raise Violation when the one before it has left a message behind."""
        self._read_channel()
        if self._frames:
            raise Violation("a message after its result")
        self._watch = Watch(self.limits.cpu_seconds)
        self.send(request)

    def receive(self, deadline: float) -> JsonObject:
        """Return the child's next message; raise LimitHit, Violation, Stopped, or Exited when there will be none."""
        while True:
            now = time.monotonic()
            if now >= deadline:
                raise LimitHit(Limit.WALL)
            if (message := self._frames.next()) is not None:
                return message
            if self.ended is not None:
                raise Exited
            if self._stop.given:
                raise Stopped
            if self._watch.due(now):
                self._order(LOOK)
            self._pump(min(deadline - now, LOOK_SECONDS))
            if self._written > FLOOD_BYTES:
                raise LimitHit(Limit.OUTPUT)
            if self._watch.over:
                raise LimitHit(Limit.CPU)

    def output(self) -> tuple[Output, Output]:
        """Return what the child wrote since the last time."""
        for descriptor in self._streams:
            self._read_stream(descriptor)
        out, errors = (self._captures[descriptor].output() for descriptor in self._streams)
        self._captures, self._written = self._fresh_captures(), 0
        return out, errors

    def end(self) -> ChildEnd:
        """Kill whatever is left of the program, and wait until the server has swept it away."""
        if self.ended is None:
            self._order(END)
        return self.wait_for_end()

    def wait_for_end(self) -> ChildEnd:
        """Wait until the server, which was told to, has swept the program away."""
        give_up = time.monotonic() + END_SECONDS
        while self.ended is None:
            self._pump(give_up - time.monotonic())
            if time.monotonic() >= give_up:
                raise Gone
        return self.ended

    def close(self) -> None:
        """Release the descriptors."""
        self._ends.close()

    def _order(self, order: bytes) -> None:
        try:
            self._control.send(order)
        except OSError as error:
            raise Gone from error

    def _fresh_captures(self) -> dict[int, HeadAndTail]:
        return {descriptor: HeadAndTail(self.limits.output_bytes) for descriptor in self._streams}

    def _pump(self, seconds: float) -> None:
        for descriptor, _ in self._poll.poll(max(0.0, seconds) * 1000):
            if descriptor == self._control.fileno():
                self._read_channel()
                self._read_control()
            elif descriptor == self._channel.fileno():
                self._write()
                self._read_channel()
            else:
                self._read_stream(descriptor)

    def _read_channel(self) -> None:
        try:
            for _ in range(CHUNKS):
                if not (data := self._channel.recv(CHUNK)):
                    break
                self._frames.feed(data)
            else:
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._forget(self._channel.fileno())

    def _read_control(self) -> None:
        try:
            data = self._control.recv(FRAME_MARGIN)
        except BlockingIOError:
            return None
        except OSError as error:
            raise Gone from error
        if not data:
            raise Gone
        told = json.loads(data)
        if told["do"] == "look":
            return self._watch.saw(told["cpu"])
        self.ended = ChildEnd(**{name: told[name] for name in ("status", "cpu", "peak", "oom", "clean")})
        return None

    def _read_stream(self, descriptor: int) -> None:
        try:
            for _ in range(CHUNKS):
                if not (data := os.read(descriptor, CHUNK)):
                    return self._forget(descriptor)
                self._captures[descriptor].feed(data)
                self._written += len(data)
        except BlockingIOError:
            return None

    def _write(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[self._channel.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = memoryview(b"")
        if self._channel.fileno() not in self._silent:
            self._poll.modify(self._channel.fileno(), select.POLLIN | (select.POLLOUT if self._unsent else 0))

    def _forget(self, descriptor: int) -> None:
        """Stop waiting for a descriptor whose other end is closed."""
        if descriptor not in self._silent:
            self._silent.add(descriptor)
            self._poll.unregister(descriptor)


def _limits(limits: Limits) -> JsonObject:
    return {
        "cpu_seconds": limits.cpu_seconds,
        "memory_bytes": limits.memory_bytes,
        "disk_bytes": limits.disk_bytes,
        "open_files": limits.open_files,
        "frame_bytes": limits.result_bytes + FRAME_MARGIN,
    }
