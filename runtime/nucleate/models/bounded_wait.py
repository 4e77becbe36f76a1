"""Waits for a call that may never return: in a thread that can be left behind."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def apart(work: Callable[[], T], *, seconds: float | None = None, name: str = "model") -> T:
    """Return what the work returns, or raise what it raises; TimeoutError after the seconds, while it goes on unheard.

    The thread does not hold up the end of the process.
    """
    answers: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            answers.put((context.run(work), None))
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits for it
            answers.put((None, error))

    threading.Thread(target=run, name=name, daemon=True).start()
    try:
        value, error = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"no answer within {seconds} s") from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value]  # it is what the work returned
