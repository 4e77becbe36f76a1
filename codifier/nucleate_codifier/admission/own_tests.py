"""The candidate's own pytest files: untrusted too, they count only as far as they kill mutants (SECURITY.md)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.bench import Bench, Benches, Unsupported
from nucleate_codifier.admission.mutants import Mutant
from nucleate_codifier.admission.mutation import Mutation, survivors_left
from nucleate_codifier.admission.source import read
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.admission.suite import variant
from nucleate_codifier.admission.worlds import backed
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
    report = run_own_tests(benches.first, subject)
    findings = _judge(report, expected=_expected(subject))
    if findings:
        return OwnTests(findings=tuple(findings), ran=len(report.cases), mutation=mutation)
    alive = mutation.survived[:MAX_SURVIVORS]
    kills = benches.each(lambda bench, fate: _kills(bench, subject, fate.mutant), alive)
    killed = [fate for fate, dead in zip(alive, kills, strict=True) if dead]
    useful = bool(killed) or _kills_any(benches.first, subject, mutation.killed[:MAX_KILLED])
    return OwnTests(
        findings=() if useful else (_trivial(),),
        ran=len(report.cases),
        mutation=survivors_left(mutation, killed),
    )


def run_own_tests(bench: Bench, subject: Subject) -> TestReport:
    """Run the files against the tool itself."""
    return bench.test(subject.candidate.tests, backed(subject))


def _expected(subject: Subject) -> int:
    """Return how many test functions the files define: fewer reports than that mean that some did not run."""
    trees = [tree for text in subject.candidate.tests.values() if (tree := read(text).module) is not None]
    return sum(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        for tree in trees
        for node in ast.walk(tree)
    )


def _judge(report: TestReport, *, expected: int) -> list[Finding]:
    if report.failure is not None or report.limit is not None:
        reason = f"{report.failure.kind}: {report.failure.message}" if report.failure else f"limit: {report.limit}"
        return [_finding("suite-broken", f"the candidate's tests did not run: {reason[:300]}")]
    if not report.cases or len(report.cases) < expected:
        return [_finding("tests-missing", f"{len(report.cases)} tests ran, the files define {expected}")]
    failed = [case for case in report.cases if not case.passed]
    return [_finding("own-test-fails", f"{case.name}: {case.message[:300]}") for case in failed]


def _kills_any(bench: Bench, subject: Subject, killed: Sequence[Mutant]) -> bool:
    return any(_kills(bench, subject, mutant) for mutant in killed)


def _kills(bench: Bench, subject: Subject, mutant: Mutant) -> bool:
    try:
        report = bench.test(subject.candidate.tests, backed(subject), module=variant(bench, mutant))
    except Unsupported:
        return False
    return any(not case.passed for case in report.cases)


def _trivial() -> Finding:
    return _finding("trivial-suite", f"the candidate's own tests pass for wrong variants too ({MAX_KILLED} were tried)")


def _finding(name: str, message: str) -> Finding:
    fixes = {
        "suite-broken": "correct the test files so that pytest collects them",
        "tests-missing": "define tests as functions `test_…`, and skip none",
        "own-test-fails": "correct the tool or the test",
        "trivial-suite": "assert on exact results of `tool(...)`",
    }
    return Finding(rule=f"tests/{name}", message=message, fix=fixes[name])
