"""`lambda`: as a value, with parameters that hide nothing."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return (lambda a: a)(n)",
    "return sorted([n], key=lambda a, *b, c=1, **d: a)",
    "return lambda: n",
    "return map(lambda a: (a, n), [n])",
]
REFUSED = [
    ("return lambda env: env", [("policy/shadow", 1)]),
    ("return lambda __a: __a", [("policy/name", 1)]),
    ("return lambda a: a.__class__", [("policy/attribute", 1)]),
    ("return lambda *__a: 1", [("policy/name", 1)]),
    ("return lambda a=eval: a", [("policy/builtin", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_lambdas_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_lambdas_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
