"""Counts what happens while the pipeline learns: plans, candidates, refusals by gate and by rule, tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nucleate import events
from nucleate_codifier import Finding, Status


class Tally:
    """A listener that counts; a candidate is counted as refused once, by the first gate that refused it."""

    def __init__(self) -> None:
        self.plans = 0
        self.candidates = 0
        self.refused: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.admitted: list[str] = []

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.EntryAdded) and event.entry.kind == "plan":
            self.plans += 1
        elif isinstance(event, events.CandidateMade):
            self.candidates += 1
        elif isinstance(event, events.CodifierRefused):
            self.refused["codifier"] += 1
            self._count(event.findings)
        elif isinstance(event, events.CandidateJudged):
            self._judged(event)

    def _judged(self, event: events.CandidateJudged) -> None:
        if event.tool is not None:
            self.admitted.append(event.tool.name)
            return
        gates = [report.gate.value for report in event.verdict.gates if report.status is not Status.PASSED]
        self.refused[gates[0] if gates else event.verdict.decision.value] += 1
        self._count(event.verdict.findings)

    def _count(self, findings: Sequence[Finding]) -> None:
        self.rules.update({finding.rule for finding in findings})
