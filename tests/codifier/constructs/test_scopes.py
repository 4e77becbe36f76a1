"""`global` and `nonlocal`: a tool keeps nothing between two calls, and within one what it likes."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "def f(k: int) -> int:\n    return k + n\nreturn f(n)",
    "k = 1\ndef f() -> None:\n    nonlocal k\n    k = 2\nf()\nreturn k",
]
REFUSED = [
    ("global k\nk = n", [("policy/construct", 1)]),
    ("def f() -> None:\n    global k, m\nreturn f", [("policy/construct", 2)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_scope_statements_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_scope_statements_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
