"""The tests gate: examples, properties, a corrupted environment, mutants, and the candidate's own tests.

The judge is this process. The candidate runs only in the sandbox, in a fresh process per call, and is heard only
through JSON values: nothing that it does can touch an assertion (SECURITY.md, finding 1).
"""

from __future__ import annotations

from nucleate_codifier.admission.bench import Bench
from nucleate_codifier.admission.corruption import check_corruption
from nucleate_codifier.admission.examples import check_examples
from nucleate_codifier.admission.mutation import Mutation, judge_mutation, mutate
from nucleate_codifier.admission.own_tests import check_own_tests
from nucleate_codifier.admission.properties import check_properties
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding, Gate


def tests_gate(subject: Subject) -> GateResult:
    """Run every kind of test that the evidence allows, and collect what each finds and counts."""
    with Bench(subject, Gate.TESTS) as bench:
        findings, met = check_examples(bench, subject)
        property_findings, properties = check_properties(bench, subject)
        findings += property_findings
        mutation, noticed = Mutation(), 0
        if met:  # what no example shows cannot be told from its wrong variants
            corruption_findings, noticed = check_corruption(bench, subject, met)
            mutation = mutate(subject, met, until=bench.deadline)
            findings += [*corruption_findings, *judge_mutation(subject, mutation)]
        own_findings, tests = check_own_tests(bench, subject, mutation)
        findings += own_findings
    counts = {
        "examples": len(subject.evidence.seen),
        "properties": properties,
        "corruptions_noticed": noticed,
        "mutants": mutation.tried,
        "killed": len(mutation.killed),
        "tests": tests,
    }
    return GateResult(findings=_unique(findings), counts=counts)


tests_gate.__test__ = False  # type: ignore[attr-defined]  # not a pytest function


def _unique(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(findings))
