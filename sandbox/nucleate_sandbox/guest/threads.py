"""Keeps what `threading` does in each forked child out of our own forks, where there is only ever one thread.

It renews locks that nobody holds, and touches more than a hundred shared pages to do so. Import this module before
anything else imports `threading`.
"""

from __future__ import annotations

import os
from collections.abc import Callable

_hooks: list[Callable[[], object]] = []


def _hold_back(*, after_in_child: Callable[[], object]) -> None:
    _hooks.append(after_in_child)


_register = os.register_at_fork
os.register_at_fork = _hold_back  # type: ignore[assignment]
try:
    import threading  # noqa: F401
finally:
    os.register_at_fork = _register


def restore() -> None:
    """Let the forks that a program makes do as usual; a child calls this before it becomes one."""
    while _hooks:
        os.register_at_fork(after_in_child=_hooks.pop(0))
