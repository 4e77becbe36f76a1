"""The replay gate: recorded runs that the codifier never saw must come out the same (LESSONS 18).

Where the live environment can be forked and still answers as it did, the run is done once by hand and once by the tool,
each on a fork, and what both leave behind is compared too. Elsewhere the recording answers.
"""

from __future__ import annotations

from nucleate_codifier.admission.running.bench import Benches
from nucleate_codifier.admission.running.grounds import Ground, Redone, do_again, grounds
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Example, Finding, Gate


def replay_gate(subject: Subject) -> GateResult:
    """Replay each held-out run: same result, same writes in the same order, same state in the end."""
    held_out = subject.evidence.held_out
    findings = [] if len(held_out) >= subject.policy.min_held_out else [_none_held_out(subject)]
    on = grounds(subject, held_out)
    done = _replay_all(subject, on) if on else []
    counts = {
        "replayed": len(done),
        "on_forks": sum(ground.live for ground in on),
        "states": sum(ground.left is not None for ground in on),
    }
    differing = [finding for ground, item in zip(on, done, strict=True) for finding in _judge(ground.example, item)]
    return GateResult(findings=(*findings, *differing), counts=counts)


def _replay_all(subject: Subject, on: tuple[Ground, ...]) -> list[Redone]:
    with Benches(subject, Gate.REPLAY) as benches:
        return benches.each(do_again, on)


def _judge(example: Example, done: Redone) -> list[Finding]:
    found = [_finding("differs", example, reason) for reason in (done.effects, done.result) if reason is not None]
    return [*found, _finding("state-differs", example, done.state)] if done.state is not None else found


def _finding(name: str, example: Example, reason: str) -> Finding:
    return Finding(
        rule=f"replay/{name}",
        message=f"held-out task {example.task_id!r}: {reason}",
        fix="make what this run needs depend on the arguments and on what the environment answers",
    )


def _none_held_out(subject: Subject) -> Finding:
    return Finding(
        rule="replay/no-held-out-evidence",
        message=f"{len(subject.evidence.held_out)} held-out runs; the policy asks for {subject.policy.min_held_out}",
        fix="record another run of the plan and keep it from the codifier",
    )
