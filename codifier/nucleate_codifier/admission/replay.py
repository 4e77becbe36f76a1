"""The replay gate: recorded runs that the codifier never saw must come out the same (LESSONS 18)."""

from __future__ import annotations

from nucleate_codifier.admission.bench import Bench
from nucleate_codifier.admission.compare import effects_difference, result_difference
from nucleate_codifier.admission.examples import run
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Example, Finding, Gate


def replay_gate(subject: Subject) -> GateResult:
    """Replay each held-out run: same result, same writes in the same order, same reads."""
    held_out = subject.evidence.held_out
    findings = [] if len(held_out) >= subject.policy.min_held_out else [_none_held_out(subject)]
    if held_out:
        with Bench(subject, Gate.REPLAY) as bench:
            findings += [finding for example in held_out for finding in _replay(bench, subject, example)]
    return GateResult(findings=tuple(findings), counts={"replayed": len(held_out)})


def _replay(bench: Bench, subject: Subject, example: Example) -> list[Finding]:
    outcome = run(bench, subject, example)
    effects = effects_difference(outcome.calls, example.calls, subject.environment.functions)
    strayed = effects is not None and not outcome.ok
    result = None if strayed else result_difference(outcome, example)  # the recording could not answer any more
    return [_differs(example, reason) for reason in (effects, result) if reason is not None]


def _differs(example: Example, reason: str) -> Finding:
    return Finding(
        rule="replay/differs",
        message=f"held-out task {example.task_id!r}: {reason}",
        fix="make what this run needs depend on the arguments and on what the environment answers",
    )


def _none_held_out(subject: Subject) -> Finding:
    return Finding(
        rule="replay/no-held-out-evidence",
        message=f"{len(subject.evidence.held_out)} held-out runs; the policy asks for {subject.policy.min_held_out}",
        fix="record another run of the plan and keep it from the codifier",
    )
