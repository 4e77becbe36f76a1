"""The tests gate: examples, properties, a corrupted environment, mutants, and the candidate's own tests.

The judge is this process. The candidate runs only in the sandbox, in a fresh process per call, and is heard only
through JSON values: nothing that it does can touch an assertion (SECURITY.md, finding 1).
"""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.admission.mutation.corruption import check_corruption
from nucleate_codifier.admission.mutation.failing import check_failing
from nucleate_codifier.admission.mutation.mutation import Mutation, judge_mutation, mutate
from nucleate_codifier.admission.mutation.own_tests import OwnTests, check_own_tests
from nucleate_codifier.admission.mutation.suite import Suite
from nucleate_codifier.admission.properties.idempotence import check_idempotence
from nucleate_codifier.admission.properties.properties import Properties, check_properties
from nucleate_codifier.admission.running.bench import Benches
from nucleate_codifier.admission.running.examples import Ran, judge_examples, run_examples, run_held_out
from nucleate_codifier.admission.running.flaky import check_flaky
from nucleate_codifier.admission.running.key_order import check_key_order
from nucleate_codifier.admission.running.remembering import check_memory
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding, Gate


def tests_gate(subject: Subject) -> GateResult:
    """Run every kind of test that the evidence allows, and collect what each finds and counts."""
    with Benches(subject, Gate.TESTS) as benches:
        ran = run_examples(benches, subject)
        findings = [*judge_examples(subject, ran), *check_flaky(benches, ran)]
        met = [item for item in ran if item.reason is None]
        works = not ran or any(item.outcome.ok or item.reason is None for item in ran)
        properties = check_properties(benches, subject, works=works)
        idempotence, twice = check_idempotence(benches, subject, properties.tried)
        findings += [*properties.findings, *idempotence]
        mutation, noticed = Mutation(), 0
        if met:  # what no example shows cannot be told from its wrong variants
            failing, failures = check_failing(benches, subject, met)
            corruption_findings, noticed = check_corruption(benches, subject, met, failures=failures)
            findings += [*corruption_findings, *failing, *check_key_order(benches, met)]
            findings += check_memory(benches, subject, met)
            also = [item for item in run_held_out(benches, subject) if item.reason is None]
            suite = Suite(rules=properties.rules, met=(*met, *also), tried=properties.tried)
            if len(met) == len(ran):  # variants of what does not do what was recorded say nothing more
                mutation = mutate(subject, suite, until=benches.first.deadline)
        own = check_own_tests(benches, subject, mutation)
        findings += own.findings
        if met and len(met) == len(ran):
            findings += judge_mutation(own.mutation, needed=subject.policy.min_mutants_killed)
    return GateResult(findings=_unique(findings), counts=_counts(ran, properties, twice, noticed, own))


def _counts(ran: Sequence[Ran], properties: Properties, twice: int, noticed: int, own: OwnTests) -> dict[str, int]:
    return {
        "examples": len(ran),
        "properties": properties.ran,
        "called_twice": twice,
        "corruptions_noticed": noticed,
        "mutants": own.mutation.tried,
        "killed": len(own.mutation.killed),
        "alike": len(own.mutation.alike),
        "unreached": len(own.mutation.reach.unreached),
        "tests": own.ran,
    }


tests_gate.__test__ = False  # type: ignore[attr-defined]  # not a pytest function


def _unique(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(findings))
