"""`if`, conditional expressions, comparisons and boolean operators."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "if n:\n    pass\nelif n > 1:\n    pass\nelse:\n    pass",
    "return n if n else 0",
    "return 0 < n <= 9 != 3",
    "return n and not n or n",
    "return n is None, n is not None",
    "return n in [1], n not in (1,)",
    "return n == 1, n >= 2, n < 3",
]
REFUSED = [
    ("if n.__class__ is int:\n    pass", [("policy/attribute", 1)]),
    ("return n if eval else 0", [("policy/builtin", 1)]),
    ("return n == __name__", [("policy/name", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_conditions_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_conditions_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
