"""Verdict forgery (SECURITY.md): every kind as a candidate, static gates off, in real containers; none is admitted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_codifier.admission.admit import judge
from nucleate_codifier.admission.gate_functions import GATES
from nucleate_codifier.gates import DYNAMIC
from nucleate_codifier.values import Decision, Verdict
from nucleate_sandbox import DockerSandbox
from tests.codifier.forgeries import FORGERIES, SUITES
from tests.codifier.shop import POLICY, subject, verdict

pytestmark = pytest.mark.docker

# Nothing but the dynamic gates stands in the way.
UNGUARDED = [(gate, function) for gate, function in GATES if gate in DYNAMIC]
BRIEF = replace(POLICY, property_examples=4)


def rule_names(result: Verdict) -> set[str]:
    return {finding.rule for finding in result.findings}


@pytest.mark.parametrize("source", [pytest.param(source, id=name) for name, source in FORGERIES.items()])
def test_no_forged_verdict_is_admitted(docker_sandbox: DockerSandbox, source: str) -> None:
    result = judge(subject(source, sandbox=docker_sandbox, policy=BRIEF), UNGUARDED)
    assert result.decision is Decision.REJECTED
    assert not [rule for rule in rule_names(result) if rule.endswith(("outage", "fault"))]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SUITES.items()])
def test_no_forged_suite_counts(docker_sandbox: DockerSandbox, text: str) -> None:
    given = subject(sandbox=docker_sandbox, tests={"test_it.py": text}, policy=BRIEF)
    result = judge(given, UNGUARDED)
    assert result.decision is Decision.REJECTED
    assert rule_names(result) <= {
        "tests/trivial-suite", "tests/suite-broken", "tests/tests-missing", "tests/own-test-fails"
    }  # fmt: skip


def test_the_honest_tool_is_admitted_in_the_same_containers(docker_sandbox: DockerSandbox) -> None:
    assert verdict(subject(sandbox=docker_sandbox)).decision is Decision.ADMITTED
