"""`nucleate worker`: does queued work until it is told to stop, or until none is left."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType
from typing import Annotated

import typer

from nucleate.cli.context import open_runtime
from nucleate.cli.screen import Screen
from nucleate.database import OUT
from nucleate.runtime import Runtime

POLL, AWAY_SECONDS = 1.0, 60.0
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def worker(
    context: typer.Context,
    once: Annotated[bool, typer.Option(help="End when nothing is left that can be done now.")] = False,
    retry: Annotated[bool, typer.Option(help="Try dead jobs again too.")] = False,
) -> None:
    """Do queued work: learn from tasks, codify plans, reflect. Several workers may run at once, on one database.

    SIGTERM or Ctrl-C gives the job in hand back at its next safe point; a second one ends the worker at once, and
    another takes the job up.
    """
    console = Screen()
    with open_runtime(context, must_exist=True, inline=True) as runtime:
        if retry:
            runtime.jobs.retry_all()
        stop = _stop_on_signals(runtime)
        done = _work(runtime, stop, once=once, console=console)
        left = {state: count for state, count in runtime.jobs.counts().items() if state != "done"}
        rest = ", ".join(f"{count} {state}" for state, count in sorted(left.items())) or "nothing"
        console.print(f"{done} jobs done; left: {rest}", highlight=False)


def _stop_on_signals(runtime: Runtime) -> threading.Event:
    stop = threading.Event()

    def heard(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        runtime.stop()
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_DFL)

    for number in _SIGNALS:
        signal.signal(number, heard)
    return stop


def _work(runtime: Runtime, stop: threading.Event, *, once: bool, console: Screen) -> int:
    """Do jobs until somebody says stop; a database that is away is waited for, with `once` for a minute at most."""
    done, taken_up, away = 0, False, None
    while not stop.is_set():
        try:
            done += runtime.drain() if taken_up else runtime.resume()
        except OUT as fault:
            if away is None:
                said = " ".join(str(getattr(fault, "orig", None) or fault).split())
                console.print(f"the queue cannot be read: {said}; trying again", highlight=False, soft_wrap=True)
            away = away or time.monotonic()
            if once and time.monotonic() - away > AWAY_SECONDS:
                raise
        else:
            if once:
                break
            if not taken_up:
                console.print("waiting for work; Ctrl-C ends", highlight=False)
            taken_up, away = True, None
        stop.wait(POLL)
    return done
