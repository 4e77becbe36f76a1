"""Idempotence is tried where a docstring declares it, in a world that can tell what changed."""

from __future__ import annotations

from dataclasses import replace

from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.admission.tests_gate import tests_gate
from nucleate_codifier.values import Evidence, Example
from tests.codifier.shop import ANN, CY, GOOD, replaced, rules, subject

PROMISE = "\n\n    Idempotent: a second call changes nothing.\n    "
DECLARED = replaced(GOOD, ("and return the refunds' ids.", f"and return the refunds' ids.{PROMISE}"))
READER = '''\
def refund_delivered(customer: str, share: float) -> int:
    """Count the orders of a customer.

    Idempotent: it only reads.
    """
    return len(env.orders.search(customer=customer)["orders"])
'''


def without_live(given: Subject) -> Subject:
    return replace(given, environment=replace(given.environment, live=None))


def counted(run: Example, orders: int) -> Example:
    return replace(run, result=orders, calls=run.calls[:1])


def test_a_tool_that_changes_the_world_a_second_time_is_not_idempotent() -> None:
    (finding,) = tests_gate(subject(DECLARED)).findings
    assert finding.rule == "tests/not-idempotent"
    assert finding.message.endswith("the second call changes the environment again")


def test_what_is_not_declared_is_not_asked_for() -> None:
    result = tests_gate(subject())
    assert (result.findings, result.counts["called_twice"]) == ((), 0)


def test_a_tool_that_only_reads_keeps_its_promise_on_the_recording_alone() -> None:
    given = subject(READER, evidence=Evidence(seen=(counted(ANN, 2), counted(CY, 3))))
    result = tests_gate(without_live(given))
    assert result.findings == ()
    assert result.counts["called_twice"] > 0


def test_a_promise_that_nobody_can_see_kept_is_refused() -> None:
    assert rules(tests_gate(without_live(subject(DECLARED)))) == ["tests/idempotence-unseen"]
