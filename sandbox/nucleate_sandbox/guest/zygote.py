"""The fork server: process 1 of the container, single-threaded, with default signal handlers.

As process 1 it cannot be ended or stopped by a signal from inside, it inherits every orphan, and
`kill(-1)` from it reaches every other process of the container at once.
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
from typing import Any

from . import isolation
from .child import Serve, become_child, serve_call, serve_session
from .preload import warm
from .wipe import wipe

CONTROL = "/run/nucleate/control"
WORK = "/tmp"  # noqa: S108
PACKAGES = f"{os.path.dirname(os.__file__)}/packages"  # noqa: PTH120 - pytest, for the server of tests alone
TOOL_PACKAGES = f"{os.path.dirname(os.__file__)}/tool-packages"  # noqa: PTH120 - in a layer, where there is one
MAX_MESSAGE = 65_536


def main(purpose: str) -> None:
    """Connect to the host, report the isolation, fork a child for each request until the host is gone."""
    os.environ.clear()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(CONTROL)
    try:
        modes, base = _modes(purpose), isolation.report()
    except Exception as error:
        _send(control, {"do": "failed", "reason": repr(error)[:1000]})
        raise
    _send(control, {"do": "hello", **base})
    gc.collect()
    gc.freeze()
    while True:
        message, descriptors = _receive(control)
        if message["do"] == "fork":
            limits = {**message["limits"], "memory_bytes": message["limits"]["memory_bytes"] + base["address_space"]}
            _serve(control, modes[message["mode"]], descriptors, limits)


def _modes(purpose: str) -> dict[str, Serve]:
    if purpose == "test":
        sys.path.append(PACKAGES)
        return {"test": importlib.import_module(".suite", __package__).serve_test}
    sys.path.append(TOOL_PACKAGES)
    warm()
    return {"call": serve_call, "session": serve_session}


def _serve(control: socket.socket, serve: Serve, descriptors: list[int], limits: dict[str, Any]) -> None:
    kills = isolation.oom_kills()
    pid = os.fork()
    if pid == 0:
        become_child(descriptors, limits, serve)
    for descriptor in descriptors:
        os.close(descriptor)
    _watch(control, pid)
    ended = _sweep(pid)
    ended["oom"] = isolation.oom_kills() > kills
    ended["clean"] = wipe(WORK)
    _send(control, {"do": "ended", **ended})


def _watch(control: socket.socket, pid: int) -> None:
    """Return when the child has ended, or when the host wants it to."""
    handle = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(handle, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll()}
    os.close(handle)
    if control.fileno() in ready:
        _receive(control)


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


def _receive(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return a message with the descriptors that came with it; the host's death ends the container."""
    space = socket.CMSG_SPACE(8 * array.array("i").itemsize)
    data, ancillary, _, _ = control.recvmsg(MAX_MESSAGE, space, socket.MSG_CMSG_CLOEXEC)
    if not data:
        os._exit(0)
    descriptors = array.array("i")
    for _, _, payload in ancillary:
        descriptors.frombytes(payload)
    message: dict[str, Any] = json.loads(data)
    return message, list(descriptors)
