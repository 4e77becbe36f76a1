"""Time, as a run needs it: now, a pause, and how long to wait before the next try."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

FIRST, LONGEST = 0.5, 30.0


@dataclass(frozen=True, kw_only=True)
class Clock:
    """The machine's own, unless another is given."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def pause(attempt: int) -> float:
    """Return the seconds before try `attempt` + 1: half a second, doubling, half a minute at the most."""
    return min(FIRST * 2.0 ** min(attempt, 10), LONGEST)
