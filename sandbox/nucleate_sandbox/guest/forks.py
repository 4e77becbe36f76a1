"""Keeps what modules of the standard library do in each forked child out of our own forks, or does it at less cost.

`threading` renews locks that nobody holds in a process of one thread; `random` seeds itself through functions that
touch many shared pages. Import this module before anything else imports those two.
"""

from __future__ import annotations

import _random
import os
from collections.abc import Callable

_hooks: list[Callable[[], object]] = []


def _hold_back(*, after_in_child: Callable[[], object]) -> None:
    _hooks.append(after_in_child)


_register = os.register_at_fork
os.register_at_fork = _hold_back  # type: ignore[assignment]
try:
    import random
    import threading  # noqa: F401
finally:
    os.register_at_fork = _register

_shared = random.random.__self__  # type: ignore[attr-defined]  # the generator behind the module's functions


def become_another() -> None:
    """Give this child random numbers of its own, and let the forks that its program makes do as usual."""
    _random.Random.seed(_shared)
    while _hooks:
        os.register_at_fork(after_in_child=_hooks.pop(0))
