"""The replay gate: recorded runs that the codifier never saw must come out the same (LESSONS 18).

The recording answers first. Where the live environment can be forked and still stands where the run began, the run is
done once by hand and once by the tool, each on a fork, and what both leave behind is compared too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.bench import Bench, Benches
from nucleate_codifier.admission.compare import effects_difference, result_difference, same
from nucleate_codifier.admission.differences import describe
from nucleate_codifier.admission.examples import run
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.admission.worlds import Stateful, World, live
from nucleate_codifier.values import Example, Finding, Gate
from nucleate_sandbox import Environment, FunctionError, Outcome


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """One held-out run: what was found, whether it was also done on forks, and whether those could tell their state."""

    findings: tuple[Finding, ...]
    on_fork: bool = False
    states: bool = False


def replay_gate(subject: Subject) -> GateResult:
    """Replay each held-out run: same result, same writes in the same order, same reads, same state in the end."""
    held_out = subject.evidence.held_out
    findings = [] if len(held_out) >= subject.policy.min_held_out else [_none_held_out(subject)]
    done = _replay_all(subject, held_out) if held_out else []
    counts = {
        "replayed": len(done),
        "on_forks": sum(item.on_fork for item in done),
        "states": sum(item.states for item in done),
    }
    return GateResult(findings=(*findings, *(finding for item in done for finding in item.findings)), counts=counts)


def _replay_all(subject: Subject, held_out: Sequence[Example]) -> list[Replayed]:
    forks = live(subject)
    with Benches(subject, Gate.REPLAY) as benches:
        return benches.each(lambda bench, example: _replay(bench, subject, example, forks), held_out)


def _replay(bench: Bench, subject: Subject, example: Example, forks: World | None) -> Replayed:
    findings = _judge(subject, run(bench, subject, example), example)
    by_hand = _by_hand(example, forks) if forks is not None and not findings else None
    if forks is None or by_hand is None:
        return Replayed(findings=tuple(findings))
    world = forks()
    findings = _judge(subject, bench.call(example.arguments, world), example)
    expected, came = (item.state() if isinstance(item, Stateful) else None for item in (by_hand, world))
    states = isinstance(world, Stateful)
    if states and not findings and (difference := describe(expected, came)):
        findings = [_finding("state-differs", example, f"what it leaves behind differs: {difference}")]
    return Replayed(findings=tuple(findings), on_fork=True, states=states)


def _by_hand(example: Example, forks: World) -> Environment | None:
    """Make the recorded calls on a fork; None where it answers otherwise, since it then stands somewhere else."""
    world = forks()
    for call in example.calls:
        try:
            result, kind = world.call(call.function, call.arguments), None
        except FunctionError as error:
            result, kind = None, error.kind
        if not same(result, call.result) or kind != (call.error.kind if call.error is not None else None):
            return None
    return world


def _judge(subject: Subject, outcome: Outcome, example: Example) -> list[Finding]:
    effects = effects_difference(outcome.calls, example.calls, subject.environment.functions)
    strayed = effects is not None and not outcome.ok
    result = None if strayed else result_difference(outcome, example)  # the recording could not answer any more
    return [_finding("differs", example, reason) for reason in (effects, result) if reason is not None]


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
