"""What a forked child does: one call, or the blocks of one session. It never returns into the server."""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any, NoReturn

from . import forks
from .channel import Channel
from .environment import environment
from .failures import describe
from .plain import to_json
from .preload import warm_packages
from .programs import Notebook, invoke, load
from .rehearsal import rehearse

CHANNEL = 3
MAX_DESCRIPTORS = 1024
SPARE_MEMORY = 16 << 20  # beyond the program's limit: to tell that it was reached
OUT_OF_MEMORY = 251  # the status of a child that could not even tell
Serve = Callable[[Channel, dict[str, Any]], None]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What the server has made ready for its children: how programs are served, and the packages of its image."""

    modes: dict[str, Serve]
    packages: tuple[str, ...]
    address_space: int


def become_child(descriptors: list[int], plan: Plan) -> NoReturn:
    """Take the private channel and the output pipes, drop everything else, wait for the program, and serve it."""
    status = 0
    try:
        os.setsid()
        _arrange(descriptors)
        channel = Channel(CHANNEL)
        _make_ready(plan)
        request = channel.receive()
        _limit(channel, request["limits"], plan.address_space)
        _limit_processor(request["limits"]["cpu_seconds"], final=request["mode"] != "session")
        plan.modes[request["mode"]](channel, request)
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


def _make_ready(plan: Plan) -> None:
    """Do before there is a program what its call need not wait for."""
    forks.become_another()
    if "call" in plan.modes:
        rehearse(plan.modes["call"])
    warm_packages(plan.packages)


def _arrange(descriptors: list[int]) -> None:
    """Leave exactly four descriptors: null, output, errors, channel. The server's own stand below those it was sent."""
    channel, output, errors = descriptors
    os.dup2(output, 1)
    os.dup2(errors, 2)
    os.dup2(channel, CHANNEL, inheritable=False)
    os.closerange(CHANNEL + 1, MAX_DESCRIPTORS)


def _limit(channel: Channel, limits: dict[str, Any], address_space: int) -> None:
    channel.max_bytes = limits["frame_bytes"]
    memory = address_space + limits["memory_bytes"]
    for name, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_FSIZE, limits["disk_bytes"], limits["disk_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"], limits["open_files"]),
        (resource.RLIMIT_AS, memory, memory + SPARE_MEMORY),
    ):
        resource.setrlimit(name, (soft, hard))


def _limit_processor(seconds: float, *, final: bool) -> None:
    """End this process after the seconds from now: a timer counts fractions, and a limit stands behind it."""
    used = time.process_time()
    budget = math.ceil(used + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (budget, budget if final else resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, seconds)


def serve_call(channel: Channel, request: dict[str, Any]) -> None:
    """Load the modules, call the function, send its value or its failure."""
    files = frozenset(f"{item['name']}.py" for item in request["modules"])

    def work() -> Any:
        loaded = load(request["modules"], environment(channel))
        return to_json(invoke(loaded[request["modules"][-1]["name"]], request["function"], request["arguments"]))

    answer(channel, work, files)


def serve_session(channel: Channel, request: dict[str, Any]) -> None:
    """Run code blocks until the host closes the channel; each result bears the number of its block."""
    notebook = Notebook(environment(channel))
    block = request
    while True:
        code = block["code"]
        answer(channel, lambda code=code: _or_none(notebook.run(code)), notebook.files, run=block["run"])  # type: ignore[misc]
        block = channel.receive()
        _limit_processor(request["limits"]["cpu_seconds"], final=False)


def _or_none(value: Any) -> Any:
    try:
        return to_json(value)
    except (TypeError, ValueError):
        return None


def answer(channel: Channel, work: Callable[[], Any], files: Set[str], **marks: int) -> None:
    """Send what the work returned, or what it raised; nothing that a program raises passes through here."""
    try:
        message = {"do": "value", "value": work(), **marks}
        _flush()
        channel.tell(message)
    except BaseException as error:  # noqa: BLE001 - the program's failure is this process's result
        _make_room()
        _flush()
        channel.tell({**describe(error, files), **marks})


def _make_room() -> None:
    """Let a program that has used up its memory be told so."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105 - every page that a call touches is copied for it, and this is at the end of each
            stream.flush()
        except BaseException:  # noqa: BLE001, S110 - the program may have put anything there
            pass
