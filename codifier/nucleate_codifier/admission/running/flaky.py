"""Flaky tools: three runs of each example, each with another hash seed and in another order, must come out the same."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.admission.running.bench import Benches
from nucleate_codifier.admission.running.compare import ending, told_apart
from nucleate_codifier.admission.running.examples import Ran
from nucleate_codifier.admission.running.grounds import run
from nucleate_codifier.values import Finding
from nucleate_sandbox import Outcome


def check_flaky(benches: Benches, ran: Sequence[Ran]) -> list[Finding]:
    """Return a finding for each example that did not always come out as it did the first time."""
    backwards = [item.ground for item in reversed(ran)]
    again = [benches.each(run, backwards, shift=shift)[::-1] for shift in range(1, len(benches.all))]
    findings = []
    for item, *others in zip(ran, *again, strict=True):
        other = next((other for other in others if told_apart(item.outcome, other) is not None), None)
        if other is not None:
            findings.append(_finding(item, other))
    return findings


def _finding(ran: Ran, other: Outcome) -> Finding:
    apart = told_apart(ran.outcome, other)
    both = f"one run {ending(ran.outcome)}, another {ending(other)}"
    return Finding(
        rule="tests/flaky",
        message=f"example of task {ran.example.task_id!r}: {both if ending(ran.outcome) != ending(other) else apart}",
        fix="sort what comes out of a set, and use no clock, random source or address",
    )
