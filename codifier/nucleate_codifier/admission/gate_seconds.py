"""A gate's own seconds: it runs in a thread that is left behind when it hangs, so no answer waits longer."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from nucleate_codifier.values import GateReport, Status


class GateRun:
    """One gate at work. `report` waits for it, for its seconds at most; what it says later is not heard."""

    def __init__(
        self, work: Callable[[], GateReport], *, name: str, seconds: float, late: Callable[[], GateReport]
    ) -> None:
        self._late = late
        self._seconds = seconds
        self._answer: GateReport | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._began = time.monotonic()
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(self._work, work), name=f"gate {name}", daemon=True)
        thread.start()

    @property
    def report(self) -> GateReport:
        """Return the gate's report, or the one that says that it needed too long."""
        self._ended.wait(max(0.0, self._began + self._seconds - time.monotonic()))
        return self._settle(None)

    @property
    def done(self) -> bool:
        """True when `report` does not wait."""
        return self._ended.is_set()

    def _work(self, work: Callable[[], GateReport]) -> None:
        self._settle(work())

    def _settle(self, report: GateReport | None) -> GateReport:
        """Keep the first answer; None, or a pass that comes too late, is the answer that it is late."""
        with self._lock:
            if self._answer is None:
                seconds = time.monotonic() - self._began
                late = report is None or (seconds > self._seconds and report.status is Status.PASSED)
                self._answer = replace(self._late() if late or report is None else report, milliseconds=seconds * 1000)
            self._ended.set()
            return self._answer
