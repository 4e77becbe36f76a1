"""The replay gate: what no codifier has seen must come out the same."""

from __future__ import annotations

from dataclasses import replace

from nucleate_codifier.admission.replay import replay_gate
from nucleate_codifier.values import Evidence
from tests.codifier.shop import ANN, BOB, CY, GOOD, record, replaced, rules, subject


def test_a_tool_that_does_the_recorded_calls_passes() -> None:
    result = replay_gate(subject())
    assert (result.findings, dict(result.counts)) == ((), {"replayed": 1})


def test_without_held_out_runs_the_answer_is_no() -> None:
    assert rules(replay_gate(subject(evidence=Evidence(seen=(ANN, BOB, CY))))) == ["replay/no-held-out-evidence"]


def test_more_held_out_runs_can_be_asked_for() -> None:
    given = subject()
    strict = replace(given, policy=replace(given.policy, min_held_out=2))
    assert rules(replay_gate(strict)) == ["replay/no-held-out-evidence"]


def test_a_write_with_another_argument_is_named() -> None:
    source = replaced(GOOD, ('order["total"] * share', 'order["total"] - share'))
    (finding,) = replay_gate(subject(source)).findings
    assert finding.rule == "replay/differs"
    assert 'made refunds.create({"amount":59.75,"order_id":"W105"})' in finding.message
    assert 'recorded refunds.create({"amount":15.0,"order_id":"W105"})' in finding.message


def test_a_write_that_was_left_out_is_named() -> None:
    source = replaced(GOOD, ('        if order["status"]', '        if not refunds and order["status"]'))
    messages = [finding.message for finding in replay_gate(subject(source)).findings]
    assert "made no call" in messages[0]


def test_reads_may_come_in_another_order_but_not_in_another_number() -> None:
    source = replaced(GOOD, ("    refunds = []", "    refunds = []\n    env.orders.search(customer=customer)"))
    (finding,) = replay_gate(subject(source)).findings
    assert "reads differ" in finding.message


def test_an_always_equal_result_is_compared_as_json_and_refused() -> None:
    source = replaced(GOOD, ("return refunds", 'return {"always": "equal"}'))
    assert rules(replay_gate(subject(source))) == ["replay/differs"]


def test_a_run_without_effect_replays_too() -> None:
    nobody = record("t9", "Nothing for Dee", "dee", 0.5)
    assert replay_gate(subject(evidence=Evidence(held_out=(nobody,)))).findings == ()
