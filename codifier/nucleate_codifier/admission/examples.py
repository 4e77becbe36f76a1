"""Examples: the candidate must do again what was recorded, answered by the recording."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.admission.bench import Bench
from nucleate_codifier.admission.compare import calls_difference, result_difference
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Example, Finding
from nucleate_sandbox import Environment, Module, Outcome, RecordedEnvironment


def recording(subject: Subject, examples: Sequence[Example]) -> RecordedEnvironment:
    """Return an environment that answers from these runs' calls alone."""
    calls = [call for example in examples for call in example.calls]
    return RecordedEnvironment(subject.environment.name, subject.environment.functions, calls)


def run(
    bench: Bench, subject: Subject, example: Example, *, module: Module | None = None, world: Environment | None = None
) -> Outcome:
    """Call the candidate (or a variant) with an example's arguments, in its own recording unless told otherwise."""
    return bench.call(example.arguments, world or recording(subject, [example]), module=module)


def difference(outcome: Outcome, example: Example) -> str | None:
    """Say how an outcome differs from its example: the calls in exact order first, then the result."""
    return calls_difference(outcome.calls, example.calls) or result_difference(outcome, example)


def check_examples(bench: Bench, subject: Subject) -> tuple[list[Finding], tuple[Example, ...]]:
    """Return a finding for each example that is not met, and the examples that are."""
    findings, met = [], []
    for example in subject.evidence.seen:
        reason = difference(run(bench, subject, example), example)
        if reason is None:
            met.append(example)
        else:
            findings.append(_differs(example, reason))
    if len(subject.evidence.seen) < subject.policy.min_examples:
        findings.append(_too_few(subject))
    return findings, tuple(met)


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
