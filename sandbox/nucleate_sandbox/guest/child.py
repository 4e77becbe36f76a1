"""What a forked child does: one call, or the blocks of one session. It never returns into the server."""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Set
from typing import Any, NoReturn

from .channel import Channel
from .environment import environment
from .failures import describe
from .plain import to_json
from .programs import Notebook, invoke, load

CHANNEL = 3
Serve = Callable[[Channel, dict[str, Any]], None]


def become_child(descriptors: list[int], limits: dict[str, Any], serve: Serve) -> NoReturn:
    """Take the private channel and the output pipes, drop everything else, and serve."""
    try:
        os.setsid()
        _arrange(descriptors)
        _limit(limits)
        if limits["once"]:
            _limit_processor(limits["cpu_seconds"], final=True)
        os.chdir("/tmp")  # noqa: S108 - the container's only writable place
        serve(Channel(CHANNEL, limits["frame_bytes"]), limits)
    finally:
        os._exit(0)


def _arrange(descriptors: list[int]) -> None:
    """Leave exactly four descriptors: null, output, errors, channel."""
    channel, output, errors = (fcntl.fcntl(item, fcntl.F_DUPFD_CLOEXEC, 16) for item in descriptors)
    null = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((null, 0), (output, 1), (errors, 2)):
        os.dup2(source, target)
    os.dup2(channel, CHANNEL, inheritable=False)
    os.closerange(CHANNEL + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]


def _limit(limits: dict[str, Any]) -> None:
    for name, size in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits["disk_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_AS, limits["memory_bytes"]),
    ):
        resource.setrlimit(name, (size, size))


def _limit_processor(seconds: float, *, final: bool) -> None:
    """End this process after the seconds from now: a timer counts fractions, and a limit stands behind it."""
    used = time.process_time()
    budget = math.ceil(used + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (budget, budget if final else resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, seconds)


def serve_call(channel: Channel, _limits: dict[str, Any]) -> None:
    """Load the modules, call the function, send its value or its failure."""
    request = channel.receive()
    files = frozenset(f"{item['name']}.py" for item in request["modules"])

    def work() -> Any:
        loaded = load(request["modules"], environment(channel))
        return to_json(invoke(loaded[request["modules"][-1]["name"]], request["function"], request["arguments"]))

    answer(channel, work, files)


def serve_session(channel: Channel, limits: dict[str, Any]) -> None:
    """Run code blocks until the host closes the channel."""
    notebook = Notebook(environment(channel))
    while True:
        code = channel.receive()["code"]
        _limit_processor(limits["cpu_seconds"], final=False)
        answer(channel, lambda code=code: _or_none(notebook.run(code)), notebook.files)  # type: ignore[misc]


def _or_none(value: Any) -> Any:
    try:
        return to_json(value)
    except (TypeError, ValueError):
        return None


def answer(channel: Channel, work: Callable[[], Any], files: Set[str]) -> None:
    """Send what the work returned, or what it raised; nothing that a program raises passes through here."""
    try:
        message = {"do": "value", "value": work()}
        _flush()
        channel.send(message)
    except BaseException as error:  # noqa: BLE001 - the program's failure is this process's result
        _flush()
        channel.send(describe(error, files))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # the program may have put anything there
            stream.flush()
