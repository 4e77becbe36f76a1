"""Counts what the runtime reports while it learns."""

from __future__ import annotations

from collections import Counter

from nucleate import events
from nucleate_codifier import Decision, Status


class Tally:
    """A listener that counts plans, facts, pitfalls, candidates, and refusals by gate."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.refused_by: Counter[str] = Counter()

    def __call__(self, event: events.Event) -> None:
        """Count one event."""
        match event:
            case events.EntryAdded(entry=entry):
                self.counts[f"{entry.kind.value}s"] += 1
            case events.CandidateMade():
                self.counts["candidates"] += 1
            case events.CodifierRefused():
                self.counts["plans the codifier refused"] += 1
            case events.CandidateJudged(verdict=verdict):
                self._judged(verdict.decision)
            case events.GateJudged(report=report) if report.status is Status.REFUSED:
                self.refused_by[report.gate.value] += 1
            case _:
                pass

    def rows(self) -> dict[str, int]:
        """Return the counts in the order in which a reader wants them."""
        names = (
            "plans",
            "facts",
            "pitfalls",
            "plans the codifier refused",
            "candidates",
            "admitted",
            "provisional",
            "rejected",
        )
        rows = {name: self.counts[name] for name in names}
        return {**rows, **{f"refused by {gate}": count for gate, count in sorted(self.refused_by.items())}}

    def _judged(self, decision: Decision) -> None:
        self.counts[decision.value] += 1
