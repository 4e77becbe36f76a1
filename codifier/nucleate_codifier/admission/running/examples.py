"""Examples: the candidate must do again what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.admission.running.bench import Benches
from nucleate_codifier.admission.running.grounds import Ground, do_again, grounds
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Example, Finding
from nucleate_sandbox import Outcome

MAX_HELD_OUT = 5


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One example with what the tool did; `reason` says how that differs from the recording, if it does."""

    ground: Ground
    outcome: Outcome
    reason: str | None

    @property
    def example(self) -> Example:
        """Return the recorded run."""
        return self.ground.example


def run_examples(benches: Benches, subject: Subject) -> tuple[Ran, ...]:
    """Run every example that the codifier saw."""
    on = grounds(subject, subject.evidence.seen)
    done = benches.each(do_again, on)
    return tuple(
        Ran(ground=ground, outcome=item.outcome, reason=item.reason) for ground, item in zip(on, done, strict=True)
    )


def run_held_out(benches: Benches, subject: Subject) -> tuple[Ran, ...]:
    """Run a few of the runs that the codifier never saw: what replay would notice of a variant is noticed."""
    held_out = replace(subject.evidence, seen=subject.evidence.held_out[:MAX_HELD_OUT])
    return run_examples(benches, replace(subject, evidence=held_out))


def judge_examples(subject: Subject, ran: Sequence[Ran]) -> list[Finding]:
    """Return a finding for each example that is not met, and one if there are too few."""
    findings = [_differs(item.example, item.reason) for item in ran if item.reason is not None]
    return findings if len(ran) >= subject.policy.min_examples else [*findings, _too_few(subject)]


def _differs(example: Example, reason: str) -> Finding:
    return Finding(
        rule="tests/example-differs",
        message=f"example of task {example.task_id!r}: {reason}",
        fix="make the recorded writes in the recorded order and return the recorded result",
    )


def _too_few(subject: Subject) -> Finding:
    return Finding(
        rule="tests/too-few-examples",
        message=f"{len(subject.evidence.seen)} examples; the policy asks for {subject.policy.min_examples}",
        fix="record more runs that the tool could have done",
    )
