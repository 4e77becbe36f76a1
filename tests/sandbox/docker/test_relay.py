"""The relay to a container that is reached over the engine's connection, without an engine."""

from __future__ import annotations

import array
import os
import socket
from collections.abc import Iterator

import pytest

from nucleate_sandbox.docker.link.envelopes import Unwrapped
from nucleate_sandbox.docker.link.relay import Relay
from nucleate_sandbox.guest.frames import CHANNEL, CONTROL, CREDIT, ERRORS, HEADER, MOST, OUTPUT, WINDOW


class Wire:
    """One end of a socket as the relay reads and writes it; the other end is the server's."""

    def __init__(self) -> None:
        self._here, self.server = socket.socketpair()
        self._here.setblocking(False)
        self.server.settimeout(60)

    def fileno(self) -> int:
        return self._here.fileno()

    def read(self) -> bytes | None:
        try:
            return self._here.recv(1000)
        except BlockingIOError:
            return None

    def write(self, data: memoryview) -> int:
        try:
            return self._here.send(data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        self._here.close()


class World:
    """A relay between a server that the test plays and a host that it plays too."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.control, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(60)
        Relay(self.wire, far).start()
        self.channel, there = socket.socketpair()
        self.channel.settimeout(60)
        (self.out, out), (self.errors, errors) = os.pipe(), os.pipe()
        rights = array.array("i", [there.fileno(), out, errors])
        self.control.sendmsg([b"next"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        there.close()
        os.close(out)
        os.close(errors)
        assert self.heard() == (CONTROL, 1, b"next")

    def say(self, kind: int, program: int, data: bytes) -> None:
        self.wire.server.sendall(HEADER.pack(kind, program, len(data)) + data)

    def heard(self) -> tuple[int, int, bytes]:
        kind, program, length = HEADER.unpack(self._exactly(HEADER.size))
        return kind, program, self._exactly(length)

    def _exactly(self, count: int) -> bytes:
        return self.wire.server.recv(count, socket.MSG_WAITALL)

    def close(self) -> None:
        for end in (self.control, self.channel, self.wire.server):
            end.close()
        os.close(self.out)
        os.close(self.errors)


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    yield world
    world.close()


def test_a_report_arrives_behind_all_that_was_said_before_it(world: World) -> None:
    world.say(OUTPUT, 1, b"out")
    world.say(ERRORS, 1, b"errors")
    world.say(CHANNEL, 1, b"message")
    world.say(CONTROL, 1, b"ended")
    assert world.control.recv(100) == b"ended"
    assert (os.read(world.out, 100), os.read(world.errors, 100)) == (b"out", b"errors")
    assert world.channel.recv(100) == b"message"


def test_what_is_said_of_a_program_that_is_not_there_is_dropped(world: World) -> None:
    world.say(OUTPUT, 7, b"whose")
    world.say(OUTPUT, 1, b"mine")
    assert os.read(world.out, 100) == b"mine"


def test_no_more_is_sent_to_a_program_than_it_has_credit_for(world: World) -> None:
    world.channel.setblocking(False)
    sent, taken = 0, 0
    while taken < WINDOW:
        sent += _send(world.channel)
        kind, program, data = world.heard()
        assert (kind, program) == (CHANNEL, 1)
        taken += len(data)
    assert (taken, sent >= WINDOW) == (WINDOW, True)
    world.control.send(b"look")  # an order goes ahead of bytes that have no credit
    _send(world.channel)
    assert world.heard() == (CONTROL, 1, b"look")
    world.say(CREDIT, 1, (5).to_bytes(4, "big"))
    assert world.heard() == (CHANNEL, 1, b"x" * 5)


def _send(channel: socket.socket) -> int:
    try:
        return channel.send(b"x" * MOST)
    except BlockingIOError:
        return 0


@pytest.mark.parametrize(
    "bad", [HEADER.pack(9, 1, 0), HEADER.pack(OUTPUT, 1, MOST + 1)], ids=["unknown kind", "too long"]
)
def test_a_stream_that_breaks_the_rules_is_ended(world: World, bad: bytes) -> None:
    world.wire.server.sendall(bad)
    assert world.control.recv(100) == b""


def test_a_host_that_hangs_up_ends_the_stream(world: World) -> None:
    world.control.close()
    assert world.wire.server.recv(100) == b""


def test_the_engines_frames_are_taken_off_however_they_are_cut() -> None:
    data = b"\1\0\0\0\0\0\0\3abc\2\0\0\0\0\0\0\2no\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\1d"
    for step in (1, 2, 5, len(data)):
        unwrapped = Unwrapped()
        parts = [part for at in range(0, len(data), step) for part in unwrapped.feed(data[at : at + step])]
        assert b"".join(parts) == b"abcd"
