"""Examples: the candidate must do again what was recorded, answered by the recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.bench import Bench, Benches
from nucleate_codifier.admission.compare import calls_difference, result_difference
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.admission.worlds import recording
from nucleate_codifier.values import Example, Finding
from nucleate_sandbox import Environment, Module, Outcome


def run(
    bench: Bench, subject: Subject, example: Example, *, module: Module | None = None, world: Environment | None = None
) -> Outcome:
    """Call the candidate (or a variant) with an example's arguments, in its own recording unless told otherwise."""
    return bench.call(example.arguments, world or recording(subject, [example]), module=module)


def difference(outcome: Outcome, example: Example) -> str | None:
    """Say how an outcome differs from its example: the calls in exact order first, then the result."""
    return calls_difference(outcome.calls, example.calls) or result_difference(outcome, example)


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One example with what the tool did; `reason` says how that differs from the recording, if it does."""

    example: Example
    outcome: Outcome
    reason: str | None


def run_examples(benches: Benches, subject: Subject) -> tuple[Ran, ...]:
    """Run every example that the codifier saw."""
    seen = subject.evidence.seen
    outcomes = benches.each(lambda bench, example: run(bench, subject, example), seen)
    return tuple(
        Ran(example=example, outcome=outcome, reason=difference(outcome, example))
        for example, outcome in zip(seen, outcomes, strict=True)
    )


def judge_examples(subject: Subject, ran: Sequence[Ran]) -> list[Finding]:
    """Return a finding for each example that is not met, and one if there are too few."""
    findings = [_differs(item.example, item.reason) for item in ran if item.reason is not None]
    return findings if len(ran) >= subject.policy.min_examples else [*findings, _too_few(subject)]


def _differs(example: Example, reason: str) -> Finding:
    return Finding(
        rule="tests/example-differs",
        message=f"example of task {example.task_id!r}: {reason}",
        fix="make the recorded calls in the recorded order and return the recorded result",
    )


def _too_few(subject: Subject) -> Finding:
    return Finding(
        rule="tests/too-few-examples",
        message=f"{len(subject.evidence.seen)} examples; the policy asks for {subject.policy.min_examples}",
        fix="record more runs that the tool could have done",
    )
