"""What a tool does when the environment fails as no run has shown, and what it keeps between two calls."""

from __future__ import annotations

import pytest

from nucleate_codifier.admission.mutation.failing import says
from nucleate_codifier.admission.tests_gate import tests_gate
from nucleate_codifier.values import Evidence
from nucleate_sandbox import Call, Failure, Outcome
from tests.codifier.shop import ANN, BOB, CY, GOOD, replaced, rules, subject

SEVERAL = Evidence(seen=(CY, ANN, BOB))  # the first of them refunds twice
REFUND = 'refunds.append(env.refunds.create(order_id=order["id"], amount=order["total"] * share)["refund_id"])'
DONE = (
    Call(function="shop.cancel_order", arguments={"order_id": "O-7"}, result={"order_id": "O-7", "refund": "R-10093"}),
)


def _failed(message: str) -> Outcome:
    return Outcome(failure=Failure(kind="ValueError", message=message))


def _guarded(handler: str) -> str:
    return replaced(GOOD, (REFUND, f"try:\n                {REFUND}\n            except FunctionError:\n{handler}"))


@pytest.mark.parametrize(
    "message", ["O-7 is cancelled, but no mail was sent", "cancelling worked, the mail did not", "see refund R-10093"]
)
def test_an_error_that_names_the_write_or_its_result_says_what_was_done(message: str) -> None:
    assert says(_failed(message), DONE)


@pytest.mark.parametrize("message", ["it did not work", "the order is cancelled? no: nothing was changed", ""])
def test_an_error_that_is_bland_or_denies_the_write_does_not(message: str) -> None:
    assert not says(_failed(message), DONE)


def test_an_error_of_the_environment_that_passes_after_a_write_is_no_fault() -> None:
    assert rules(tests_gate(subject(evidence=SEVERAL))) == []


def test_an_error_of_ones_own_after_a_write_has_to_say_what_was_done() -> None:
    source = _guarded('                raise ValueError("try again later") from None')
    assert "tests/half-done" in rules(tests_gate(subject(source, evidence=SEVERAL)))


def test_one_that_says_so_passes() -> None:
    source = _guarded('                raise ValueError(f"refunds created: {refunds}") from None')
    assert "tests/half-done" not in rules(tests_gate(subject(source, evidence=SEVERAL)))


def test_whatever_is_returned_after_an_unforeseen_failure_swallows_it() -> None:
    source = _guarded("                return refunds")
    assert "tests/swallows-errors" in rules(tests_gate(subject(source, evidence=SEVERAL)))


def test_to_catch_one_kind_and_raise_the_rest_is_free() -> None:
    handler = '                if error.kind != "OrderNotFound":\n                    raise'
    source = _guarded(handler).replace("except FunctionError:", "except FunctionError as error:")
    assert "tests/swallows-errors" not in rules(tests_gate(subject(source, evidence=SEVERAL)))


def test_what_a_call_leaves_for_the_next_is_found_by_two_calls_in_one_process() -> None:
    source = replaced(
        GOOD,
        ("def refund", "_KEPT: list[str] = []\n\n\ndef refund"),
        ("    refunds = []\n", "    refunds = _KEPT\n"),
    )
    result = tests_gate(subject(source))
    assert rules(result) == ["tests/remembers"]
    assert "'t1'" in result.findings[0].message
