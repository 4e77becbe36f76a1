"""Assignment: names and elements may be bound, attributes and the harness's names may not."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "k = n",
    "k: int = n",
    "k: int",
    "a = b = n",
    "a, (b, *c) = n",
    "[a, b] = n",
    "a = [n]\na[0] = n",
    "a = [n]\na[0:1] = []",
    "k = n\nk += 1",
    "a = [n]\na[0] += 1",
    "a, b = b, a = n, n",
]
REFUSED = [
    ("n.x = 1", [("policy/attribute-write", 1)]),
    ("n.x: int = 1", [("policy/attribute-write", 1)]),
    ("n.x += 1", [("policy/attribute-write", 1)]),
    ("a, n.x = n", [("policy/attribute-write", 1)]),
    ("for n.x in []:\n    pass", [("policy/attribute-write", 1)]),
    ("env = n", [("policy/shadow", 1)]),
    ("__k = n", [("policy/name", 1)]),
    ("k, __builtins__ = n", [("policy/name", 1)]),
    ("isinstance = n", [("policy/shadow", 1)]),
    ("n[0].x = 1", [("policy/attribute-write", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_assignments_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_assignments_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
