"""Flaky tools and flaky suites: what comes out otherwise in another process, order or with another hash seed."""

from __future__ import annotations

import pytest

from nucleate_codifier.admission.tests_gate import tests_gate
from nucleate_codifier.values import Evidence, Finding
from nucleate_sandbox import DockerSandbox
from tests.codifier.shop import ANN, CY, GOOD, replaced, rules, subject

BOTH = Evidence(seen=(ANN, CY))
UNSORTED = replaced(GOOD, ("return refunds", "return list(set(refunds))"))
SORTED = replaced(GOOD, ("return refunds", "return sorted(set(refunds))"))


def flaky(source: str, sandbox: DockerSandbox | None = None) -> list[Finding]:
    found = tests_gate(subject(source, evidence=BOTH, sandbox=sandbox)).findings
    return [finding for finding in found if finding.rule == "tests/flaky"]


def test_a_tool_that_rolls_dice_is_flaky_and_both_results_are_shown() -> None:
    source = replaced(GOOD, ("    return refunds", "    import random\n    return [str(random.random())]"))
    first, second = flaky(source)
    assert first.message.startswith("example of task 't1': one run returned [\"0.")
    assert ', another returned ["0.' in first.message
    assert second.message.startswith("example of task 't3'")


def test_a_tool_that_calls_by_the_clock_is_flaky_in_its_calls() -> None:
    source = replaced(GOOD, ("order_id=order", "order_id=str(__import__('time').perf_counter_ns()) or order"))
    assert "one run raised OrderNotFound: no order" in flaky(source)[0].message


@pytest.mark.docker
def test_the_order_of_a_set_is_flaky_since_every_run_has_another_hash_seed(docker_sandbox: DockerSandbox) -> None:
    (finding,) = flaky(UNSORTED, docker_sandbox)
    assert "R-W105" in finding.message
    assert finding.fix == "sort what comes out of a set, and use no clock, random source or address"
    assert rules(tests_gate(subject(SORTED, evidence=BOTH, sandbox=docker_sandbox))) == []


@pytest.mark.docker
def test_the_address_of_an_object_is_flaky(docker_sandbox: DockerSandbox) -> None:
    assert flaky(replaced(GOOD, ("return refunds", "return [*refunds, str(id(refunds))]")), docker_sandbox)


CHANCE = "import random\n\n\ndef test_it():\n    assert random.random() < 0\n"
COUNTING = (
    "def test_it(seen=[]):\n    seen.append(tool(customer='ann', share=0.5))\n    assert seen[-1] == ['R-W101']\n"
)


def test_a_test_that_fails_by_chance_never_counts() -> None:
    assert rules(tests_gate(subject(tests={"test_it.py": CHANCE}))) == ["tests/own-test-fails"]


RUNS: list[int] = []
COUNTS_ITS_RUNS = (
    "from tests.codifier.admission.test_flaky import RUNS\n\n\n"
    "def test_it():\n    RUNS.append(1)\n    assert len(RUNS) <= 3\n"
)


def test_a_suite_that_fails_once_it_has_run_often_enough_kills_nothing() -> None:
    RUNS.clear()
    (finding,) = tests_gate(subject(tests={"test_it.py": COUNTS_ITS_RUNS})).findings
    assert finding.rule == "tests/flaky-suite"
    assert finding.message == "test_it.py::test_it passes in one run and not in another"


def test_a_suite_that_soon_fails_for_the_tool_too_kills_no_variant() -> None:
    RUNS.clear()
    clamped = replaced(GOOD, ("    return refunds\n", "    if share > 900:\n        share = 900\n    return refunds\n"))
    exact = "    assert tool(customer='ann', share=0.5) == ['R-W101']\n"
    text = COUNTS_ITS_RUNS.replace("<= 3", "<= 4") + exact
    found = [item for item in tests_gate(subject(clamped, tests={"test_it.py": text})).findings if "flaky" in item.rule]
    assert [item.message for item in found] == ["a test that passed failed for a variant, and then for the tool itself"]


def test_a_suite_that_keeps_count_of_nothing_but_results_is_honest() -> None:
    assert rules(tests_gate(subject(tests={"test_it.py": COUNTING}))) == []
