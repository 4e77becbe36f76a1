"""Mutation: the examples must tell the tool from most of its wrong variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.admission.bench import Bench, Unsupported
from nucleate_codifier.admission.examples import difference, run
from nucleate_codifier.admission.mutants import Mutant, mutants
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Example, Finding, Gate
from nucleate_sandbox import Limits, Module

MAX_SHOWN = 10
# A changed loop may never end: it must not cost the seconds that the tool itself is allowed.
LIMITS = Limits(wall_seconds=1.5, cpu_seconds=1.5, bridge_calls=200)


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """Which variants some example told apart from the tool, and which none did."""

    killed: tuple[Mutant, ...] = ()
    survived: tuple[Mutant, ...] = ()

    @property
    def tried(self) -> int:
        return len(self.killed) + len(self.survived)


def mutate(subject: Subject, met: Sequence[Example], *, until: float) -> Mutation:
    """Run the variants against the examples that the tool itself meets."""
    with Bench(subject, Gate.TESTS, limits=LIMITS, until=until) as bench:
        return _run_all(bench, subject, met)


def _run_all(bench: Bench, subject: Subject, met: Sequence[Example]) -> Mutation:
    killed: list[Mutant] = []
    survived: list[Mutant] = []
    for mutant in mutants(subject.candidate.source, subject.candidate.name, limit=subject.policy.max_mutants):
        try:
            dead = _is_killed(bench, subject, mutant, met)
        except Unsupported:
            continue  # the change made something that this sandbox lacks: it says nothing about the examples
        (killed if dead else survived).append(mutant)
    return Mutation(killed=tuple(killed), survived=tuple(survived))


def variant(bench: Bench, mutant: Mutant) -> Module:
    """Return the candidate's module with the mutant's source."""
    return replace(bench.module, source=mutant.source)


def _is_killed(bench: Bench, subject: Subject, mutant: Mutant, met: Sequence[Example]) -> bool:
    module = variant(bench, mutant)
    return any(difference(run(bench, subject, example, module=module), example) for example in met)


def judge_mutation(subject: Subject, mutation: Mutation) -> list[Finding]:
    """Refuse when too few variants were told apart, or the one that does nothing at all was not."""
    share = len(mutation.killed) / mutation.tried if mutation.tried else 0.0
    trivial = [mutant for mutant in mutation.survived if mutant.change.startswith("the whole body")]
    if mutation.killed and share >= subject.policy.min_mutants_killed and not trivial:
        return []
    needed = subject.policy.min_mutants_killed
    summary = f"{len(mutation.killed)} of {mutation.tried} mutants killed; the policy asks for {needed:.0%}"
    return [_finding(summary, None), *(_survivor(mutant) for mutant in mutation.survived[:MAX_SHOWN])]


def _survivor(mutant: Mutant) -> Finding:
    return _finding(f"survived: {mutant.change}", mutant.line)


def _finding(message: str, line: int | None) -> Finding:
    return Finding(
        rule="tests/mutants-survive",
        message=message,
        line=line,
        fix="remove what has no effect, or record runs in which this line matters",
    )
