"""The candidate's own pytest files: untrusted too, they count only as far as they kill mutants (SECURITY.md)."""

from __future__ import annotations

import ast

from nucleate_codifier.admission.bench import Bench, Unsupported
from nucleate_codifier.admission.examples import recording
from nucleate_codifier.admission.mutation import Mutation, variant
from nucleate_codifier.admission.source import read
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Environment, TestReport

# Each is a whole pytest run; one that is told apart is enough.
MAX_TRIED = 5


def check_own_tests(bench: Bench, subject: Subject, mutation: Mutation) -> tuple[list[Finding], int]:
    """Run the candidate's files; return the findings and how many tests ran."""
    if not subject.candidate.tests:
        return [], 0
    report = _run(bench, subject)
    findings = _judge(report, expected=_expected(subject))
    if not findings and not _kills_any(bench, subject, mutation):
        findings = [_trivial()]
    return findings, len(report.cases)


def _run(bench: Bench, subject: Subject) -> TestReport:
    return bench.test(subject.candidate.tests, _world(subject))


def _world(subject: Subject) -> Environment:
    return recording(subject, subject.evidence.seen)


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


def _kills_any(bench: Bench, subject: Subject, mutation: Mutation) -> bool:
    for mutant in mutation.killed[:MAX_TRIED]:
        try:
            report = bench.test(subject.candidate.tests, _world(subject), module=variant(bench, mutant))
        except Unsupported:
            continue
        if any(not case.passed for case in report.cases):
            return True
    return False


def _trivial() -> Finding:
    return _finding("trivial-suite", f"the candidate's own tests pass for wrong variants too ({MAX_TRIED} were tried)")


def _finding(name: str, message: str) -> Finding:
    fixes = {
        "suite-broken": "correct the test files so that pytest collects them",
        "tests-missing": "define tests as functions `test_…`, and skip none",
        "own-test-fails": "correct the tool or the test",
        "trivial-suite": "assert on exact results of `tool(...)`",
    }
    return Finding(rule=f"tests/{name}", message=message, fix=fixes[name])
