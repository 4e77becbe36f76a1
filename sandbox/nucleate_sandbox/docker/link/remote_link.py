"""A meeting anywhere: the engine carries the container's standard input and output, and a thread here relays them."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import docker
from docker.types import LogConfig

from nucleate_sandbox.docker.engine import outages
from nucleate_sandbox.docker.link.envelopes import Unwrapped
from nucleate_sandbox.docker.link.relay import Relay
from nucleate_sandbox.errors import SandboxError

STREAMS = {"stdin": 1, "stdout": 1, "stream": 1}
WAITING = (BlockingIOError, TimeoutError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
CHUNK = 1 << 16


class Attachment:
    """The engine's connection to the container, which waits for nothing; it may be plain, TLS or SSH."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._socket = getattr(raw, "_sock", raw)
        self._unwrapped = Unwrapped()
        self._socket.setblocking(False)
        with contextlib.suppress(OSError, AttributeError):  # neither means anything to a local socket or to SSH
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self) -> int:
        """Return what can be polled."""
        return int(self._socket.fileno())

    def read(self) -> bytes | None:
        """Return bytes of the server's, none at the end, or None when there are none yet."""
        try:
            while data := self._socket.recv(CHUNK):
                if found := b"".join(self._unwrapped.feed(data)):
                    return found
        except WAITING:
            return None
        return b""

    def write(self, data: memoryview) -> int:
        """Write what goes out now, and return how much that was."""
        try:
            return int(self._socket.send(bytes(data[:CHUNK])))
        except WAITING:
            return 0

    def close(self) -> None:
        """Hang up; the engine closes the server's input then."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self._raw.close()
            self._socket.close()


class RemoteLink:
    """The attachment is made before the start, so that nothing is lost and the server's input ends with it."""

    words: tuple[str, ...] = ("attached",)
    options: Mapping[str, Any] = {"stdin_open": True}
    host_options: Mapping[str, Any] = {"log_config": LogConfig(type="none")}  # the log would hold the programs' data

    def __init__(self) -> None:
        self._attachment: Attachment | None = None

    def prepare(self, client: docker.DockerClient, identity: str) -> None:
        """Attach to the container."""
        with outages("the engine gives no connection to a sandbox container"):
            self._attachment = Attachment(client.api.attach_socket(identity, STREAMS))

    def accept(self) -> socket.socket:
        """Begin to relay."""
        if self._attachment is None:
            raise SandboxError("there is no connection to the container; attach before it is started")
        attachment, self._attachment = self._attachment, None
        control, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        Relay(attachment, there).start()
        return control

    def close(self) -> None:
        """Hang up when the meeting has failed."""
        if self._attachment is not None:
            self._attachment.close()


@contextmanager
def attached() -> Iterator[RemoteLink]:
    """Yield a meeting; a connection that was not handed over is closed."""
    meeting = RemoteLink()
    try:
        yield meeting
    finally:
        meeting.close()
