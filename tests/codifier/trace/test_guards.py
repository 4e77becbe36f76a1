"""Calls that some runs of a plan leave out."""

from __future__ import annotations

from nucleate_codifier.trace import Codified, Refusal, Template
from nucleate_codifier.values import Finding
from tests.codifier.trace.runs import compiled, without
from tests.codifier.trace.services import refunded_order


def _compiled(*, also: bool = False, skipping: int = 10) -> Codified | Refusal:
    paid = [refunded_order(number, f"ann{number}", paid=True, also=also) for number in range(12)]
    unpaid = [refunded_order(number, f"bob{number}", paid=False, also=also) for number in range(20, 20 + skipping)]
    return compiled(paid, skipping=[without(run, 1) for run in unpaid])


def test_a_call_is_guarded_by_what_tells_the_runs_that_make_it() -> None:
    outcome = _compiled()
    assert isinstance(outcome, Codified)
    assert (
        outcome.candidate.source
        == '''from typing import Any


def cancel_order_and_notify(order_id: str) -> dict[str, Any] | None:
    """Get an order; cancel an order, if order['paid']; then write to a user.

    Args:
        order_id: The order id.

    Returns:
        The result of `cancel_order`.
    """
    order = env.desk.get_order_details(order_id=order_id)
    cancelled_order = None
    if order["paid"]:
        cancelled_order = env.desk.cancel_order(order_id=order_id, reason="Sent back.")
    env.desk.notify(user_id=order["user"], text="It is done.")
    return cancelled_order
'''
    )


def test_the_evidence_holds_runs_of_both_kinds_and_the_template_survives_json() -> None:
    outcome = _compiled()
    assert isinstance(outcome, Codified)
    for examples in (outcome.evidence.seen, outcome.evidence.held_out):
        assert {len(example.calls) for example in examples} == {2, 3}
    assert Template.from_json(outcome.candidate.template) == outcome.template


def test_two_conditions_that_tell_the_same_runs_are_refused() -> None:
    outcome = _compiled(also=True)
    assert isinstance(outcome, Refusal)
    assert outcome.findings == (
        Finding(
            rule="trace/several-rules",
            message="desk.cancel_order is called in some runs, which 'paid' and 'by_post' tell from the others alike",
            fix="Record a run in which 'paid' and 'by_post' would decide differently.",
        ),
    )


def test_too_few_runs_without_the_call_leave_it_unguarded() -> None:
    outcome = _compiled(skipping=1)
    assert isinstance(outcome, Codified)
    assert "if " not in outcome.candidate.source.partition("env.")[2]
