"""The way to a host on the same machine: a socket in a folder of its own, and descriptors that come over it."""

from __future__ import annotations

import array
import json
import os
import select
import socket
from typing import Any

CONTROL = "/run/nucleate/control"
MAX_ORDER = 64
RIGHTS = socket.CMSG_SPACE(3 * array.array("i").itemsize)


class Bound:
    """A connected socket. The host makes the child's channel and pipes, and reads them itself."""

    def __init__(self) -> None:
        self._control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.connect(CONTROL)
        self._poll = select.poll()
        self._poll.register(self._control, select.POLLIN)
        self._descriptors: list[int] = []

    def wait(self, child: int | None) -> bytes | None:
        """Return the next order, or None when the child has ended."""
        if child is not None:
            self._poll.register(child, select.POLLIN)
        ready = {descriptor for descriptor, _ in self._poll.poll()}
        if child is not None:
            self._poll.unregister(child)
        return self._order() if self._control.fileno() in ready else None

    def tell(self, message: dict[str, Any]) -> None:
        """Send a report."""
        self._control.send(json.dumps(message).encode("utf-8"))

    def settle(self) -> None:
        """What the child wrote is with the host already."""

    def descriptors(self) -> list[int]:
        """Return the channel and the two pipes that came with the last order."""
        return self._descriptors

    def _order(self) -> bytes:
        """Return an order with the descriptors that came with it; the host's death ends the container."""
        data, ancillary, _, _ = self._control.recvmsg(MAX_ORDER, RIGHTS, socket.MSG_CMSG_CLOEXEC)
        if not data:
            os._exit(0)
        descriptors = array.array("i")
        for _, _, payload in ancillary:
            descriptors.frombytes(payload)
        self._descriptors = list(descriptors)
        return data
