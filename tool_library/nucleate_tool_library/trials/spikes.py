"""When a tool that serves is to be suspected: errors or corrections that come much more often than before."""

from __future__ import annotations

from collections.abc import Sequence

WINDOW = 10
FEWEST_ERRORS = 3
ERROR_RATE = 0.5
RISE = 0.3
CORRECTIONS, OF_CALLS = 3, 20


def error_spike(passed: Sequence[bool], *, before: float | None = None) -> str | None:
    """Say what is wrong with a tool's latest calls (oldest first), or None.

    Suspicious: of the last ten calls at least three and at least half failed, and this is at least 0.3 more than the
    share that failed `before` (None: nothing is known, so 0).
    """
    latest = passed[-WINDOW:]
    failed = sum(not one for one in latest)
    if failed < FEWEST_ERRORS or failed < ERROR_RATE * len(latest) or failed / len(latest) < (before or 0.0) + RISE:
        return None
    return f"a spike of errors: {failed} of the last {len(latest)} calls failed, {before or 0.0:.0%} did before"


def correction_spike(corrections: int, calls: int) -> str | None:
    """Say that a tool was corrected at least three times, and in at least three of twenty calls; or None."""
    if corrections < CORRECTIONS or corrections * OF_CALLS < CORRECTIONS * calls:
        return None
    return f"a spike of corrections: {corrections} in {calls} calls"
