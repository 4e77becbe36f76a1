"""Mutation: the suite must tell the tool from most of its wrong variants; each that lives is named with its remedy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.mutation.mutants import Mutant, mutants
from nucleate_codifier.admission.mutation.reach import Reach, reach
from nucleate_codifier.admission.mutation.suite import Fate, Suite
from nucleate_codifier.admission.running.bench import Benches
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding, Gate
from nucleate_sandbox import Limits

MAX_SHOWN = 10
# A changed loop may never end: it must not cost the seconds that the tool itself is allowed.
LIMITS = Limits(wall_seconds=1.5, cpu_seconds=1.5, bridge_calls=500)
MAX_ALIKE = 0.1  # of all mutants, or one: beyond that it is the suite that is weak
NO_REACH = Reach(spans=(), reached=frozenset())


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """Which variants the suite told apart from the tool, and which not; what the examples reach of the tool.

    `alike` are those that no generated call told apart either, on lines that an example executes: most are the same
    program in other words, so they count for nothing, as long as they are few.
    """

    killed: tuple[Mutant, ...] = ()
    survived: tuple[Fate, ...] = ()
    alike: tuple[Mutant, ...] = ()
    reach: Reach = NO_REACH

    @property
    def tried(self) -> int:
        return len(self.killed) + len(self.survived) + len(self.alike)


def mutate(subject: Subject, suite: Suite, *, until: float) -> Mutation:
    """Run the variants against the suite, several side by side."""
    candidate = subject.candidate
    made = mutants(candidate.source, candidate.name, limit=subject.policy.max_mutants)
    with Benches(subject, Gate.TESTS, limits=LIMITS, until=until) as benches:
        fates = [fate for fate in benches.each(suite.fate, made) if fate is not None]
        alive = [fate for fate in fates if not fate.killed]
        on = [item.ground for item in suite.met]
        reached = reach(benches.first, candidate.source, on) if alive else NO_REACH
    alike = [fate for fate in alive if suite.tried and not fate.witness and reached.reaches(fate.mutant.line)]
    alike = alike[: max(1, int(len(fates) * MAX_ALIKE))]
    return Mutation(
        killed=tuple(fate.mutant for fate in fates if fate.killed),
        survived=tuple(fate for fate in alive if fate not in alike),
        alike=tuple(fate.mutant for fate in alike),
        reach=reached,
    )


def judge_mutation(mutation: Mutation, *, needed: float) -> list[Finding]:
    """Refuse when too few variants were told apart, or the one that does nothing at all was not."""
    counted = len(mutation.killed) + len(mutation.survived)
    share = len(mutation.killed) / counted if counted else 0.0
    trivial = [fate for fate in mutation.survived if fate.mutant.trivial]
    if mutation.killed and share >= needed and not trivial:
        return []
    summary = f"{len(mutation.killed)} of {counted} mutants killed; the policy asks for {needed:.0%}"
    survivors = [_survivor(fate, mutation.reach) for fate in mutation.survived[:MAX_SHOWN]]
    return [_finding(summary, None, "remove what has no effect, or record runs in which it matters"), *survivors]


def _survivor(fate: Fate, reached: Reach) -> Finding:
    return _finding(f"survived: {fate.mutant.change}", fate.mutant.line, _how(fate, reached))


def _how(fate: Fate, reached: Reach) -> str:
    if fate.witness:
        return f"record a run, or write a test, that tells them apart: {fate.witness}"
    if not reached.reaches(fate.mutant.line):
        return "no example executes this line: record a run that does, or write a test, or remove it"
    return "no call that was tried shows a difference: record a run in which this line matters, or remove it"


def _finding(message: str, line: int | None, fix: str) -> Finding:
    return Finding(rule="tests/mutants-survive", message=message, line=line, fix=fix)


def survivors_left(mutation: Mutation, killed: Sequence[Fate]) -> Mutation:
    """Return the mutation with these survivors among the killed."""
    return Mutation(
        killed=(*mutation.killed, *(fate.mutant for fate in killed)),
        survived=tuple(fate for fate in mutation.survived if fate not in killed),
        alike=mutation.alike,
        reach=mutation.reach,
    )
