"""The fork server: process 1 of the container, single-threaded, with default signal handlers.

As process 1 it cannot be ended or stopped by a signal from inside, it inherits every orphan, and
`kill(-1)` from it reaches every other process of the container at once.

The child for the next program is forked ahead, so that a program pays for no fork. It is made only when the program
before it has been swept away with all that it left, and no other process lives beside it until it has become a program.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import threading
from typing import Any

from . import isolation
from .child import TOOL_PACKAGES, Serve, become_child, serve_call, serve_session
from .preload import warm
from .wipe import wipe

CONTROL = "/run/nucleate/control"
WORK = "/tmp"  # noqa: S108
PACKAGES = f"{os.path.dirname(os.__file__)}/packages"  # noqa: PTH120 - pytest, for the server of tests alone
MAX_ORDER = 64
STACK = 1 << 20  # of a thread: the usual 8 MiB each would use up a program's memory before its processes
LOOK = b"look"  # tell what the program has used; every other order ends it
RIGHTS = socket.CMSG_SPACE(3 * array.array("i").itemsize)


def main(purpose: str) -> None:
    """Connect to the host, report the isolation, serve its orders until the host is gone."""
    os.environ.clear()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(CONTROL)
    try:
        modes, base = _modes(purpose), isolation.report()
        _prepare()
    except Exception as error:
        _send(control, {"do": "failed", "reason": repr(error)[:1000]})
        raise
    _send(control, {"do": "hello", **base})
    gc.collect()
    gc.freeze()
    server = Server(control, modes, base["address_space"])
    while True:
        server.obey()


def _modes(purpose: str) -> dict[str, Serve]:
    if purpose == "test":
        sys.path.append(PACKAGES)
        return {"test": importlib.import_module(".suite", __package__).serve_test}
    sys.path.append(TOOL_PACKAGES)
    warm()
    return {"call": serve_call, "session": serve_session}


def _prepare() -> None:
    """Give every child its input, the manner of its output and the size of its threads before it is forked."""
    threading.stack_size(STACK)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]


class Server:
    """Holds at most one child: one that waits for its program, or is running it."""

    def __init__(self, control: socket.socket, modes: dict[str, Serve], address_space: int) -> None:
        self._control = control
        self._modes = modes
        self._address_space = address_space
        self._child: tuple[int, int] | None = None
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def obey(self) -> None:
        """Wait for an order, or for the child's end, and do what follows from it."""
        ready = {descriptor for descriptor, _ in self._poll.poll()}
        if self._control.fileno() not in ready:
            return self._end()
        order, descriptors = _receive(self._control)
        if order == LOOK:
            return _send(self._control, {"do": "look", "cpu": isolation.cpu_seconds()})
        self._end()
        if descriptors:
            self._fork(descriptors)
        return None

    def _fork(self, descriptors: list[int]) -> None:
        isolation.mark()
        pid = os.fork()
        if pid == 0:
            become_child(descriptors, self._modes, self._address_space)
        for descriptor in descriptors:
            os.close(descriptor)
        handle = os.pidfd_open(pid)
        self._poll.register(handle, select.POLLIN)
        self._child = (pid, handle)

    def _end(self) -> None:
        """Sweep the child and all that it left away, and tell the host; without a child nothing is there."""
        if self._child is None:
            return
        pid, handle = self._child
        self._child = None
        self._poll.unregister(handle)
        os.close(handle)
        ended = _sweep(pid)
        ended["oom"] = isolation.oom_killed()
        ended["clean"] = wipe(WORK)
        _send(self._control, {"do": "ended", **ended})


def _sweep(pid: int) -> dict[str, Any]:
    """End and reap every other process of the container; add up what they used."""
    status, cpu, peak = 0, 0.0, 0
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    while True:
        try:
            ended, code, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return {"status": status, "cpu": cpu, "peak": peak}
        status = code if ended == pid else status
        cpu += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss * 1024)


def _send(control: socket.socket, message: dict[str, Any]) -> None:
    control.send(json.dumps(message).encode("utf-8"))


def _receive(control: socket.socket) -> tuple[bytes, list[int]]:
    """Return an order with the descriptors that came with it; the host's death ends the container."""
    data, ancillary, _, _ = control.recvmsg(MAX_ORDER, RIGHTS, socket.MSG_CMSG_CLOEXEC)
    if not data:
        os._exit(0)
    descriptors = array.array("i")
    for _, _, payload in ancillary:
        descriptors.frombytes(payload)
    return data, list(descriptors)
