"""`with`: on values at hand, binding names only."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "import decimal\nwith decimal.localcontext() as context:\n    return context",
    "import decimal\nwith decimal.localcontext(), decimal.localcontext() as a:\n    pass",
]
REFUSED = [
    ("with n as env:\n    pass", [("policy/shadow", 1)]),
    ("with n as n.x:\n    pass", [("policy/attribute-write", 1)]),
    ("with open('x') as f:\n    pass", [("policy/builtin", 1)]),
    ("with n as __a:\n    pass", [("policy/name", 1)]),
    ("with n as (a, __b):\n    pass", [("policy/name", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_context_managers_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_context_managers_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
