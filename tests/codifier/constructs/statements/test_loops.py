"""`for` and `while`, with `else`, `break` and `continue`."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "for a in [n]:\n    pass",
    "for a, b in []:\n    continue",
    "while n:\n    break\nelse:\n    n -= 1",
    "for a in *[n], n:\n    pass",
    "for _ in range(3):\n    pass",
]
REFUSED = [
    ("for env in []:\n    pass", [("policy/shadow", 1)]),
    ("for __a in []:\n    pass", [("policy/name", 1)]),
    ("for a.b in []:\n    pass", [("policy/attribute-write", 1)]),
    ("while n.__len__():\n    pass", [("policy/attribute", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_loops_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_loops_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
