"""The candidate's own pytest files: untrusted too, they count only as far as they kill mutants (SECURITY.md)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from nucleate_codifier.admission.mutation.mutants import Mutant
from nucleate_codifier.admission.mutation.mutation import Mutation, survivors_left
from nucleate_codifier.admission.mutation.suite import variant
from nucleate_codifier.admission.reading.source import read
from nucleate_codifier.admission.running.bench import Bench, Benches, Unsupported
from nucleate_codifier.admission.running.worlds import backed
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import TestReport

# Each is a whole pytest run.
MAX_SURVIVORS = 16
MAX_KILLED = 5


@dataclass(frozen=True, kw_only=True)
class OwnTests:
    """What the candidate's files did: findings, how many tests ran, and the mutation after what they killed."""

    findings: tuple[Finding, ...] = ()
    ran: int = 0
    mutation: Mutation


def check_own_tests(benches: Benches, subject: Subject, mutation: Mutation) -> OwnTests:
    """Run the candidate's files against the tool, then against the mutants that nothing else killed."""
    if not subject.candidate.tests:
        return OwnTests(mutation=mutation)
    wanted = [*_needed(mutation)]
    reports, wrong = _run_all(benches, subject, wanted[0] if wanted else None)
    findings = _judge(reports[0], expected=_expected(subject)) or _compare(reports)
    if findings:
        return OwnTests(findings=tuple(findings), ran=len(reports[0].cases), mutation=mutation)
    alive = mutation.survived[:MAX_SURVIVORS]
    fates = benches.each(lambda bench, fate: _kills(bench, subject, fate.mutant), alive)
    killed = [fate for fate, kill in zip(alive, fates, strict=True) if kill is Kill.REAL]
    needed = [Kill.REAL if wrong else Kill.NONE]
    needed += [_kills(benches.first, subject, mutant) for mutant in wanted[1:] if not wrong]
    if Kill.FALSE in (*fates, *needed):
        findings = [_finding("flaky-suite", "a test that passed failed for a variant, and then for the tool itself")]
    elif Kill.REAL not in needed:
        findings = _trivial(benches, subject, mutation)
    return OwnTests(findings=tuple(findings), ran=len(reports[0].cases), mutation=survivors_left(mutation, killed))


def _trivial(benches: Benches, subject: Subject, mutation: Mutation) -> list[Finding]:
    """Say that the suite is worth nothing, and name some of the variants for which it passes."""
    others = [mutant for mutant in mutation.killed if not mutant.trivial][:MAX_KILLED]
    reports = benches.each(lambda bench, mutant: _run(bench, subject, mutant=mutant), others)
    passed = [mutant for mutant, report in zip(others, reports, strict=True) if report.passed]
    summary = _finding("trivial-suite", "the candidate's own tests pass for a tool that returns None at once too")
    named = [_finding("trivial-suite", f"they pass for this variant too: {mutant.change}") for mutant in passed]
    return [summary, *(replace(item, line=mutant.line) for item, mutant in zip(named, passed, strict=True))]


def _run_all(benches: Benches, subject: Subject, mutant: Mutant | None) -> tuple[list[TestReport], bool]:
    """Run the files on every bench, on the first one after a run against a variant; say whether that run failed."""

    def work(bench: Bench, turn: int | None) -> TestReport:
        return _run(bench, subject, turn or 0, mutant=mutant if turn is None else None)

    turns = range(len(benches.all))
    if mutant is None:
        return benches.each(work, turns), False
    wrong, *later, first = benches.each(work, [None, *turns[1:], 0])
    return [first, *later], not all(case.passed for case in wrong.cases)


def _needed(mutation: Mutation) -> Sequence[Mutant]:
    """The mutant that does nothing must not pass (LESSONS 17); where nothing is what a tool returns, some other one."""
    trivial = [mutant for mutant in mutation.killed if mutant.trivial]
    return trivial or mutation.killed[:MAX_KILLED]


class Kill(Enum):
    """Whether a suite that passes for the tool fails for a variant; a false one then fails for the tool too."""

    NONE = 0
    REAL = 1
    FALSE = 2


def _run(bench: Bench, subject: Subject, turn: int = 0, *, mutant: Mutant | None = None) -> TestReport:
    """Run the files, each turn beginning with another one."""
    files = [*subject.candidate.tests.items()]
    turned = files[turn % len(files) :] + files[: turn % len(files)]
    module = variant(bench, mutant) if mutant is not None else None
    return bench.test(dict(turned), backed(subject), module=module)


def _kills(bench: Bench, subject: Subject, mutant: Mutant) -> Kill:
    """Tell a test that notices the variant from one that fails by the clock, by chance or by the number of runs."""
    try:
        if all(case.passed for case in _run(bench, subject, mutant=mutant).cases):
            return Kill.NONE
    except Unsupported:
        return Kill.NONE
    return Kill.REAL if _run(bench, subject).passed else Kill.FALSE


def _compare(reports: Sequence[TestReport]) -> list[Finding]:
    """Refuse a suite whose tests do not end the same in every order and with every hash seed."""
    ends = [{case.name: case.passed for case in report.cases} for report in reports]
    changed = sorted(name for name in ends[0] if any(end.get(name) != ends[0][name] for end in ends))
    return [_finding("flaky-suite", f"{name} passes in one run and not in another") for name in changed]


def _expected(subject: Subject) -> int:
    """Return how many test functions the files define: fewer reports than that mean that some did not run."""
    trees = [tree for text in subject.candidate.tests.values() if (tree := read(text).module) is not None]
    return sum(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        for tree in trees
        for node in ast.walk(tree)
    )


def _judge(report: TestReport, *, expected: int) -> list[Finding]:
    if report.error is not None:
        reason = str(report.error)
        return [_finding("suite-broken", f"the candidate's tests did not run: {reason[:300]}")]
    if not report.cases or len(report.cases) < expected:
        return [_finding("tests-missing", f"{len(report.cases)} tests ran, the files define {expected}")]
    failed = [case for case in report.cases if not case.passed]
    return [_finding("own-test-fails", f"{case.name}: {case.message[:300]}") for case in failed]


def _finding(name: str, message: str) -> Finding:
    fixes = {
        "suite-broken": "correct the test files so that pytest collects them",
        "tests-missing": "define tests as functions `test_…`, and skip none",
        "own-test-fails": "correct the tool or the test",
        "flaky-suite": "test the tool's results alone: no clock, no chance, no order of sets or of tests",
        "trivial-suite": "assert on exact results of `tool(...)`",
    }
    return Finding(rule=f"tests/{name}", message=message, fix=fixes[name])
