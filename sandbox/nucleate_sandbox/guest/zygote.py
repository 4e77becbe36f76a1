"""The fork server: process 1 of the container, single-threaded, with default signal handlers.

As process 1 it cannot be ended or stopped by a signal from inside, it inherits every orphan, and
`kill(-1)` from it reaches every other process of the container at once.

The child for the next program is forked ahead, so that a program pays for no fork. It is made only when the program
before it has been swept away with all that it left, and no other process lives beside it until it has become a program.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
from _thread import stack_size
from typing import Any, Protocol

from . import isolation
from .attached import Attached
from .bound import Bound
from .child import Plan, Serve, become_child, serve_call, serve_session
from .preload import TOOL_PACKAGES, listed_packages, warm
from .rehearsal import TIMES, rehearse
from .wipe import wipe

WORK = "/tmp"  # noqa: S108
PACKAGES = f"{os.path.dirname(os.__file__)}/packages"  # noqa: PTH120 - pytest, for the server of tests alone
STACK = 1 << 20  # of a thread: the usual 8 MiB each would use up a program's memory before its processes
LOOK = b"look"  # tell what the program has used; every other order ends it
NEXT = b"next"  # fork a child behind it


class Link(Protocol):
    """How the server hears the host, and how a child will."""

    def wait(self, child: int | None) -> bytes | None: ...
    def tell(self, message: dict[str, Any]) -> None: ...
    def settle(self) -> None: ...
    def descriptors(self) -> list[int]: ...


def main(purpose: str, transport: str = "socket") -> None:
    """Meet the host, report the isolation, serve its orders until the host is gone."""
    os.environ.clear()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    link: Link = Attached() if transport == "attached" else Bound()
    try:
        plan, report = _prepared(purpose)
    except Exception as error:
        link.tell({"do": "failed", "reason": repr(error)[:1000]})
        raise
    link.tell({"do": "hello", **report})
    gc.collect()
    gc.freeze()
    server = Server(link, plan)
    while True:
        server.obey()


def _prepared(purpose: str) -> tuple[Plan, dict[str, Any]]:
    modes = _modes(purpose)
    _arrange()
    if "call" in modes:
        rehearse(modes["call"], TIMES)
    report = isolation.report()
    packages = listed_packages() if TOOL_PACKAGES in sys.path else ()
    return Plan(modes=modes, packages=packages, address_space=report["address_space"]), report


def _modes(purpose: str) -> dict[str, Serve]:
    if purpose == "test":
        sys.path.append(PACKAGES)
        return {"test": importlib.import_module(".suite", __package__).serve_test}
    sys.path.append(TOOL_PACKAGES)
    warm()
    return {"call": serve_call, "session": serve_session}


def _arrange() -> None:
    """Give every child its folder, its input, the manner of its output and the size of its threads."""
    os.chdir(WORK)
    stack_size(STACK)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]


class Server:
    """Holds at most one child: one that waits for its program, or is running it."""

    def __init__(self, link: Link, plan: Plan) -> None:
        self._link = link
        self._plan = plan
        self._child: tuple[int, int] | None = None

    def obey(self) -> None:
        """Wait for an order, or for the child's end, and do what follows from it."""
        order = self._link.wait(self._child[1] if self._child else None)
        if order == LOOK:
            return self._link.tell({"do": "look", "cpu": isolation.cpu_seconds()})
        self._end()
        if order == NEXT:
            self._fork(self._link.descriptors())
        return None

    def _fork(self, descriptors: list[int]) -> None:
        isolation.mark()
        pid = os.fork()
        if pid == 0:
            become_child(descriptors, self._plan)
        for descriptor in descriptors:
            os.close(descriptor)
        self._child = (pid, os.pidfd_open(pid))

    def _end(self) -> None:
        """Sweep the child and all that it left away, and tell the host; without a child nothing is there."""
        if self._child is None:
            return
        pid, handle = self._child
        self._child = None
        os.close(handle)
        ended = _sweep(pid)
        self._link.settle()
        ended["oom"] = isolation.oom_killed()
        ended["clean"] = wipe(WORK)
        self._link.tell({"do": "ended", **ended})


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
