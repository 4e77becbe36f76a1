"""The compile gate: the module loads with exactly its closure, and answers for its own parameters only."""

from __future__ import annotations

import pytest

from nucleate_codifier.admission.compile_gate import compile_gate
from tests.codifier.shop import GOOD, replaced, rules, subject

CASES = {
    "compile/does-not-load": ('"""Refunds."""\n', '"""Refunds."""\nLIMIT = _missing\n'),
    "compile/calls-at-load": ('"""Refunds."""\n', '"""Refunds."""\nORDERS = env.orders.search(customer="ann")\n'),
    "compile/takes-anything": (GOOD, "def refund_delivered(**more: str) -> list[str]:\n    return []\n"),
}


def test_a_module_that_does_nothing_by_itself_passes() -> None:
    result = compile_gate(subject())
    assert (result.findings, dict(result.counts)) == ((), {"modules": 1})


@pytest.mark.parametrize("rule", CASES)
def test_a_module_that_does_more_is_refused(rule: str) -> None:
    assert rules(compile_gate(subject(replaced(GOOD, CASES[rule])))) == [rule]
